const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const QUOTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const START = /^[\t\n\r ]+/;
const END = /[\t\n\r ]+$/;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g;
/** A comma within a quoted text ends no part; an open quote reaches to the end. */
const VALUES = /(?:[^",]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g;
const PARAMETERS = /;([^;=]*)(?:=(?:"((?:[^"\\]|\\[^])*)(?:"|(\\?)$))?([^;]*))?/g;

interface MediaType {
  essence: string;
  parameters: Map<string, string>;
}

/**
 * The media type that a `content-type` header names, as the standards write it: of several the last that is one, with the
 * charset of one before it of the same type. Empty where there is none.
 */
export function mediaTypeOf(header: string): string {
  const found = lastOf(header);
  return found === null ? "" : written(found);
}

/** The value of one parameter of that media type; undefined if it has none. */
export const parameterOf = (header: string, name: string): string | undefined =>
  lastOf(header)?.parameters.get(name);

function lastOf(header: string): MediaType | null {
  let found: MediaType | null = null;
  for (const [value] of header.matchAll(VALUES)) {
    const type = parse(value);
    if (type === null || type.essence === "*/*") continue;
    const charset = found?.essence === type.essence ? found.parameters.get("charset") : undefined;
    if (charset !== undefined && !type.parameters.has("charset")) type.parameters.set("charset", charset);
    found = type;
  }
  return found;
}

function parse(value: string): MediaType | null {
  const text = value.replace(EDGES, "");
  const semicolon = text.indexOf(";");
  const essence = (semicolon < 0 ? text : text.slice(0, semicolon)).replace(EDGES, "");
  const slash = essence.indexOf("/");
  if (!TOKEN.test(essence.slice(0, slash)) || !TOKEN.test(essence.slice(slash + 1)) || slash < 0) return null;
  const parameters = new Map<string, string>();
  const rest = semicolon < 0 ? "" : text.slice(semicolon);
  for (const [, name = "", quoted, lone = "", bare = ""] of rest.matchAll(PARAMETERS)) {
    const key = name.replace(START, "").toLowerCase();
    const given = quoted === undefined ? bare.replace(END, "") : quoted.replace(/\\([^])/g, "$1") + lone;
    const isMeant = given !== "" || quoted !== undefined;
    if (isMeant && TOKEN.test(key) && QUOTABLE.test(given) && !parameters.has(key))
      parameters.set(key, given);
  }
  return { essence: essence.toLowerCase(), parameters };
}

function written({ essence, parameters }: MediaType): string {
  let text = essence;
  for (const [name, value] of parameters)
    text += `;${name}=${TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`}`;
  return text;
}
