import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";

const CIPHER = "aes-256-gcm";
/** NIST SP 800-38D: 96 random bits; safe for 2^32 texts under one key, and each tenant has its own. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, ciphertext and tag in base64url. It opens only with the same `bound` words, which it does not contain. */
export function closeBox(key: KeyObject, plain: Uint8Array, bound: readonly string[]): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(JSON.stringify(bound)));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    "base64url",
  );
}

/** Null unless key, words and every character are those of the closing. */
export function openBox(key: KeyObject, text: string, bound: readonly string[]): Buffer | null {
  const box = Buffer.from(text, "base64url");
  if (box.length < NONCE_BYTES + TAG_BYTES || box.toString("base64url") !== text) return null;
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(JSON.stringify(bound)));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // `final` has one reason only: the tag does not fit.
    return null;
  }
}
