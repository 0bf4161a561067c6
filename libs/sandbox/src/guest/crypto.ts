import { TEXT_CHARS_MAX } from "./bounds.ts";
import { ask } from "./bridge.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { namedError } from "./errors.ts";
import { tagged } from "./tagged.ts";
import { bytesOf } from "./utf8.ts";

/** The most bytes of one call, as on the web. */
const RANDOM_BYTES_MAX = 65_536;
/** As base64, beside the algorithm's name, they still pass the bridge. */
const DIGEST_BYTES_MAX = ((TEXT_CHARS_MAX - 64) / 4) * 3;
const INTEGERS: readonly unknown[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
];
const DIGESTS: Record<string, string> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

function getRandomValues<T extends ArrayBufferView>(view: T): T {
  if (!INTEGERS.some((Kind) => view instanceof (Kind as typeof Uint8Array)))
    throw namedError("TypeMismatchError", "crypto.getRandomValues needs an array of integers");
  if (view.byteLength > RANDOM_BYTES_MAX)
    throw namedError("QuotaExceededError", `crypto.getRandomValues gives ${RANDOM_BYTES_MAX} bytes at most`);
  const bytes = decodeBase64(ask("random", `${view.byteLength}`, "")) ?? new Uint8Array();
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes);
  return view;
}

async function digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
  const name =
    typeof algorithm === "object" && algorithm !== null ? (algorithm as { name: unknown }).name : algorithm;
  const known = DIGESTS[String(name).toUpperCase()];
  const bytes = bytesOf(data);
  if (bytes === null) throw new TypeError("crypto.subtle.digest needs a buffer or a view");
  if (bytes.length > DIGEST_BYTES_MAX)
    throw new RangeError(`crypto.subtle.digest takes ${DIGEST_BYTES_MAX} bytes at most, not ${bytes.length}`);
  const answer = known && ask("digest", `{"algorithm":"${known}","base64":"${encodeBase64(bytes)}"}`, "");
  const made = answer ? decodeBase64(answer) : null;
  if (made === null)
    throw namedError("NotSupportedError", `the digests are ${Object.keys(DIGESTS).join(", ")}`);
  return made.buffer;
}

/** Randomness and hashes are the host's: V8's Math.random can be foretold. */
export const crypto = tagged("Crypto", {
  randomUUID: (): string => ask("uuid", "", ""),
  getRandomValues,
  subtle: tagged("SubtleCrypto", { digest }),
});
