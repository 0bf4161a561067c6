import { ask } from "../bridge.ts";
import { outOfRange, takeInteger, takeText } from "./arguments.ts";
import { randomBelow } from "./randomness.ts";

const ALGORITHMS = [
  "md5",
  "sha1",
  "sha224",
  "sha256",
  "sha384",
  "sha512",
  "sha3-256",
  "sha3-384",
  "sha3-512",
];
const PASSWORD_CHARS_MAX = 1_024;
/** From this length on a password has a character of each kind, since many sites insist. */
const MIXED_FROM_CHARS = 8;
/** Leaves out quotes, backslash and white space, which rarely survive a form or a shell. */
const KINDS = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "0123456789",
  "!#$%&()*+-./:;=?@[]^_{}~",
];
const ALPHABET = KINDS.join("");

/** The digest of the text's UTF-8 in lower-case hexadecimal. The algorithm's case and dashes don't matter. */
export function hash(text: string, algorithm = "sha256"): string {
  const given = takeText("hash", "text", text);
  const wanted = takeText("hash", "algorithm", algorithm).toLowerCase().replaceAll("-", "");
  const found = ALGORITHMS.find((name) => name.replaceAll("-", "") === wanted);
  const digest =
    found === undefined ? "null" : ask("hash", JSON.stringify({ algorithm: found, text: given }), "");
  if (digest === "null") throw outOfRange("hash", `algorithm must be one of ${ALGORITHMS.join(", ")}`);
  return digest;
}

/** A random UUID, version 4. */
export const uuid = (): string => ask("uuid", "", "");

/**
 * A random password of 1 to 1,024 characters: letters, digits and signs, every one equally likely; with 8
 * characters or more it has at least one lower-case and one upper-case letter, one digit and one sign.
 */
export function generatePassword(length = 16): string {
  const count = takeInteger("generatePassword", "length", length, 1, PASSWORD_CHARS_MAX);
  for (;;) {
    let password = "";
    for (let i = 0; i < count; i++) password += ALPHABET[randomBelow(ALPHABET.length, count - i)];
    // The whole password is drawn again: putting a missing kind into one place would make it easier to guess.
    if (count < MIXED_FROM_CHARS || KINDS.every((kind) => holdsOneOf(password, kind))) return password;
  }
}

const holdsOneOf = (text: string, kind: string): boolean =>
  Array.from(text).some((char) => kind.includes(char));
