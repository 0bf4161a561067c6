import { LRUCache } from "lru-cache";

export interface RevocableCacheOptions<V = object> {
  entriesMax: number;
  /** How long an entry may be believed when no word of a change arrives; milliseconds. */
  ttlMs: number;
  /** False while words of a change may be missed: then nothing is believed and everything is loaded. */
  trusted: () => boolean;
  /** Bounds what all entries together weigh; each is let go of when its time is over, asked for or not. */
  weight?: { max: number; of: (key: string, value: V) => number };
}

/** What a load answers: the value, and the names under which it can be revoked. */
export interface Loaded<V> {
  value: V;
  tags: string[];
}

/**
 * Remembers what was loaded until its time is over or one of its tags is revoked. What is absent is never
 * remembered, and a load that a revocation overtook is handed out once but not kept.
 */
export class RevocableCache<V extends object> {
  readonly #entries: LRUCache<string, Loaded<V>>;
  readonly #trusted: () => boolean;
  #revocations = 0;

  constructor({ entriesMax, ttlMs, trusted, weight }: RevocableCacheOptions<V>) {
    const weighed = weight && {
      maxSize: weight.max,
      sizeCalculation: ({ value }: Loaded<V>, key: string) => weight.of(key, value),
      ttlAutopurge: true,
    };
    this.#entries = new LRUCache({ max: entriesMax, ttl: ttlMs, ...weighed });
    this.#trusted = trusted;
  }

  /** How many revocations there were: what was got at the same number is as it would be got now. */
  get revision(): number {
    return this.#revocations;
  }

  async get(key: string, load: () => Promise<Loaded<V> | null>): Promise<V | null> {
    const known = this.#trusted() ? this.#entries.get(key) : undefined;
    if (known) return known.value;
    const revocationsBefore = this.#revocations;
    const loaded = await load();
    if (loaded && revocationsBefore === this.#revocations && this.#trusted()) this.#entries.set(key, loaded);
    return loaded?.value ?? null;
  }

  /** Forgets every entry that carries the tag. Walks all entries: changes are rare, look-ups are not. */
  revoke(tag: string): void {
    this.#revocations += 1;
    for (const [key, { tags }] of this.#entries.entries()) if (tags.includes(tag)) this.#entries.delete(key);
  }

  /** Forgets everything; for the moment at which words of a change may have been missed. */
  clear(): void {
    this.#revocations += 1;
    this.#entries.clear();
  }
}
