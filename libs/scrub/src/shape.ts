/** A literal, or a run of characters of one class, as many as there are. */
export type ShapePart = { literal: string } | { isIn: Uint8Array; charsMin: number; charsMax: number };

const PART = /\[((?:\\.|[^\]\\])+)\]\{(\d+),(\d*)\}|\\(.)|([^[\]{}()*+?|^$\\.])/gy;

/**
 * Reads the small part of regular expressions that token shapes need: literal characters and classes with `{min,}` or
 * `{min,max}`. A run is greedy, so the next part must not begin with a character of its class.
 */
export function parseShape(source: string): ShapePart[] {
  const parts: ShapePart[] = [];
  let read = 0;
  for (const [text, members, min, max, escaped, plain] of source.matchAll(PART)) {
    read += text.length;
    const last = parts.at(-1);
    const letter = escaped ?? plain;
    if (members !== undefined)
      parts.push({ isIn: classOf(members), charsMin: Number(min), charsMax: max ? Number(max) : Infinity });
    else if (last && "literal" in last) last.literal += letter;
    else parts.push({ literal: letter ?? "" });
  }
  if (read !== source.length) throw new Error(`not a shape: ${source}`);
  return parts;
}

/** 1 for each ASCII code that the class has. */
function classOf(members: string): Uint8Array {
  const member = new RegExp(`[${members}]`);
  return Uint8Array.from({ length: 0x80 }, (_, code) => (member.test(String.fromCharCode(code)) ? 1 : 0));
}

/** A text to look into. */
export interface Sight {
  text: string;
  /** Whether more may come. */
  isOpen: boolean;
  /** The positions at which one line goes over into the next, ascending. A match that is long enough ends there. */
  cuts: readonly number[];
}

export type Matched =
  | { outcome: "matched"; end: number }
  /** A match whose keyword ends before `deadUntil` fails too. */
  | { outcome: "unlike"; deadUntil: number }
  /** All fits so far, and the text ends. */
  | { outcome: "open" };

const OPEN = { outcome: "open" } as const;

export function matchShape(parts: readonly ShapePart[], sight: Sight, from: number): Matched {
  let at = from;
  let deadUntil = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const wasAt = at;
    if ("literal" in part) {
      const wanted = part.literal;
      if (!sight.text.startsWith(wanted, at))
        return couldGoOn(sight, at, wanted) ? OPEN : { outcome: "unlike", deadUntil };
      at += wanted.length;
      continue;
    }
    at = runEnd(part, sight, at);
    if (i === parts.length - 1)
      at = Math.min(at, wasAt + part.charsMax, cutAfter(sight, wasAt + part.charsMin));
    if (at - wasAt < part.charsMin)
      return sight.isOpen && at === sight.text.length ? OPEN : { outcome: "unlike", deadUntil };
    if (at - wasAt > part.charsMax) return { outcome: "unlike", deadUntil };
    // Within the first run all is followed by the same.
    if (deadUntil === 0) deadUntil = at;
  }
  return { outcome: "matched", end: at };
}

function runEnd({ isIn }: { isIn: Uint8Array }, { text }: Sight, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 || isIn[code] === 0) break;
    at++;
  }
  return at;
}

const couldGoOn = ({ text, isOpen }: Sight, at: number, wanted: string): boolean =>
  isOpen && text.length - at < wanted.length && wanted.startsWith(text.slice(at));

/** The first cut from this place on, at which a match that is long enough ends. */
export const cutAfter = ({ cuts, text }: Sight, place: number): number =>
  cuts.find((cut) => cut >= place) ?? text.length;
