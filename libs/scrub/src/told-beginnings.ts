import type { ToldValues } from "./told-values.ts";
import { ValueScan } from "./value-scan.ts";

/** Finds the beginnings of told values at the ends of lines, also of values that continue after a released line. */
export class ToldBeginnings {
  readonly #told: ToldValues | null;
  readonly #codeAt: (place: number) => number;
  /** While something that was let go may still go on. */
  #scan: ValueScan | null = null;

  constructor(told: ToldValues | null, codeAt: (place: number) => number) {
    this.#told = told;
    this.#codeAt = codeAt;
  }

  /** A line behind those that were let go. */
  read(line: string, end: number): void {
    this.#scan?.readText(line);
    this.#forget(end);
  }

  /**
   * The start of the value that the text up to `end` ends in, or `end`. `held` is the end of the text, its only part that
   * matters.
   */
  findStart(held: string, end: number): number {
    if (!this.#told) return end;
    if (!this.#scan) {
      this.#scan = new ValueScan(this.#told.tables, this.#codeAt, end - held.length);
      this.#scan.readText(held);
    }
    const { unbegun } = this.#scan;
    this.#forget(end);
    return unbegun;
  }

  #forget(end: number): void {
    if (this.#scan?.decided === end) this.#scan = null;
  }
}
