import { createHash, randomInt, randomBytes } from "node:crypto";

/** Without what people take for another: no I, O, 0 and 1. */
const CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** Of 32 characters each, which is 40 bits. */
const CODE_CHARS = 8;
const CODE_GROUP = 4;

/** A new pairing code as people read it, such as `ABCD-EFGH`. */
export function newPairingCode(): string {
  const characters = Array.from({ length: CODE_CHARS }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]);
  return `${characters.slice(0, CODE_GROUP).join("")}-${characters.slice(CODE_GROUP).join("")}`;
}

/** The hash of a code as somebody typed it; whatever it is, it has one. */
export const hashPairingCode = (typed: string): string =>
  sha256(`pairing ${typed.toUpperCase().replaceAll(/[\s-]/g, "")}`);

/** A new token of a device: `bhd_` and 256 random bits in base64url. */
export const newDeviceToken = (): string => `bhd_${randomBytes(32).toString("base64url")}`;

/** A plain hash is enough: a token is random. */
export const hashDeviceToken = (token: string): string => sha256(token);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
