import type { ScrubbedLine, ScrubLines } from "@bulkhead/core";
import { PatternLines } from "./pattern-lines.ts";
import type { ScrubMeans } from "./scrub-string.ts";
import { ValueLines } from "./value-lines.ts";

/** Any text may end with so few characters of a value, which reveal nothing of it. */
const SETTLED_CHARS_MAX = 3;

/** Values and the shapes of tokens across lines, a tenant's patterns within each. */
export class LineStream implements ScrubLines {
  readonly #means: () => ScrubMeans;
  readonly #values: ValueLines;
  readonly #patterns: PatternLines;

  constructor(means: () => ScrubMeans) {
    this.#means = means;
    this.#values = new ValueLines(means);
    this.#patterns = new PatternLines(means);
  }

  push(...lines: string[]): readonly ScrubbedLine[] {
    return this.#goOn(this.#values.push(lines));
  }

  settle(): readonly ScrubbedLine[] {
    return [...this.#goOn(this.#values.settle(SETTLED_CHARS_MAX)), ...this.#patterns.settle()];
  }

  end(): readonly ScrubbedLine[] {
    return [...this.#goOn(this.#values.end()), ...this.#patterns.end()];
  }

  #goOn(lines: readonly ScrubbedLine[]): ScrubbedLine[] {
    const { patterns } = this.#means();
    return this.#patterns.push(lines.map(({ index, text }) => ({ index, text: patterns.cover(text) })));
  }
}
