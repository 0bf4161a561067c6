import { randomBytes } from "node:crypto";
import type { Json } from "./json.ts";

/** A longer document is passed on as text; UTF-16 units. */
export const LARGE_JSON_CHARS = 32 * 1024;

/** No tenant's text can hold this value, because nobody outside sees it. */
const PLACEHOLDER = randomBytes(16).toString("hex");

/** The texts that the running `stringifyJson` has met; it is synchronous, and null stands outside it. */
let met: string[] | null = null;

/**
 * A large document as JSON text that nobody on its way parses: parsing four megabytes and writing them again blocks a
 * process for a tenth of a second. `JSON.stringify` writes it as the document itself.
 */
export class JsonText {
  /** The text has no line breaks, so a line protocol may hold it. */
  readonly text: string;

  /** Line ends in the text are blanks, since none stands within a string of JSON. */
  constructor(text: string) {
    this.text = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text;
  }

  toJSON(): unknown {
    if (met === null) return JSON.parse(this.text);
    return `${PLACEHOLDER}${met.push(this.text)}`;
  }
}

/** Reads a document from its text, which must be JSON; only a small one is parsed. */
export const readJson = (text: string): Json | JsonText =>
  text.length > LARGE_JSON_CHARS ? new JsonText(text) : (JSON.parse(text) as Json);

/** A document that has to be looked into. */
export const valueOf = (document: Json | JsonText): Json =>
  document instanceof JsonText ? (JSON.parse(document.text) as Json) : document;

/** `JSON.stringify`, with the text of each `JsonText` in it put where it belongs, unread. */
export function stringifyJson(value: unknown): string {
  const outer = met;
  const texts: string[] = [];
  met = texts;
  try {
    return fill(JSON.stringify(value), texts);
  } finally {
    met = outer;
  }
}

/** They stand in the order in which they were met. */
function fill(json: string, texts: readonly string[]): string {
  let filled = "";
  let from = 0;
  for (const [place, text] of texts.entries()) {
    const placeholder = `"${PLACEHOLDER}${place + 1}"`;
    const at = json.indexOf(placeholder, from);
    filled += json.slice(from, at) + text;
    from = at + placeholder.length;
  }
  return texts.length === 0 ? json : filled + json.slice(from);
}
