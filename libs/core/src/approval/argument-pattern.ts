import { canonicalJson } from "../json/canonical-json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** Selects calls of a tool by one argument, or by all of them. */
export interface ArgumentPattern {
  /** A JSON pointer (RFC 6901) into the arguments; null: all of them, as JSON with sorted keys and no white space. */
  argument: string | null;
  /** The whole text has to match; `*` stands for any characters, none included, and there is no other special one. */
  pattern: string;
}

export const ARGUMENT_PATTERN_CHARS_MAX = 512;
export const ARGUMENT_POINTER_CHARS_MAX = 256;
/** A longer text is never matched. */
export const ARGUMENT_TEXT_CHARS_MAX = 64 * 1024;

/** `too_long` where the text is over `ARGUMENT_TEXT_CHARS_MAX`: then nothing is known. An argument that is missing matches nothing. */
export function matchArguments(
  { argument, pattern }: ArgumentPattern,
  args: JsonObject,
): "match" | "no_match" | "too_long" {
  const value = argument === null ? args : readPointer(args, argument);
  if (value === undefined) return "no_match";
  const text = typeof value === "string" ? value : canonicalJson(value);
  if (text.length > ARGUMENT_TEXT_CHARS_MAX) return "too_long";
  return matchesGlob(pattern, text) ? "match" : "no_match";
}

const ARRAY_INDEX = /^(0|[1-9]\d*)$/;

/** The value behind a JSON pointer, by own properties only; undefined where there is none. */
function readPointer(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && !ARRAY_INDEX.test(name)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[name];
  }
  return value;
}

/** In time proportional to both lengths together: the pieces between the stars are found one after another, leftmost first. */
export function matchesGlob(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let from = head.length;
  for (const piece of rest) {
    const at = find(piece, text, from, end);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}

/** The first place of `piece` within the bounds, -1 without one (Knuth, Morris, Pratt 1977: no text makes it slow). */
function find(piece: string, text: string, from: number, end: number): number {
  const borders = bordersOf(piece);
  let matched = 0;
  if (piece === "") return from;
  for (let at = from; at < end; at += 1) {
    while (matched > 0 && piece[matched] !== text[at]) matched = borders[matched - 1] ?? 0;
    if (piece[matched] === text[at]) matched += 1;
    if (matched === piece.length) return at - matched + 1;
  }
  return -1;
}

/** For each prefix, the length of its longest proper prefix that is its suffix too. */
function bordersOf(piece: string): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < piece.length; at += 1) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (piece[at] === piece[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
