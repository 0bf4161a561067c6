const PREFIX = "whsec_";
/** Standard Webhooks: 24 to 64 bytes. */
const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** In words, for whoever must send one. */
export const SIGNING_SECRET_FORM = `must be ${PREFIX} and ${BYTES_MIN} to ${BYTES_MAX} random bytes in base64`;

/** The notation of Standard Webhooks: `whsec_` and base64. */
export const writeSigningSecret = (bytes: Uint8Array): string =>
  PREFIX + Buffer.from(bytes).toString("base64");

/** The bytes that sign; null for what is no such secret. Padding may be left out. */
export function readSigningSecret(text: string): Uint8Array | null {
  if (!text.startsWith(PREFIX)) return null;
  const base64 = text.slice(PREFIX.length);
  const bytes = Buffer.from(base64, "base64");
  const canonical = bytes.toString("base64");
  if (base64 !== canonical && base64 !== canonical.replace(/=+$/, "")) return null;
  return bytes.length >= BYTES_MIN && bytes.length <= BYTES_MAX ? bytes : null;
}
