import { hostCrypto } from "./host-crypto.ts";

const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;
type Settable = Exclude<(typeof PARTS)[number], "origin">;

const partsOf = (url: URL): string =>
  JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, url[part]])));

const isSettable = (part: unknown): part is Settable => part !== "origin" && PARTS.includes(part as Settable);

/** The hashes that a tool may use; the guest names them in its error. */
const HASHES = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-384", "sha3-512"];
const RANDOM_BYTES_MAX = 65_536;

const ANSWERS: Record<string, (text: string) => string> = {
  /** The answer means that all earlier posts have been read. */
  pause: () => "",
  uuid: () => hostCrypto().randomUUID(),
  hash: (request) => {
    const { algorithm, text } = JSON.parse(request) as { algorithm: string; text: string };
    return HASHES.includes(algorithm) ? hostCrypto().hash(algorithm, text, "hex") : "null";
  },
  /** Hashes bytes, as base64 in and out. */
  digest: (request) => {
    const { algorithm, base64 } = JSON.parse(request) as { algorithm: string; base64: string };
    return HASHES.includes(algorithm)
      ? hostCrypto().hash(algorithm, Buffer.from(base64, "base64"), "base64")
      : "null";
  },
  random: (bytes) => {
    const count = Number(bytes);
    return count <= RANDOM_BYTES_MAX ? hostCrypto().randomBytes(count).toString("base64") : "null";
  },
  "url.parse": (text) => {
    const [url, base] = JSON.parse(text) as [string, string?];
    return partsOf(new URL(url, base));
  },
  "url.set": (text) => {
    const [href, part, value] = JSON.parse(text) as [string, string, string];
    const url = new URL(href);
    if (isSettable(part)) url[part] = value;
    return partsOf(url);
  },
  /** The standard's name of an encoding that is known here. */
  "text.encoding": (label) => new TextDecoder(label).encoding,
  "query.parse": (text) => JSON.stringify([...new URLSearchParams(text)]),
  "query.write": (text) => new URLSearchParams(JSON.parse(text) as [string, string][]).toString(),
};

/**
 * Answers the guest's synchronous requests; functions of text, pure but for randomness. "null" if there is no answer: it
 * never throws.
 */
export function answer(operation: string, text: string): string {
  try {
    return Object.hasOwn(ANSWERS, operation) ? (ANSWERS[operation]?.(text) ?? "null") : "null";
  } catch {
    // No URL, or an invalid request: the guest makes the error, since a thrown one would carry this process's stack into
    // the tool.
    return "null";
  }
}
