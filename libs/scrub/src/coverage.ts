import { REDACTED } from "@bulkhead/core";

/** Stretches of a text that are covered, in order, apart from each other. Places are counted from the text's start. */
export class Coverage {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get count(): number {
    return this.starts.length;
  }

  /** The end of the last one; -1 if there is none. */
  get end(): number {
    return this.ends.at(-1) ?? -1;
  }

  /** Merges ranges that it overlaps. `end` is no less than that of any before. */
  add(start: number, end: number): void {
    let from = start;
    while (this.end > start) {
      from = Math.min(from, this.starts.pop() ?? from);
      this.ends.pop();
    }
    this.starts.push(from);
    this.ends.push(end);
  }

  /** Nothing from here on is covered, as far as was added. */
  truncate(at: number): void {
    while ((this.starts.at(-1) ?? -1) >= at) {
      this.starts.pop();
      this.ends.pop();
    }
    if (this.end > at) this.ends[this.count - 1] = at;
  }

  /** Adds all ranges of another, which may lie anywhere. */
  merge(other: Coverage): void {
    const all = [this, other].flatMap(({ starts, ends }) =>
      starts.map((start, i) => ({ start, end: ends[i]! })),
    );
    this.starts.length = 0;
    this.ends.length = 0;
    for (const { start, end } of all.sort((a, b) => a.start - b.start))
      this.add(start, Math.max(end, this.end));
  }

  /** Cuts ranges that reach over this place, so that they begin there. */
  clip(from: number): void {
    for (let i = 0; i < this.count; i++)
      if (this.starts[i]! < from && this.ends[i]! > from) this.starts[i] = from;
  }

  /** Drops ranges that end at or before this place. */
  drop(until: number): void {
    const kept = this.ends.findIndex((end) => end > until);
    const gone = kept === -1 ? this.count : kept;
    this.starts.splice(0, gone);
    this.ends.splice(0, gone);
  }

  /**
   * A part of the text, which begins at `base`, with its marks. A range that begins before the part got its mark there.
   */
  apply(part: string, base: number): string {
    let said = "";
    let at = base;
    for (let i = 0; i < this.count; i++) {
      const start = this.starts[i]!;
      const end = this.ends[i]!;
      if (end <= base) continue;
      if (start >= base + part.length) break;
      if (start >= base) said += part.slice(at - base, start - base) + REDACTED;
      at = end;
    }
    return said + part.slice(at - base);
  }

  /** The whole text with its marks; the text itself where nothing is covered. */
  applyTo(text: string): string {
    return this.count === 0 ? text : this.apply(text, 0);
  }
}
