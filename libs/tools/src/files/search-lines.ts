import { compileRe2 } from "@bulkhead/process/patterns";
import { isUtf8 } from "node:buffer";
import type { SearchPattern } from "./search-pattern.ts";

/** What one thread is given to search. */
export interface SearchJob extends SearchPattern {
  files: readonly { path: string; bytes: Uint8Array }[];
  /** Matches that are wanted at most. */
  limit: number;
}

/** A line that matches. */
export interface SearchMatch {
  path: string;
  /** Both from 1 on; the column counts UTF-16 units. */
  line: number;
  column: number;
  /** The line, or of a long one what stands around the match. */
  text: string;
}

export interface SearchFound {
  matches: SearchMatch[];
  /** Files that are no text, and were passed over. */
  binarySkipped: number;
}

/** Of a long line so many characters are shown, so many of them before the match. */
const SHOWN_CHARS_MAX = 400;
const SHOWN_BEFORE = 100;

/** Characters that are looked at together, up to the end of a line. */
const BLOCK_CHARS = 64 * 1024;

/** Each line that matches, once. */
export function searchLines({ source, literal, byBlocks, files, limit }: SearchJob): SearchFound {
  const pattern = compileRe2(source);
  const blocks = byBlocks ? compileRe2(`(?m)${source}`) : null;
  const found: SearchFound = { matches: [], binarySkipped: 0 };
  if (pattern === null) return found;
  for (const { path, bytes } of files) {
    if (found.matches.length >= limit) break;
    if (!isUtf8(bytes) || bytes.includes(0)) {
      found.binarySkipped += 1;
      continue;
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    // A line that ends with a carriage return ends for `$` before it, where a block of lines has no end.
    const mayHold = blocks === null || text.includes("\r") ? null : (block: string) => blocks.test(block);
    for (const { line, from, to } of literal === null ? allLines(text, mayHold) : linesWith(text, literal)) {
      const shown = text.slice(from, to);
      // Whether it matches is told by RE2's automaton; where, which costs ten times as much, is asked of what does.
      if (!pattern.test(shown)) continue;
      const matcher = pattern.matcher(shown);
      if (!matcher.find()) continue;
      const at = matcher.start();
      found.matches.push({ path, line, column: at + 1, text: excerpt(shown, at) });
      if (found.matches.length >= limit) break;
    }
  }
  return found;
}

interface Line {
  line: number;
  from: number;
  to: number;
}

/** The end of the line that begins at or before `at`; a carriage return before it is none of the line's. */
function lineEnd(text: string, at: number): { to: number; next: number } {
  const end = text.indexOf("\n", at);
  const to = end === -1 ? text.length : end;
  return { to: text[to - 1] === "\r" && to > at ? to - 1 : to, next: end === -1 ? text.length + 1 : end + 1 };
}

/** All lines, but for those of blocks that hold none that matches. */
function* allLines(text: string, mayHold: ((block: string) => boolean) | null): Generator<Line> {
  for (let begin = 0, line = 1; begin < text.length;) {
    const end = lineEnd(text, Math.min(begin + BLOCK_CHARS, text.length - 1)).next;
    const skips = mayHold?.(text.slice(begin, end)) === false;
    for (let from = begin; from < end && from < text.length; line += 1) {
      const { to, next } = lineEnd(text, from);
      if (!skips) yield { line, from, to };
      from = next;
    }
    begin = end;
  }
}

/** The lines that hold the literal; the others are counted without being looked at. */
function* linesWith(text: string, literal: string): Generator<Line> {
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(literal); at !== -1;) {
    const from = text.lastIndexOf("\n", at) + 1;
    for (let end = text.indexOf("\n", counted); end !== -1 && end < from; end = text.indexOf("\n", counted)) {
      line += 1;
      counted = end + 1;
    }
    const { to, next } = lineEnd(text, at);
    yield { line, from, to };
    at = next > text.length ? -1 : text.indexOf(literal, next);
  }
}

function excerpt(line: string, at: number): string {
  if (line.length <= SHOWN_CHARS_MAX) return line;
  const from = Math.max(0, Math.min(at - SHOWN_BEFORE, line.length - SHOWN_CHARS_MAX));
  const to = from + SHOWN_CHARS_MAX;
  // A cut may go through a pair of surrogates.
  const shown = line.slice(from, to).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}`;
}
