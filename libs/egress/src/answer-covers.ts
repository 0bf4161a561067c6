import {
  allowsHost,
  type HeldSecret,
  type PlacedSecret,
  type Scrubber,
  type Scrubbers,
} from "@bulkhead/core";
import type { Cover } from "./cover-response.ts";
import type { Target } from "./parse-target.ts";

/**
 * Covers each host's answers: of the secrets that the host may know, and of no other. A host that can't know a secret
 * could otherwise find it letter by letter, by which of its guesses are covered or held back.
 */
export class AnswerCovers {
  readonly #scrubbers: Pick<Scrubbers, "open">;
  readonly #placed: readonly PlacedSecret[];
  /** Keyed by the placeholders of the covered secrets. */
  readonly #opened = new Map<string, Pick<Scrubber, "bytes" | "counts">>();

  constructor(scrubbers: Pick<Scrubbers, "open">, placed: readonly PlacedSecret[]) {
    this.#scrubbers = scrubbers;
    this.#placed = placed;
  }

  /** Null for a host that may know none: its answers pass unchanged, and at once. */
  of(target: Pick<Target, "host" | "port">): Cover | null {
    const known = this.#knownTo(target);
    if (known.length === 0) return null;
    const key = known.map(({ placeholder }) => placeholder).join();
    const cover = this.#opened.get(key) ?? this.#open(known);
    this.#opened.set(key, cover);
    return cover;
  }

  /** One of the secrets that the host may know and its answers are covered of; null if it may know none. */
  someSecretOf(target: Pick<Target, "host" | "port">): HeldSecret | null {
    return this.#knownTo(target)[0]?.secret ?? null;
  }

  /** How many matches of each kind there were in all answers so far, as in `Scrubber.counts`. */
  get counts(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const { counts } of this.#opened.values())
      for (const [kind, times] of counts) all.set(kind, (all.get(kind) ?? 0) + times);
    return all;
  }

  #knownTo({ host, port }: Pick<Target, "host" | "port">): PlacedSecret[] {
    return this.#placed.filter(({ secret }) => allowsHost(secret.hosts, host, port));
  }

  #open(known: readonly PlacedSecret[]) {
    const needles = known.map(({ secret: { value, wholeWordsOnly } }) => ({ value, wholeWordsOnly }));
    return this.#scrubbers.open({ needles, patterns: [] });
  }
}
