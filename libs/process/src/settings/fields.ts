import { isIP } from "node:net";
import { z } from "zod";

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** 0 lets the system choose a free one. */
export const port = wholeNumber(0, 65_535);

/** The message for a required setting that is missing: it says what the setting takes, in the words of a bad one. */
const notSet = (must: string | null): string => (must === null ? "is not set" : `is not set; it ${must}`);

const HOST_CHARS_MAX = 253;
const HOST_LABEL = /^(?!-)[\w-]{1,63}(?<!-)$/u;
const HOST_FAULT = "must be an IP address or a host name, without a port";

/** By its form only: whether it is there, or is this machine, is not looked at. */
const isHost = (text: string): boolean => {
  const labels = text.replace(/\.$/u, "").split(".");
  // A name never ends in a number: what does is an IPv4 address with a slip in it.
  const isName = labels.every((label) => HOST_LABEL.test(label)) && !/^\d+$/u.test(labels.at(-1) ?? "");
  return isIP(text) !== 0 || (text.length <= HOST_CHARS_MAX && isName);
};

/** An address or a name to listen on. */
export const host = z.string().refine(isHost, HOST_FAULT);

const HIDDEN = "[redacted]";

/** A value that must not be printed: it shows as `[redacted]` wherever it is turned into text. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toJSON(): string {
    return HIDDEN;
  }
  toString(): string {
    return HIDDEN;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return HIDDEN;
  }
}

const API_KEY_LENGTH_MIN = 32;
/** A fraction of what all headers of a request may have together. */
const API_KEY_LENGTH_MAX = 4_096;
/** A header loses the spaces around its value, and clients differ in how they write what is not ASCII. */
const SENDABLE = /^[!-~](?:[ -~]*[!-~])?$/;

/** An API key that an operator chose: what every client can send in a header as it is. */
export const apiKey = z
  .string()
  .min(API_KEY_LENGTH_MIN, `must have ${API_KEY_LENGTH_MIN} characters or more`)
  .max(API_KEY_LENGTH_MAX, `must have ${API_KEY_LENGTH_MAX} characters or fewer`)
  .regex(SENDABLE, "must be of printable ASCII characters, with no space before or after them")
  .transform((value) => new Secret(value));

const MASTER_KEY_BYTES = 32;
const NOT_32_BYTES = `must be ${MASTER_KEY_BYTES} random bytes as base64, the same for every API and worker (openssl rand -base64 ${MASTER_KEY_BYTES})`;

/** Whether a text is base64 of exactly the bytes that a master key has. */
export const isMasterKey = (text: string): boolean => {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === MASTER_KEY_BYTES && bytes.toString("base64") === text;
};

/** The key from which all others come. */
export const masterKey = z
  .string(notSet(NOT_32_BYTES))
  .refine(isMasterKey, NOT_32_BYTES)
  .transform((value) => new Secret(value));

/** Those before it, separated by commas; they open what the new one has not taken over yet. */
export const oldMasterKeys = z
  .string()
  .default("")
  .transform((text, context) => {
    const keys = text
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== "");
    for (const [at, key] of keys.entries())
      if (!isMasterKey(key))
        context.addIssue({ code: "custom", message: `key ${at + 1} of ${keys.length} ${NOT_32_BYTES}` });
    return keys.map((key) => new Secret(key));
  });

/** A list that `read` understands, empty when unset; every fault that it finds is told. */
export const ruleList = <T>(
  read: (text: string) => { ok: true; rules: T } | { ok: false; faults: string[] },
) =>
  z
    .string()
    .default("")
    .transform((text, context) => {
      const parsed = read(text);
      if (parsed.ok) return parsed.rules;
      for (const message of parsed.faults) context.addIssue({ code: "custom", message });
      return z.NEVER;
    });

const isUrlOf = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);
const urlFault = (protocols: readonly string[]): string =>
  `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;

export const url = (...protocols: string[]) =>
  z
    .string(notSet(urlFault(protocols)))
    .refine((value) => isUrlOf(value, protocols), urlFault(protocols))
    .transform((value) => new Secret(value));

const POSTGRES = ["postgres:", "postgresql:"];
const DATABASE_FAULT = `${urlFault(POSTGRES)}, as in postgres://user:password@host:5432/bulkhead`;

/** Of a PostgreSQL. */
export const databaseUrl = z
  .string(notSet(DATABASE_FAULT))
  .refine((value) => isUrlOf(value, POSTGRES), DATABASE_FAULT)
  .refine(
    (value) => !URL.canParse(value) || !new URL(value).pathname.includes("@"),
    "must not name a user behind the host: a password's / is written as %2F",
  )
  .transform((value) => new Secret(value));

/** A URL of more forms than one, against which `faultOf` tells what it must be, with no part of the URL; null for nothing. */
export const checkedUrl = (faultOf: (text: string) => string | null) =>
  z.string(notSet(faultOf(""))).transform((text, context) => {
    const message = faultOf(text);
    if (message === null) return new Secret(text);
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
