/** Bytes as a string of Latin-1 characters, the codes that an automaton reads. */
export const toLatin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const lowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
const bothCases = (text: string): string[] => [text, lowerEscapes(text)];

/**
 * The characters that a URL's parser escapes in each part, besides controls and all but ASCII (WHATWG URL, 1.3): in a
 * fragment, a query, the query of a web address, a path, and a user's name.
 */
const PARSED_SETS = [/[ "<>`]/, /[ "#<>]/, /[ "#<>']/, /[ "#<>?^`{}]/, /[ "#<>?^`{}/:;=@[\\\]|]/];

const escapeParsed = (text: string, set: RegExp): string =>
  text.replace(/[^\x21-\x7e]+|./gs, (part) =>
    /^[\x21-\x7e]$/.test(part) && !set.test(part) ? part : escapeBytes(part),
  );

const escapeBytes = (text: string): string =>
  Buffer.from(text, "utf8").toString("hex").toUpperCase().replace(/../g, "%$&");

/**
 * As `encodeURIComponent`, as RFC 3986 wants it, as a whole URL is escaped, as a form, and as the parsers of URLs do it; hex
 * digits in both cases.
 */
export function urlEncodings(value: string): string[] {
  const wellFormed = value.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ v: wellFormed }).toString().slice("v=".length);
  const parsed = PARSED_SETS.map((set) => escapeParsed(wellFormed, set));
  const spaced = component.replaceAll("%20", "+");
  return [component, strict, encodeURI(wellFormed), form, spaced, ...parsed].flatMap(bothCases);
}

/** As `JSON.stringify` does it, with `\/`, with all but ASCII escaped, and each once more: JSON in JSON. */
export function jsonEscapes(value: string): string[] {
  const plain = escapeJson(value);
  const slashed = plain.replaceAll("/", "\\/");
  const ascii = [plain, slashed].flatMap((text) => [escapeUnicode(text, "x"), escapeUnicode(text, "X")]);
  const once = [plain, slashed, ...ascii];
  return [...once, ...once.map(escapeJson)];
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const escapeUnicode = (text: string, digits: "x" | "X"): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => {
    const hex = letter.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${digits === "X" ? hex.toUpperCase() : hex}`;
  });

/** As in texts (`& < >`) and in attributes, with the three ways to write an apostrophe. */
export function htmlEscapes(value: string): string[] {
  const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = text.replaceAll('"', "&quot;");
  return [text, quoted, ...["&#39;", "&#x27;", "&apos;"].map((mark) => quoted.replaceAll("'", mark))];
}

/**
 * The parts that the base64 of any bytes around these ones has in common, wherever they begin: one text for each phase,
 * without the letters at the ends that depend on the neighbours. So the base64 of `user:password` contains one of them,
 * whoever the user is.
 */
export function base64Phases(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const from = Math.ceil((before * 8) / 6);
    return base64.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
  });
}

export const toBase64Url = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");
