import type { ScrubbedLine } from "@bulkhead/domain";
import { VALUE, type ScrubMeans } from "./scrub-string.ts";
import { ValueScan } from "./value-scan.ts";

/** Where a line lies in the text that all of them make together. */
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
  /** From `#base` on: the last character that was let go, and what is held. */
  #known = "";
  #base = 0;
  #held: Placed[] = [];
  #index = 0;

  constructor(means: () => ScrubMeans) {
    this.#means = means;
    this.#tables = means().tables;
    this.#scan = this.#scanFrom(0);
  }

  push(line: string): ScrubbedLine[] {
    this.#keepUp();
    const start = this.#base + this.#known.length;
    this.#known += line;
    this.#held.push({ index: this.#index++, start, end: start + line.length });
    this.#scan.readText(line);
    return this.#letGo(this.#scan.decided);
  }

  /** Lets all go. What could still become a value is covered if it is longer than this, where beginnings are. */
  settle(charsMax: number): ScrubbedLine[] {
    const end = this.#base + this.#known.length;
    const { decided } = this.#scan;
    if (this.#means().coversBeginnings && end - decided > charsMax) this.#scan.covered.add(decided, end);
    return this.#letGo(end);
  }

  end(): ScrubbedLine[] {
    this.#scan.end();
    return this.#letGo(this.#base + this.#known.length);
  }

  #scanFrom(at: number): ValueScan {
    return new ValueScan(this.#tables, (place) => this.#known.charCodeAt(place - this.#base), at);
  }

  /** After new needles what is held is read again. */
  #keepUp(): void {
    const { tables } = this.#means();
    if (tables === this.#tables) return;
    this.#tables = tables;
    const before = this.#scan.covered;
    const from = this.#held[0]?.start ?? this.#base + this.#known.length;
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
