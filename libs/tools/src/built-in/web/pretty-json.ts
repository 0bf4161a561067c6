/** A token of valid JSON that is neither a string nor white space. */
const TOKEN = /[{}[\],:]|[^\s{}[\],:"]+/y;
const SPACE = /\s*/y;
const INDENT = "  ";

/**
 * JSON with a line for each value, up to a little more than `charsMax`: text that will be cut off gets no indentation. Any
 * text but JSON stays unchanged.
 */
export function prettyJson(source: string, charsMax: number): string {
  return isJson(source) ? indent(source, charsMax) : source;
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    // Cut off, or not JSON at all.
    return false;
  }
}

/** `source` is valid JSON. */
function indent(source: string, charsMax: number): string {
  const parts: string[] = [];
  let chars = 0;
  let depth = 0;
  let before = "";
  for (let at = skipSpace(source, 0); at < source.length && chars <= charsMax; at = skipSpace(source, at)) {
    const token = tokenAt(source, at);
    at += token.length;
    const closes = token === "}" || token === "]";
    if (closes) depth -= 1;
    const opened = before === "{" || before === "[";
    const breaks = opened ? !closes : closes || before === ",";
    // A deeper value than fits is not indented further: the end is near.
    const lead = breaks ? `\n${INDENT.repeat(Math.min(depth, charsMax))}` : before === ":" ? " " : "";
    parts.push(lead, token);
    chars += lead.length + token.length;
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return parts.join("");
}

function skipSpace(source: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(source);
  return SPACE.lastIndex;
}

function tokenAt(source: string, at: number): string {
  if (source[at] === '"') return source.slice(at, endOfString(source, at));
  TOKEN.lastIndex = at;
  return TOKEN.exec(source)?.[0] ?? source.slice(at);
}

function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}
