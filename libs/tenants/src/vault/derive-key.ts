import { hkdfSync, type KeyObject } from "node:crypto";

const KEY_BYTES = 32;

/**
 * HKDF-SHA256 (RFC 5869) without salt, since a random key needs none. The info is the JSON of `words`, so no two lists of
 * words have the same key.
 */
export const deriveKey = (from: KeyObject, words: readonly string[]): Buffer =>
  Buffer.from(hkdfSync("sha256", from, "", JSON.stringify(["bulkhead", ...words]), KEY_BYTES));
