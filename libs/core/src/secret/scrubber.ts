/** A value that must not leave, in all its encodings. */
export interface Needle {
  value: string;
  /** Covered only where it stands as a whole word: short and common values would cover half of every text. */
  wholeWordsOnly: boolean;
}

/**
 * A needle whose value the run's code, or a caller's, knows. It is also covered in part if it was cut off. Other needles,
 * such as a placeholder's value or a scrub rule's, are not: code that never saw the value would find it letter by letter,
 * by which of its guesses are covered.
 */
export interface ToldNeedle extends Needle {
  isTold: true;
}

/** A pattern of a tenant's own, as it was checked at registration. */
export interface ScrubPattern {
  name: string;
  /** The source of a regular expression without lookaround, back-references and anchors. */
  source: string;
}

/** One stream of text or bytes: a value that is split over any number of chunks is covered. */
export interface ScrubStream<T> {
  /** Returns the text that may leave by now: all but the longest end that could still become a match. */
  push(chunk: T): T;
  /** The rest. The stream takes nothing more. */
  end(): T;
}

/** One stream of lines, in which a line may continue the text of the one before. */
export interface ScrubLines {
  /**
   * The lines that may leave by now, in order, each with the index it was pushed as, counted from 0. Many at a time cost less
   * than one after the other.
   */
  push(...lines: string[]): readonly ScrubbedLine[];
  /**
   * Releases the held lines, which can wait no longer or whose text was cut off here. A token or a told value that begins
   * at their end is covered as far as it goes, unless the beginning is so short that any text might end with it. The
   * stream goes on.
   */
  settle(): readonly ScrubbedLine[];
  end(): readonly ScrubbedLine[];
}

export interface ScrubbedLine {
  index: number;
  text: string;
}

export interface CoveredDocument {
  json: string;
  /** As in `Scrubber.counts`. */
  counts: ReadonlyMap<string, number>;
}

/** Keeps secrets out of everything that one execution lets out. Matches become `[REDACTED]`. */
export interface Scrubber {
  /** Also covers these from here on, but only whole values: a run gets its values before it begins. */
  add(needles: readonly Needle[]): void;
  text(text: string): string;
  /** JSON text of the same shape: keys, numbers and structure survive, and it stays valid. */
  json(json: string): string;
  /**
   * JSON text as `json` covers it, done off the main thread, with its counts; null for a text that is no JSON or nests
   * deeper than a sandbox's values may. Rejects with `service.unavailable` if it could not be done.
   */
  document(tenantId: string, json: string): Promise<CoveredDocument | null>;
  lines(): ScrubLines;
  /** Exact values only, in all their encodings: for an upstream's answers to the tool. */
  bytes(): ScrubStream<Uint8Array>;
  /** How many matches of each kind there were; `value` for exact values, else the pattern's name. Never values. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface ScrubberOpening {
  /** A `ToldNeedle` that was cut off is covered as far as it goes; other needles are only covered whole. */
  needles: readonly (Needle | ToldNeedle)[];
  patterns: readonly ScrubPattern[];
}

/** Builds scrubbers; those in use at a time share the tables of the same needles. */
export interface Scrubbers {
  open(opening: ScrubberOpening): Scrubber;
}
