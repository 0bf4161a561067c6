/** Written apart from the product's scrubber, and simpler: each way to write a value, as a plain text to look for. */
export function waysToWrite(value: string): Map<string, string> {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const encoded = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  const html = value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const ways = new Map([
    ["as it is", value],
    ["in JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["in JSON", json],
    ["in HTML", html],
    ["in HTML with &#39;", html.replaceAll("'", "&#39;")],
    ["in a URL", encoded],
    ["in a URL in lower case", encoded.replaceAll(/%../g, (escape) => escape.toLowerCase())],
    ["in a form", new URLSearchParams({ v: value }).toString().slice(2)],
    ["in hex", hex],
    ["in upper-case hex", hex.toUpperCase()],
    ["as a password in base64", Buffer.from(`user:${value}`).toString("base64")],
    ...base64Cores("base64", bytes),
    ...base64Cores("UTF-16 in base64", Buffer.from(value, "utf16le")),
  ]);
  for (const [at, line] of value.split("\n").entries()) if (line.length >= 16) ways.set(`line ${at}`, line);
  return ways;
}

/** What base64 makes of the bytes wherever they begin, without the characters that their neighbours share. */
function* base64Cores(name: string, bytes: Buffer): Generator<[string, string]> {
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const shared = before === 0 ? 0 : before + 1;
    const core = text.slice(shared, text.length - ((before + bytes.length) % 3 === 0 ? 0 : 1));
    yield [`${name} at ${before}`, core];
    yield [`${name}url at ${before}`, core.replaceAll("+", "-").replaceAll("/", "_")];
  }
}

/** Where something was found: `place: way`. */
export const findLeaks = (places: ReadonlyMap<string, string>, ways: ReadonlyMap<string, string>): string[] =>
  [...places].flatMap(([place, text]) =>
    [...ways].filter(([, written]) => text.includes(written)).map(([way]) => `${place}: ${way}`),
  );

/** So many characters in a row are more than any tool may tell of a secret by accident. */
const PIECE_CHARS = 10;

/** Where a stretch of so many characters of one of the values stands, for a search that a cut can't escape: `place: stretch`. */
export function findPieces(
  places: ReadonlyMap<string, string>,
  values: readonly string[],
  chars = PIECE_CHARS,
): string[] {
  const stretchesOf = (length: number) =>
    new Set(
      values.flatMap((value) =>
        Array.from({ length: Math.max(0, value.length - length + 1) }, (_, at) =>
          value.slice(at, at + length),
        ),
      ),
    );
  // Whatever holds a stretch holds one of half its length that begins at a multiple of the rest.
  const half = Math.ceil((chars + 1) / 2);
  const step = chars - half + 1;
  const [stretches, halves] = [stretchesOf(chars), stretchesOf(half)];
  const found = new Set<string>();
  for (const [place, text] of places)
    for (let at = 0; at < text.length; at += step)
      if (halves.has(text.slice(at, at + half)))
        for (let from = Math.max(0, at + half - chars); from <= at; from += 1) {
          const stretch = text.slice(from, from + chars);
          if (stretches.has(stretch)) found.add(`${place}: ${stretch}`);
        }
  return [...found];
}
