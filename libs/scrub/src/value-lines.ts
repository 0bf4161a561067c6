import type { ScrubbedLine } from "@bulkhead/core";
import { VALUE } from "./pattern-scan.ts";
import type { ScrubMeans } from "./scrub-string.ts";
import { ToldBeginnings } from "./told-beginnings.ts";
import { ValueScan } from "./value-scan.ts";

/** The position of a line in the text that all lines make together. */
interface Placed {
  index: number;
  start: number;
  end: number;
}

/** Lines read as one text without anything between them, of which exact values are covered. */
export class ValueLines {
  readonly #means: () => ScrubMeans;
  #scan: ValueScan;
  #tables: ScrubMeans["tables"];
  /** From `#base` on: the last released character, and the held text. */
  #known = "";
  #base = 0;
  #held: Placed[] = [];
  #index = 0;
  readonly #beginnings: ToldBeginnings;
  readonly #codeAt = (place: number): number => this.#known.charCodeAt(place - this.#base);

  constructor(means: () => ScrubMeans) {
    this.#means = means;
    this.#tables = means().tables;
    this.#scan = this.#scanFrom(0);
    this.#beginnings = new ToldBeginnings(means().told, this.#codeAt);
  }

  push(lines: readonly string[]): ScrubbedLine[] {
    this.#keepUp();
    let end = this.#base + this.#known.length;
    for (const { length } of lines) {
      this.#held.push({ index: this.#index++, start: end, end: end + length });
      end += length;
    }
    const text = lines.join("");
    this.#known += text;
    this.#scan.readText(text);
    this.#beginnings.read(text, end);
    return this.#letGo(this.#scan.decided);
  }

  /**
   * Releases all lines. Whole words end here; a possible beginning of a told value is covered if it is longer than this.
   */
  settle(charsMax: number): ScrubbedLine[] {
    const end = this.#base + this.#known.length;
    this.#scan.endWords();
    const from = this.#beginnings.findStart(this.#known.slice(this.#heldFrom - this.#base), end);
    if (end - from > charsMax) this.#scan.covered.add(from, end);
    return this.#letGo(end);
  }

  end(): ScrubbedLine[] {
    this.#scan.end();
    return this.#letGo(this.#base + this.#known.length);
  }

  #scanFrom(at: number): ValueScan {
    return new ValueScan(this.#tables, this.#codeAt, at);
  }

  /** The start of the held text. */
  get #heldFrom(): number {
    return this.#held[0]?.start ?? this.#base + this.#known.length;
  }

  /** New needles make the held text be read again. */
  #keepUp(): void {
    const { tables } = this.#means();
    if (tables === this.#tables) return;
    this.#tables = tables;
    const before = this.#scan.covered;
    const from = this.#heldFrom;
    this.#scan = this.#scanFrom(from);
    this.#scan.readText(this.#known.slice(from - this.#base));
    this.#scan.covered.merge(before);
  }

  #letGo(until: number): ScrubbedLine[] {
    const { covered } = this.#scan;
    const free = this.#held.findIndex(({ end }) => end > until);
    const gone = this.#held.splice(0, free === -1 ? this.#held.length : free);
    const lines = gone.map(({ index, start, end }) => ({
      index,
      text: covered.apply(this.#known.slice(start - this.#base, end - this.#base), start),
    }));
    const told = gone.at(-1)?.end;
    if (told === undefined) return lines;
    const from = gone[0]!.start;
    this.#means().count(VALUE, covered.starts.filter((start) => start >= from && start < told).length);
    covered.drop(told);
    const kept = Math.max(this.#base, told - 1);
    this.#known = this.#known.slice(kept - this.#base);
    this.#base = kept;
    return lines;
  }
}
