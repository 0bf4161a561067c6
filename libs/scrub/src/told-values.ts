import type { Needle, ScrubberOpening, ToldNeedle } from "@bulkhead/core";
import { ValuePieces } from "./cut-excerpts.ts";
import type { TableCache } from "./table-cache.ts";
import type { ValueTables } from "./value-scan.ts";

const isTold = (needle: Needle | ToldNeedle): needle is ToldNeedle => "isTold" in needle && needle.isTold;

/** The values that a run's code was given: only these are also covered in part. Every cover of a part uses this list. */
export class ToldValues {
  readonly pieces: ValuePieces;
  readonly #needles: readonly ToldNeedle[];
  readonly #cache: TableCache;
  #tables: ValueTables | null = null;

  /** Null where there are none. */
  static of({ needles }: ScrubberOpening, cache: TableCache): ToldValues | null {
    const told = needles.filter(isTold);
    return told.length === 0 ? null : new ToldValues(told, cache);
  }

  private constructor(needles: readonly ToldNeedle[], cache: TableCache) {
    this.#needles = needles;
    this.#cache = cache;
    this.pieces = new ValuePieces(needles);
  }

  /**
   * Built when a line ends within a possible value, which is rare. The scrubber's own tables if all its values are told.
   */
  get tables(): ValueTables {
    return (this.#tables ??= this.#cache.get(this.#needles));
  }
}
