import { REDACTED } from "@bulkhead/domain";
import { buildAutomaton, step, type Automaton } from "./automaton.ts";
import { Coverage } from "./coverage.ts";
import type { Word } from "./variants.ts";

/** All that finds one set of words. */
export interface ValueTables {
  automaton: Automaton;
  words: readonly Word[];
  /** The state in which a marker has just ended. */
  markerState: number;
  /** Whether some word has digits only. */
  hasNumbers: boolean;
}

export function buildTables(words: readonly Word[]): ValueTables {
  const all = [...words, { text: REDACTED, wholeWordsOnly: false }];
  const automaton = buildAutomaton(all.map((word) => word.text));
  const [markerState = 0] = [...automaton.words].find(([, ids]) => ids.includes(words.length)) ?? [];
  return { automaton, words, markerState, hasNumbers: words.some(({ text }) => /^[\d.e+]+$/.test(text)) };
}

const isWord = (code: number): boolean => /[\p{L}\p{N}_]/u.test(String.fromCharCode(code));
/** A bracket may be a marker's, whose inside may have been part of the word. */
const endsWordBefore = (code: number): boolean => code !== 0x5d && !isWord(code);
const endsWordAfter = (code: number): boolean => code !== 0x5b && !isWord(code);
const NO_CODE = 0x20;

/** Reads one text, in any number of chunks, and knows what of it is covered. Places are counted from the text's start. */
export class ValueScan {
  readonly #tables: ValueTables;
  readonly covered = new Coverage();
  #state = 0;
  #at: number;
  /** Where whole words begin that end where the text ends so far. */
  #pendingStarts: number[] = [];
  readonly #codeAt: (place: number) => number;

  constructor(tables: ValueTables, codeAt: (place: number) => number, at = 0) {
    this.#tables = tables;
    this.#codeAt = codeAt;
    this.#at = at;
  }

  /** Up to here all is decided. */
  get decided(): number {
    return Math.min(this.#at - this.#tables.automaton.depth[this.#state]!, ...this.#pendingStarts);
  }

  readText(text: string, from = 0, to = text.length): void {
    if (from < to) this.#settlePending(text.charCodeAt(from));
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
        state = this.#meet(state, offset + i + 1, i + 1 < to ? text.charCodeAt(i + 1) : -1);
    }
    this.#state = state;
    this.#at = offset + Math.max(from, to);
  }

  readBytes(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#settlePending(bytes[0]!);
    const { automaton } = this.#tables;
    const { classes, classCount, dense, denseCount, ends } = automaton;
    let state = this.#state;
    for (let i = 0; i < bytes.length; i++) {
      const cls = classes[bytes[i]!]!;
      state = state < denseCount ? dense[state * classCount + cls]! : step(automaton, state, cls);
      if (ends[state] === 1) state = this.#meet(state, this.#at + i + 1, bytes[i + 1] ?? -1);
    }
    this.#state = state;
    this.#at += bytes.length;
  }

  /** Nothing follows. */
  end(): void {
    this.#settlePending(NO_CODE);
    this.#state = 0;
  }

  /** Some word ends here; the code after it is -1 where the text goes no further yet. */
  #meet(state: number, end: number, codeAfter: number): number {
    const { automaton, words, markerState } = this.#tables;
    if (state === markerState) {
      this.covered.truncate(end - REDACTED.length);
      return 0;
    }
    for (let at = state; at !== 0; at = automaton.shorter[at]!) {
      const id = automaton.words.get(at)?.[0];
      if (id === undefined) continue;
      const start = end - automaton.depth[at]!;
      if (!words[id]!.wholeWordsOnly) {
        // The longest of its kind: the shorter ones lie inside it.
        this.covered.add(start, end);
        break;
      }
      if (start > 0 && !endsWordBefore(this.#codeAt(start - 1))) continue;
      if (codeAfter === -1) this.#pendingStarts.push(start);
      else if (endsWordAfter(codeAfter)) this.covered.add(start, end);
    }
    return state;
  }

  #settlePending(codeAfter: number): void {
    if (this.#pendingStarts.length === 0) return;
    if (endsWordAfter(codeAfter)) this.covered.add(Math.min(...this.#pendingStarts), this.#at);
    this.#pendingStarts = [];
  }
}
