import { buildAutomaton, step } from "./automaton.ts";
import type { Coverage } from "./coverage.ts";
import { BareValues } from "./bare-values.ts";
import { EXCERPT_KEYWORDS, findCutPiece, type ValuePieces } from "./cut-excerpts.ts";
import { findBearer, findNamed, type Found } from "./find-named.ts";
import { findUrlPassword, KeyBlocks } from "./find-structure.ts";
import { NAME_STEMS } from "./secret-names.ts";
import { cutAfter, matchShape, parseShape, type ShapePart, type Sight } from "./shape.ts";
import { VENDOR_SHAPES } from "./vendor-shapes.ts";

type Keyword =
  | { kind: "vendor"; text: string; name: string; shape: number; parts: readonly ShapePart[] }
  | { kind: "name" | "bearer" | "url" | "key-block" | "excerpt"; text: string };

const KEYWORDS: readonly Keyword[] = [
  ...VENDOR_SHAPES.flatMap(({ name, starts, rest }, shape) => {
    const parts = parseShape(rest);
    return starts.map((text) => ({ kind: "vendor" as const, text, name, shape, parts }));
  }),
  ...NAME_STEMS.map((text) => ({ kind: "name" as const, text })),
  { kind: "bearer", text: "bearer " },
  { kind: "url", text: "://" },
  { kind: "key-block", text: "-----BEGIN " },
  ...EXCERPT_KEYWORDS.map((text) => ({ kind: "excerpt" as const, text })),
];
/** Longer than any keyword: a continued text needs so many of its former characters. */
export const KEYWORD_CHARS_MAX = Math.max(...KEYWORDS.map(({ text }) => text.length));

/** Finds all keywords in one pass; case makes no difference to it. */
export const KEYWORD_AUTOMATON = buildAutomaton(
  KEYWORDS.map(({ text }) => text),
  { foldCase: true },
);

/** The kind under which matches of exact values are counted, whole or cut off. */
export const VALUE = "value";
/** The kind under which matches of the patterns are counted. */
export const NAMED = "named";
const COUNTED_AS = {
  name: NAMED,
  bearer: "bearer-token",
  url: "url-password",
  "key-block": "private-key",
  excerpt: VALUE,
};

/**
 * Covers the matches of patterns, counting each by name. Returns the position from which nothing is decided yet, since a
 * token may continue there; -1: all is decided.
 */
export function scanPatterns(
  sight: Sight,
  pieces: ValuePieces | null,
  covered: Coverage,
  count: (name: string) => void,
): number {
  const { text } = sight;
  const { classes, classCount, dense, denseCount, ends } = KEYWORD_AUTOMATON;
  const finder = new Finder(sight, pieces, covered);
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const cls = code < 0x100 ? classes[code]! : 0;
    state = state < denseCount ? dense[state * classCount + cls]! : step(KEYWORD_AUTOMATON, state, cls);
    if (ends[state] === 0) continue;
    const found = finder.findAt(state, i + 1);
    if (!found) continue;
    if (found.end === -1) return found.start;
    covered.add(found.start, found.end);
    count(found.name);
    // The search begins anew after a covered range.
    i = found.end - 1;
    state = 0;
  }
  return -1;
}

type Named = Found & { name: string };

class Finder {
  readonly #sight: Sight;
  readonly #pieces: ValuePieces | null;
  readonly #covered: Coverage;
  readonly #keyBlocks: KeyBlocks;
  readonly #values: BareValues;
  /** By shape: a match whose keyword ends before this position fails. */
  readonly #deadUntil = new Map<number, number>();

  constructor(sight: Sight, pieces: ValuePieces | null, covered: Coverage) {
    this.#sight = sight;
    this.#pieces = pieces;
    this.#covered = covered;
    this.#keyBlocks = new KeyBlocks(sight);
    this.#values = new BareValues(sight.text);
  }

  /** The first pattern, by the longest keyword that ends here; an end of -1 says that the text may still go on with it. */
  findAt(state: number, end: number): Named | null {
    const { words, shorter } = KEYWORD_AUTOMATON;
    for (let at = state; at !== 0; at = shorter[at]!)
      for (const id of words.get(at) ?? []) {
        const found = this.#find(KEYWORDS[id]!, end);
        if (found) return found;
      }
    return null;
  }

  #find(keyword: Keyword, end: number): Named | null {
    const start = end - keyword.text.length;
    if (keyword.kind === "vendor") return this.#findShape(keyword, start, end);
    const found = this.#findOther(keyword.kind, start, end);
    if (!found) return null;
    const name = COUNTED_AS[keyword.kind];
    if (found === "open") return { name, start, end: -1 };
    if (keyword.kind === "key-block" || keyword.kind === "excerpt") return { name, ...found };
    // Names and URLs don't go on in the next line; a value that does ends with its own.
    const cut = cutAfter(this.#sight, start + 1);
    const isParted = cut <= found.start || (keyword.kind === "url" && cut < found.end);
    return isParted ? null : { name, start: found.start, end: Math.min(found.end, cut) };
  }

  #findOther(kind: Exclude<Keyword["kind"], "vendor">, start: number, end: number): Found | "open" | null {
    const { text } = this.#sight;
    if (kind === "key-block") return this.#keyBlocks.find(start, end);
    if (kind === "url") return findUrlPassword(text, end);
    if (kind === "excerpt") return this.#pieces && findCutPiece(text, end, this.#pieces);
    if (kind === "bearer") return findBearer(this.#values, end);
    const cut = cutAfter(this.#sight, start + 1);
    return findNamed(this.#values, Math.max(this.#covered.end, 0), end, cut);
  }

  #findShape(keyword: Extract<Keyword, { kind: "vendor" }>, start: number, end: number): Named | null {
    const { name, shape, parts } = keyword;
    if (end <= (this.#deadUntil.get(shape) ?? 0)) return null;
    if (!this.#beginsHere(start) || !this.#sight.text.startsWith(keyword.text, start)) return null;
    const matched = matchShape(parts, this.#sight, end);
    if (matched.outcome === "open") return { name, start, end: -1 };
    if (matched.outcome === "matched") return { name, start, end: matched.end };
    this.#deadUntil.set(shape, matched.deadUntil);
    return null;
  }

  /** Not in the middle of a word, except after `\n`, `%20` and the like. */
  #beginsHere(start: number): boolean {
    const { text, cuts } = this.#sight;
    if (start === 0 || start === this.#covered.end || !/\w/.test(text[start - 1]!)) return true;
    return text[start - 2] === "\\" || text[start - 3] === "%" || cuts.includes(start);
  }
}
