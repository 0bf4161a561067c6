import { REDACTED, type ScrubStream } from "@bulkhead/core";
import { VALUE } from "./pattern-scan.ts";
import type { ScrubMeans } from "./scrub-string.ts";
import { ValueScan } from "./value-scan.ts";

const MARK = Buffer.from(REDACTED);

/** Bytes of which only exact values are covered. Holds back no more than the longest live beginning of one. */
export class ByteStream implements ScrubStream<Uint8Array> {
  readonly #means: () => ScrubMeans;
  #scan: ValueScan;
  #tables: ScrubMeans["tables"];
  /** The last released byte, if any, and the held bytes; it begins at `#base`. */
  #known: Buffer = Buffer.alloc(0);
  #base = 0;
  #told = 0;

  constructor(means: () => ScrubMeans) {
    this.#means = means;
    this.#tables = means().tables;
    this.#scan = this.#scanFrom(0);
  }

  push(chunk: Uint8Array): Uint8Array {
    this.#keepUp();
    this.#known = Buffer.concat([this.#known, chunk]);
    this.#scan.readBytes(chunk);
    return this.#letGo(this.#scan.decided);
  }

  end(): Uint8Array {
    this.#scan.end();
    return this.#letGo(this.#base + this.#known.length);
  }

  #scanFrom(at: number): ValueScan {
    return new ValueScan(this.#tables, (place) => this.#known[place - this.#base] ?? 0, at);
  }

  /** New needles make the held bytes be read again. */
  #keepUp(): void {
    const { tables } = this.#means();
    if (tables === this.#tables) return;
    this.#tables = tables;
    const before = this.#scan.covered;
    this.#scan = this.#scanFrom(this.#told);
    this.#scan.readBytes(this.#known.subarray(this.#told - this.#base));
    this.#scan.covered.merge(before);
  }

  #letGo(until: number): Uint8Array {
    const { covered } = this.#scan;
    const said: Uint8Array[] = [];
    let at = this.#told;
    for (const [i, start] of covered.starts.entries()) {
      if (start >= until) break;
      if (start >= this.#told) {
        said.push(this.#known.subarray(at - this.#base, start - this.#base), MARK);
        this.#means().count(VALUE, 1);
      }
      at = Math.min(covered.ends[i]!, until);
    }
    if (at < until) said.push(this.#known.subarray(at - this.#base, until - this.#base));
    this.#told = until;
    covered.drop(until);
    const kept = Math.max(this.#base, until - 1);
    this.#known = this.#known.subarray(kept - this.#base);
    this.#base = kept;
    return Buffer.concat(said);
  }
}
