/** Shorter values stand in ordinary text by chance. */
export const SECRET_CHARS_MIN = 8;

/** All that one execution must keep in weighs no more: tables of a run grow with it, some ten thousand bytes for each KiB. */
export const NEEDLE_WEIGHT_MAX = 32 * 1_024;

/** A character beyond ASCII is written with up to eight times as many letters in some encoding. */
const WIDE_WEIGHT = 8;

/** The cost of keeping these out of a text, in characters of ASCII. */
export function needleWeight(needles: readonly { value: string }[]): number {
  let weight = 0;
  for (const { value } of needles)
    for (let at = 0; at < value.length; at++) weight += value.charCodeAt(at) < 0x80 ? 1 : WIDE_WEIGHT;
  return weight;
}

/** The text that replaces a secret. */
export const REDACTED = "[REDACTED]";

/** Whether a value can be kept out of everything that leaves, or would take half of every text with it. */
export type SecretJudgement = "ok" | "short" | "common";

/** Words of eight characters and more that people enter as secrets and that stand in texts for other reasons. */
const COMMON = new Set(
  `12345678 123456789 1234567890 87654321 abcd1234 abcdefgh qwertyui qwertyuiop password passwords passw0rd password1
  password123 passphrase changeme changeit letmein1 iloveyou sunshine princess football baseball superman trustno1
  whatever welcome1 starwars computer internet administrator username database postgres postgresql localhost
  127.0.0.1 example.com undefined disabled optional required redacted production development staging
  testtest test1234 testing1 testpassword secretkey secret123 your-api-key your_api_key yourapikey your-secret
  api-key-here apikey123 placeholder anonymous customer document function response authorization application
  application/json text/html`.split(/\s+/),
);

/** Texts are full of rulers, zeros and dots. */
const isRepetition = (value: string): boolean => new Set(value).size <= 3;

/**
 * Judges by length and by a list of words, so that a tenant learns of a value that would cover half of every text. `ok`
 * does not mean that a value is hard to guess.
 */
export function judgeSecret(value: string): SecretJudgement {
  const bare = value.trim().toLowerCase();
  if (bare.length < SECRET_CHARS_MIN) return "short";
  return COMMON.has(bare) || isRepetition(bare) ? "common" : "ok";
}
