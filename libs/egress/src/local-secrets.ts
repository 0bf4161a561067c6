import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { HeldSecret, PlacedSecret, Scrubber, Scrubbers, ScrubStream } from "@bulkhead/core";

export const VALUE = "s3cr&t value/=1";

/** A secret that may be sent to this machine, and its placeholder. */
export function placeSecret(change: Partial<HeldSecret> = {}): PlacedSecret {
  const secret = {
    service: "weather",
    entry: "main",
    field: "api_key",
    value: VALUE,
    hosts: ["127.0.0.1"],
    revealed: false,
    inBody: false,
    wholeWordsOnly: false,
    ...change,
  };
  return { placeholder: `bhs_${randomBytes(24).toString("hex")}`, secret };
}

const unasked = (): never => assert.fail("only bytes are covered here");
/** The rest of a scrubber, which these tests never call. */
const COVERS_NO_MORE: Omit<Scrubber, "bytes" | "counts"> = {
  add: unasked,
  text: unasked,
  json: unasked,
  document: unasked,
  lines: unasked,
};

/** Scrubbers for tests: they cover the values as they are and as a URL writes them, in whatever chunks. */
export const plainScrubbers: Pick<Scrubbers, "open"> = {
  open: ({ needles }) => {
    const counts = new Map<string, number>();
    const count = (times: number) => times > 0 && counts.set("value", (counts.get("value") ?? 0) + times);
    const texts = needles.flatMap(({ value }) => [value, encodeURIComponent(value)]);
    return { ...COVERS_NO_MORE, counts, bytes: () => new PlainStream(texts, count) };
  },
};

class PlainStream implements ScrubStream<Uint8Array> {
  readonly #needles: readonly string[];
  readonly #count: (times: number) => void;
  #held = "";

  constructor(needles: readonly string[], count: (times: number) => void) {
    this.#count = count;
    this.#needles = needles.map((needle) => Buffer.from(needle).toString("latin1"));
  }

  push(chunk: Uint8Array): Uint8Array {
    this.#held += Buffer.from(chunk).toString("latin1");
    for (const needle of this.#needles) {
      const parts = this.#held.split(needle);
      this.#count(parts.length - 1);
      this.#held = parts.join("[REDACTED]");
    }
    const longest = Math.max(...this.#needles.map((needle) => this.#endOf(needle)));
    const out = this.#held.slice(0, this.#held.length - longest);
    this.#held = this.#held.slice(out.length);
    return Buffer.from(out, "latin1");
  }

  end(): Uint8Array {
    return Buffer.from(this.#held, "latin1");
  }

  /** How much of its end is the start of a needle. */
  #endOf(needle: string): number {
    for (let length = needle.length - 1; length > 0; length -= 1)
      if (this.#held.endsWith(needle.slice(0, length))) return length;
    return 0;
  }
}
