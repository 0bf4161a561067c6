import type { CoveredDocument, LogLevel, Scrubber, ScrubbedLine, ScrubLines } from "@bulkhead/core";

/** The scrubber for what one attempt tells of its run, which counts what was covered there and nowhere else. */
export class ToldScrubber implements Pick<Scrubber, "text" | "json" | "document" | "lines"> {
  readonly #scrubber: Pick<Scrubber, "text" | "json" | "document" | "lines" | "counts">;
  /** How many of each kind, as in `Scrubber.counts`. */
  readonly #covered = new Map<string, number>();

  constructor(scrubber: Pick<Scrubber, "text" | "json" | "document" | "lines" | "counts">) {
    this.#scrubber = scrubber;
  }

  text(text: string): string {
    return this.#counting(() => this.#scrubber.text(text));
  }

  json(json: string): string {
    return this.#counting(() => this.#scrubber.json(json));
  }

  async document(tenantId: string, json: string): Promise<CoveredDocument | null> {
    const covered = await this.#scrubber.document(tenantId, json);
    for (const [kind, times] of covered?.counts ?? []) this.#add(kind, times);
    return covered;
  }

  lines(): ScrubLines {
    const lines = this.#scrubber.lines();
    const counting = (scrub: () => readonly ScrubbedLine[]) => this.#counting(scrub);
    return {
      push: (...more) => counting(() => lines.push(...more)),
      settle: () => counting(() => lines.settle()),
      end: () => counting(() => lines.end()),
    };
  }

  /** The line of the run's log that says how much was covered; null where nothing was. */
  notice(): { type: "execution.log"; level: LogLevel; text: string } | null {
    const kinds = [...this.#covered].map(([kind, times]) => `${kind} ${times}`);
    if (kinds.length === 0) return null;
    const total = this.#covered.values().reduce((sum, times) => sum + times, 0);
    const held =
      total === 1
        ? "1 value that looks secret or is; it reads"
        : `${total} values that look secret or are; they read`;
    const text = `What this run told held ${held} [REDACTED] (kinds: ${kinds.join(", ")}).`;
    return { type: "execution.log", level: "warn", text };
  }

  /** Others use the scrubber too, but not while this runs. */
  #counting<T>(scrub: () => T): T {
    const before = new Map(this.#scrubber.counts);
    const scrubbed = scrub();
    for (const [kind, times] of this.#scrubber.counts) {
      const more = times - (before.get(kind) ?? 0);
      if (more > 0) this.#add(kind, more);
    }
    return scrubbed;
  }

  #add(kind: string, times: number): void {
    this.#covered.set(kind, (this.#covered.get(kind) ?? 0) + times);
  }
}
