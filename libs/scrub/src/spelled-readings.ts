import { step, type Automaton } from "./automaton.ts";
import { appendTaken, copyFrom, findStart, readCodesAt, type Taken } from "./taken-escapes.ts";

/** One reading of the text: as it stands, except for the escapes taken. */
export interface Reading {
  state: number;
  taken: Taken;
  /** The last code that the last escape says. */
  lastSaid: number;
  /** The last stretch that words take, in codes that are read, and where it begins in the text. */
  metFrom: number;
  metTo: number;
  metStart: number;
}

/**
 * A text and words with more readings at a time are crafted, or hold backslashes in many words. Of those, half are the
 * longest beginnings of words, which leave most escapes as they stand; the others begin first and have the fewest codes,
 * which take most escapes.
 */
const READINGS_MAX = 8;
const NOT_MET = { metFrom: 0, metTo: 0, metStart: 0 };
/** So many escapes are taken before those that no word reaches back to are forgotten. */
const TAKEN_MIN = 1_024;

/**
 * The readings of a text other than as it stands, as long as each holds the beginning of a word that an escape is part of.
 * Each escape may be taken or not, so that a match depends on nothing around it. A code costs each reading a step, which
 * is logarithmic in the longest word; so does the look-up of a position.
 */
export class SpelledReadings {
  readonly #automaton: Automaton;
  readonly #live: Reading[] = [];
  readonly #met: Reading[] = [];
  /** Readings whose last escape has not ended yet. */
  readonly #coming: Reading[] = [];
  /** The end of the first of those. */
  #comesAt = Infinity;
  /** How many escapes were taken since some were forgotten, and at how many that is done again. */
  #taken = 0;
  #takenMax = TAKEN_MIN;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  get areNone(): boolean {
    return this.#live.length === 0 && this.#coming.length === 0;
  }

  /** The earliest beginning of a word that one of them holds; Infinity if there is none. */
  firstStart(at: number): number {
    let first = Infinity;
    for (const reading of this.#live) first = Math.min(first, this.#startOf(reading, at));
    for (const reading of this.#coming) first = Math.min(first, this.#startOf(reading, reading.taken.to));
    return first;
  }

  clear(): void {
    this.#live.length = 0;
    this.#coming.length = 0;
    this.#comesAt = Infinity;
  }

  /**
   * Takes this escape too, which begins here and stands for so many units, in the text as it stands and in each reading.
   */
  take(chars: number, said: readonly number[], at: number, plainState: number): void {
    if (this.#taken >= this.#takenMax) this.#forget(at);
    const count = this.#coming.length;
    const to = at + chars;
    let shortest = 0;
    if (!this.#isRead(at, this.#automaton.depth[plainState]!))
      shortest = this.#takeFrom(plainState, null, said, at, to);
    for (const reading of this.#live)
      shortest = this.#takeFrom(reading.state, reading, said, at, to) || shortest;
    // All readings that begin with this escape are one, and every longer one ends with it.
    if (this.#coming.length === count && shortest !== 0)
      this.#come(shortest, null, appendTaken(null, at, to, said.length), said.at(-1)!);
  }

  /** Reads one code, up to `at`. Returns the readings in which a word ends there; valid until the next call. */
  read(code: number, at: number): readonly Reading[] {
    const automaton = this.#automaton;
    const { depth, ends, classes } = automaton;
    const live = this.#live;
    const met = this.#met;
    met.length = 0;
    const cls = code < classes.length ? classes[code]! : 0;
    let alive = 0;
    // No word has the code: none goes on.
    const count = cls === 0 ? 0 : live.length;
    for (let i = 0; i < count; i++) {
      const reading = live[i]!;
      const state = step(automaton, reading.state, cls);
      // A word that began after the last escape stands in the text as it is.
      if (depth[state]! <= at - reading.taken.to) continue;
      reading.state = state;
      live[alive++] = reading;
    }
    live.length = alive;
    if (this.#comesAt === at) this.#arrive(at);
    for (let i = 0; i < live.length; i++) if (ends[live[i]!.state] === 1) met.push(live[i]!);
    return met;
  }

  /**
   * Whether the last so many codes of the text as it stands are in a reading too: then that reading finds words from here.
   */
  #isRead(at: number, codes: number): boolean {
    for (const { taken } of this.#live) if (at - taken.to >= codes) return true;
    return false;
  }

  /** The state after the escape where that holds nothing before it, else 0. */
  #takeFrom(from: number, source: Reading | null, said: readonly number[], at: number, to: number): number {
    const { length } = said;
    let state = from;
    for (let i = 0; i < length; i++) state = this.#next(state, said[i]!);
    if (this.#automaton.depth[state]! <= length) return state;
    this.#come(state, source, appendTaken(source && source.taken, at, to, length), said[length - 1]!);
    return 0;
  }

  #come(state: number, source: Reading | null, taken: Taken, lastSaid: number): void {
    const { metFrom, metTo, metStart } = source ?? NOT_MET;
    this.#coming.push({ state, taken, lastSaid, metFrom, metTo, metStart });
    if (taken.to < this.#comesAt) this.#comesAt = taken.to;
    this.#taken++;
  }

  #next(state: number, code: number): number {
    const { classes } = this.#automaton;
    const cls = code < classes.length ? classes[code]! : 0;
    return cls === 0 ? 0 : step(this.#automaton, state, cls);
  }

  /**
   * The start of a word of so many codes that ends here, or the start of an earlier stretch of words that it overlaps:
   * words that overlap many times cost one look-up.
   */
  meet(reading: Reading, at: number, codes: number): number {
    const to = readCodesAt(reading.taken, at);
    const from = to - codes;
    if (from < reading.metFrom || from >= reading.metTo) {
      reading.metFrom = from;
      reading.metStart = findStart(reading.taken, at, codes);
    }
    reading.metTo = to;
    return reading.metStart;
  }

  #startOf({ state, taken }: Reading, at: number): number {
    return findStart(taken, at, this.#automaton.depth[state]!);
  }

  #arrive(at: number): void {
    const coming = this.#coming;
    let left = 0;
    this.#comesAt = Infinity;
    for (const reading of coming) {
      const { to } = reading.taken;
      if (to !== at) {
        coming[left++] = reading;
        this.#comesAt = Math.min(this.#comesAt, to);
        continue;
      }
      this.#join(reading, at);
    }
    coming.length = left;
    if (this.#live.length > READINGS_MAX) this.#keepFew(at);
  }

  #keepFew(at: number): void {
    const { depth } = this.#automaton;
    const live = this.#live.sort((a, b) => depth[b.state]! - depth[a.state]!);
    const others = live
      .splice(READINGS_MAX / 2)
      .map((reading) => ({ reading, start: this.#startOf(reading, at) }));
    others.sort((a, b) => a.start - b.start || depth[a.reading.state]! - depth[b.reading.state]!);
    for (const { reading } of others.slice(0, READINGS_MAX / 2)) live.push(reading);
  }

  /** Keeps the earliest one of equal readings; drops a reading of one letter with which another one ends. */
  #join(reading: Reading, at: number): void {
    const { state, taken, lastSaid } = reading;
    const isLetter = this.#automaton.depth[state] === 1;
    const live = this.#live;
    for (let i = 0; i < live.length; i++) {
      const other = live[i]!;
      if (other.state === state) {
        if (this.#startOf(reading, at) < this.#startOf(other, at)) live[i] = reading;
        return;
      }
      if (isLetter && other.taken.to === at && other.lastSaid === lastSaid && other.taken.from <= taken.from)
        return;
    }
    live.push(reading);
  }

  #forget(at: number): void {
    const readings = [...this.#live, ...this.#coming];
    const { copy, copied } = copyFrom(this.firstStart(at));
    for (const reading of readings) reading.taken = copy(reading.taken);
    this.#taken = 0;
    this.#takenMax = TAKEN_MIN + 8 * copied();
  }
}
