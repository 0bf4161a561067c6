/** The end of the host in a URL that a value is written into. */
const HOST_END = /[/?#\\]/;
/**
 * No host holds these, and the part before an `@` is no host: a URL's parser refuses them or keeps their case (WHATWG URL,
 * 3.5).
 */
const NO_HOST = /[\s<>@[\]^|%]/;

/** A value in the cases that software writes names in: small letters (hosts, schemes, labels, names of headers), capitals. */
export const recase = (value: string): string[] => [...new Set([value.toLowerCase(), value.toUpperCase()])];

/** The value in small letters up to the end of a URL's host, where it goes on behind one; none where it can't. */
export function recaseHost(value: string): string[] {
  const end = value.search(HOST_END);
  const host = value.slice(0, Math.max(0, end));
  const lower = host.toLowerCase();
  return lower === host || NO_HOST.test(host) ? [] : [lower + value.slice(end)];
}
