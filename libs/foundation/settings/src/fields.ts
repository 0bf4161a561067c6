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

export const secret = (lengthMin: number) =>
  z
    .string()
    .min(lengthMin, `must have ${lengthMin} characters or more`)
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
  .string(NOT_32_BYTES)
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

export const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(" or ")}`,
    })
    .transform((value) => new Secret(value));

/** A URL of more forms than one, against which `faultOf` tells what it has, with no part of the URL; null for nothing. */
export const checkedUrl = (faultOf: (text: string) => string | null) =>
  z.string().transform((text, context) => {
    const message = faultOf(text);
    if (message === null) return new Secret(text);
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
