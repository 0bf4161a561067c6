/** Headers that spoke about a connection which ends at the broker. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const ABOUT_CODING = new Set(["content-encoding", "content-length"]);

/** The headers for the tool, one pair for each value; without those that are no longer true of the body. */
export function responseHeaders(
  headers: Record<string, string | string[] | undefined>,
  decoded: boolean,
): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || HOP_BY_HOP.has(name) || (decoded && ABOUT_CODING.has(name))) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((one): [string, string] => [name, one]);
  });
}
