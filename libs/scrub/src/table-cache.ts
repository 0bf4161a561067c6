import type { Needle } from "@bulkhead/core";
import { createHmac, randomBytes } from "node:crypto";
import { buildTables, type ValueTables } from "./value-scan.ts";
import { listWords } from "./variants.ts";

const ENTRIES_MAX = 256;
/** Most runs have no secrets: their table needs no key to be found by. */
const NO_TABLES = buildTables([]);

/**
 * Tables of needles, built once for as long as some scrubber uses them. They spell the secrets, so the cache itself keeps
 * none alive; and it knows them by a digest under a key of this process, since a value must not be a key in a map either.
 */
export class TableCache {
  readonly #key = randomBytes(32);
  readonly #tables = new Map<string, WeakRef<ValueTables>>();

  get(needles: readonly Needle[]): ValueTables {
    if (needles.length === 0) return NO_TABLES;
    const told = needles.map(({ value, wholeWordsOnly }) => JSON.stringify([value, wholeWordsOnly]));
    const key = createHmac("sha256", this.#key).update(told.sort().join("\n")).digest("base64");
    const known = this.#tables.get(key)?.deref();
    if (known) return known;
    const built = buildTables(listWords(needles));
    const [oldest] = this.#tables.keys();
    if (oldest !== undefined && this.#tables.size >= ENTRIES_MAX) this.#tables.delete(oldest);
    this.#tables.set(key, new WeakRef(built));
    return built;
  }
}
