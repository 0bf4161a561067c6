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

export const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(" or ")}`,
    })
    .transform((value) => new Secret(value));

export const logLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);
