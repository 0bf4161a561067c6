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

/** A loaded value, and the names under which it can be revoked. */
export interface Loaded<V> {
  value: V;
  tags: string[];
}

/**
 * Remembers what was loaded until its time is over or one of its tags is revoked. What is absent is never
 * remembered, and a load that a revocation of its own overtook is handed out once but not kept.
 */
export class RevocableCache<V extends object> {
  readonly #entries: LRUCache<string, Loaded<V>>;
  readonly #trusted: () => boolean;
  /** The keys of the entries that carry a tag: a revocation costs what it revokes, however much else is remembered. */
  readonly #tagged = new Map<string, Set<string>>();
  /** The tags that were revoked while each load is under way. */
  readonly #loads = new Set<Set<string>>();
  #revocations = 0;

  constructor({ entriesMax, ttlMs, trusted, weight }: RevocableCacheOptions<V>) {
    const weighed = weight && {
      maxSize: weight.max,
      sizeCalculation: ({ value }: Loaded<V>, key: string) => weight.of(key, value),
      ttlAutopurge: true,
    };
    const dispose = (loaded: Loaded<V>, key: string) => this.#untag(loaded, key);
    this.#entries = new LRUCache({ max: entriesMax, ttl: ttlMs, dispose, ...weighed });
    this.#trusted = trusted;
  }

  /** How many revocations there were: what was got at the same number is as it would be got now. */
  get revision(): number {
    return this.#revocations;
  }

  async get(key: string, load: () => Promise<Loaded<V> | null>): Promise<V | null> {
    const known = this.#trusted() ? this.#entries.get(key) : undefined;
    if (known) return known.value;
    const revoked = new Set<string>();
    this.#loads.add(revoked);
    try {
      const loaded = await load();
      if (loaded && this.#isCurrent(loaded, revoked)) this.#keep(key, loaded);
      return loaded?.value ?? null;
    } finally {
      this.#loads.delete(revoked);
    }
  }

  /** Forgets every entry that carries the tag. */
  revoke(tag: string): void {
    this.#revocations += 1;
    for (const revoked of this.#loads) revoked.add(tag);
    // Deleting an entry removes it from the set while the set is walked.
    for (const key of this.#tagged.get(tag) ?? []) this.#entries.delete(key);
  }

  /** Forgets everything, what is still being loaded too. */
  clear(): void {
    this.#revocations += 1;
    this.#loads.clear();
    this.#entries.clear();
  }

  #isCurrent({ tags }: Loaded<V>, revoked: Set<string>): boolean {
    return this.#trusted() && this.#loads.has(revoked) && !tags.some((tag) => revoked.has(tag));
  }

  #keep(key: string, loaded: Loaded<V>): void {
    this.#entries.set(key, loaded);
    // A value that weighs more than all entries may is not kept.
    if (!this.#entries.has(key)) return;
    for (const tag of loaded.tags) {
      const keys = this.#tagged.get(tag);
      if (keys) keys.add(key);
      else this.#tagged.set(tag, new Set([key]));
    }
  }

  #untag({ tags }: Loaded<V>, key: string): void {
    for (const tag of tags) {
      const keys = this.#tagged.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#tagged.delete(tag);
    }
  }
}
