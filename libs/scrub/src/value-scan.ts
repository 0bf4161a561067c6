import { REDACTED } from "@bulkhead/core";
import { buildAutomaton, step, type Automaton } from "./automaton.ts";
import { Coverage } from "./coverage.ts";
import {
  BACKSLASH,
  codeOf,
  EscapePlaces,
  joinPieces,
  mayBeginInRun,
  spellCode,
  UNIT_CHARS,
  unitAt,
  windowOf,
  type Piece,
} from "./escape-places.ts";
import { ESCAPE_CHARS_MAX, isEscapeStart, mayBegin, meantAlone, readEscapes } from "./escapes.ts";
import { SpelledReadings, type Reading } from "./spelled-readings.ts";
import { findStart } from "./taken-escapes.ts";
import type { Word } from "./variants.ts";

/** All that finds one set of words. */
export interface ValueTables {
  automaton: Automaton;
  words: readonly Word[];
  /** The state in which a marker has just ended. */
  markerState: number;
  /**
   * By a state in which a word ends, the longest word there that is covered anywhere, not as a whole word only; 0 for
   * none.
   */
  anywhere: ReadonlyMap<number, number>;
  /** Whether some word has digits only. */
  hasNumbers: boolean;
}

export function buildTables(words: readonly Word[]): ValueTables {
  const all = [...words, { text: REDACTED, wholeWordsOnly: false }];
  const automaton = buildAutomaton(all.map((word) => word.text));
  const [markerState = 0] = [...automaton.words].find(([, ids]) => ids.includes(words.length)) ?? [];
  const hasNumbers = words.some(({ text }) => /^[\d.e+]+$/.test(text));
  return { automaton, words, markerState, anywhere: listAnywhere(automaton, words), hasNumbers };
}

function listAnywhere(
  { words: ending, depth, shorter }: Automaton,
  words: readonly Word[],
): Map<number, number> {
  const anywhere = new Map<number, number>();
  for (const state of [...ending.keys()].sort((a, b) => depth[a]! - depth[b]!)) {
    const isWhole = words[ending.get(state)![0]!]?.wholeWordsOnly ?? true;
    anywhere.set(state, isWhole ? (anywhere.get(shorter[state]!) ?? 0) : state);
  }
  return anywhere;
}

const isWord = (code: number): boolean => /[\p{L}\p{N}_]/u.test(String.fromCharCode(code));
/** A bracket may be a marker's, whose inside may have been part of the word. */
const endsWordBefore = (code: number): boolean => code !== 0x5d && !isWord(code);
const endsWordAfter = (code: number): boolean => code !== 0x5b && !isWord(code);
const NO_CODE = 0x20;
/** Words that end with so many others are made for that: the last one that is tried is covered as if it were whole. */
const WHOLE_WORDS_MAX = 8;

/** Reads one text, in any number of chunks, and tracks its covered ranges. Places are counted from the text's start. */
export class ValueScan {
  readonly #tables: ValueTables;
  readonly covered = new Coverage();
  #state = 0;
  #at: number;
  /** The text with escapes read by their meaning. */
  readonly #readings: SpelledReadings;
  /** An escape that has begun where the chunk ended, and is not read yet. */
  #held: Piece | null = null;
  /** How many stand right before here. */
  #backslashes = 0;
  /** The starts of whole words that end where the text ends so far. */
  #pendingStarts: number[] = [];
  readonly #codeAt: (place: number) => number;

  constructor(tables: ValueTables, codeAt: (place: number) => number, at = 0) {
    this.#tables = tables;
    this.#codeAt = codeAt;
    this.#at = at;
    this.#readings = new SpelledReadings(tables.automaton);
  }

  /** Up to here all is decided. */
  get decided(): number {
    const plain = this.#at - this.#tables.automaton.depth[this.#state]!;
    return Math.min(plain, this.#readings.firstStart(this.#at), ...this.#pendingStarts);
  }

  /** No word has begun up to here: an incomplete escape alone begins none. */
  get unbegun(): number {
    const { decided } = this;
    return decided === this.#at ? this.#at + (this.#held?.length ?? 0) : decided;
  }

  readText(text: string): void {
    this.#read(text, false);
  }

  readBytes(bytes: Uint8Array): void {
    this.#read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), false);
  }

  /** The words that end here are whole, whatever follows. */
  endWords(): void {
    this.#settlePending(NO_CODE);
  }

  /** Nothing follows. */
  end(): void {
    if (this.#held) this.#read(this.#held.slice(0, 0), true);
    this.#settlePending(NO_CODE);
    this.#state = 0;
    this.#readings.clear();
  }

  #read(chunk: Piece, isLast: boolean): void {
    const piece = this.#held ? joinPieces(this.#held, chunk) : chunk;
    this.#held = null;
    const { length } = piece;
    if (this.#tables.words.length === 0) {
      this.#at += length;
      return;
    }
    if (length > 0) this.#settlePending(codeOf(piece, 0));
    const places = new EscapePlaces(piece);
    for (let i = 0; i < length;) {
      const next = this.#readings.areNone ? places.next(i) : i;
      this.#run(piece, i, next);
      if (next > i) this.#backslashes = 0;
      i = next;
      if (i === length) return;
      const code = codeOf(piece, i);
      if (isEscapeStart(code) && !this.#takeEscapes(piece, i, isLast)) return;
      this.#backslashes = code === BACKSLASH ? this.#backslashes + 1 : 0;
      this.#run(piece, i, ++i);
      if (this.#readings.areNone) continue;
      const codeAfter = i < length ? codeOf(piece, i) : -1;
      for (const reading of this.#readings.read(code, this.#at))
        this.#meet(reading.state, this.#at, codeAfter, reading);
    }
  }

  /** False if the text after the piece is needed to decide. */
  #takeEscapes(piece: Piece, at: number, isLast: boolean): boolean {
    const code = codeOf(piece, at);
    const next = at + 1 < piece.length ? codeOf(piece, at + 1) : Number.NaN;
    if (!mayBegin(code, next) || !mayBeginInRun(piece, at, this.#backslashes)) return true;
    const alone = meantAlone(code, next);
    if (alone > 0) {
      this.#readings.take(2, spellCode(piece, alone), this.#at, this.#state);
      return true;
    }
    const unit = unitAt(piece, at);
    if (unit >= 0) {
      this.#readings.take(UNIT_CHARS, spellCode(piece, unit), this.#at, this.#state);
      return true;
    }
    const escaped = next === code ? unitAt(piece, at + 1) : -1;
    if (escaped >= 0) {
      this.#readings.take(2, spellCode(piece, next), this.#at, this.#state);
      this.#readings.take(1 + UNIT_CHARS, spellCode(piece, escaped), this.#at, this.#state);
      return true;
    }
    const { escapes, isOpen } = readEscapes(windowOf(piece, at));
    if (isOpen && !isLast && piece.length - at < ESCAPE_CHARS_MAX) {
      this.#held = piece.slice(at);
      return false;
    }
    for (const { code: said, chars } of escapes)
      this.#readings.take(chars, spellCode(piece, said), this.#at, this.#state);
    return true;
  }

  /** As it stands. */
  #run(piece: Piece, from: number, to: number): void {
    if (typeof piece === "string") this.#runText(piece, from, to);
    else this.#runBytes(piece, from, to);
  }

  #runText(text: string, from: number, to: number): void {
    const { automaton } = this.#tables;
    const { classes, classCount, dense, denseCount, ends } = automaton;
    const known = classes.length;
    const offset = this.#at - from;
    let state = this.#state;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      const cls = code < known ? classes[code]! : 0;
      state = state < denseCount ? dense[state * classCount + cls]! : step(automaton, state, cls);
      if (ends[state] === 1)
        state = this.#meet(state, offset + i + 1, i + 1 < text.length ? text.charCodeAt(i + 1) : -1);
    }
    this.#state = state;
    this.#at = offset + to;
  }

  #runBytes(bytes: Buffer, from: number, to: number): void {
    const { automaton } = this.#tables;
    const { classes, classCount, dense, denseCount, ends } = automaton;
    const offset = this.#at - from;
    let state = this.#state;
    for (let i = from; i < to; i++) {
      const cls = classes[bytes[i]!]!;
      state = state < denseCount ? dense[state * classCount + cls]! : step(automaton, state, cls);
      if (ends[state] === 1) state = this.#meet(state, offset + i + 1, bytes[i + 1] ?? -1);
    }
    this.#state = state;
    this.#at = offset + to;
  }

  /** Some word ends here; the code after it is -1 where the text goes no further yet. */
  #meet(state: number, end: number, codeAfter: number, reading?: Reading): number {
    if (state === this.#tables.markerState && !reading) {
      this.covered.truncate(end - REDACTED.length);
      this.#readings.clear();
      return 0;
    }
    this.#cover(state, end, codeAfter, reading);
    return state;
  }

  #cover(state: number, end: number, codeAfter: number, reading?: Reading): void {
    const { automaton, words, anywhere } = this.#tables;
    const { shorter, depth } = automaton;
    const longest = automaton.words.has(state) ? state : shorter[state]!;
    const isInWord = codeAfter !== -1 && !endsWordAfter(codeAfter);
    let at = isInWord ? anywhere.get(longest)! : longest;
    for (let tried = 0; at !== 0; at = shorter[at]!) {
      const id = automaton.words.get(at)![0]!;
      // A mark that is spelled is none.
      if (id === words.length) continue;
      const codes = depth[at]!;
      // The longest of its kind: the shorter ones lie inside it.
      if (!words[id]!.wholeWordsOnly)
        return this.covered.add(reading ? this.#readings.meet(reading, end, codes) : end - codes, end);
      const start = reading ? findStart(reading.taken, end, codes) : end - codes;
      const isWhole = start === 0 || endsWordBefore(this.#codeAt(start - 1));
      if (!isWhole && ++tried < WHOLE_WORDS_MAX) continue;
      if (codeAfter === -1) this.#pendingStarts.push(start);
      else return this.covered.add(start, end);
    }
  }

  #settlePending(codeAfter: number): void {
    if (this.#pendingStarts.length === 0) return;
    if (endsWordAfter(codeAfter)) this.covered.add(Math.min(...this.#pendingStarts), this.#at);
    this.#pendingStarts = [];
  }
}
