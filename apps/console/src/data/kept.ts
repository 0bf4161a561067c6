type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** What the browser keeps for the console. It never fails: what the browser won't keep lasts as long as the page. */
export class Kept {
  readonly #open: () => Store;
  readonly #whilePageLasts = new Map<string, string>();
  readonly #ended = new Set<string>();
  #tenant: string | null = null;
  #tellRefused: (() => void) | null = null;

  /** Where a browser forbids its store, opening it throws. */
  constructor(open: () => Store) {
    this.#open = open;
  }

  read(key: string): string | null {
    return this.#whilePageLasts.get(key) ?? this.#tried(() => this.#open().getItem(PREFIX + key)) ?? null;
  }

  /** What a person chose or wrote. False where the browser, whose store is full or forbidden, keeps it no longer than the page. */
  keep(key: string, value: string): boolean {
    const isKept = this.note(key, value);
    if (!isKept) {
      this.#tellRefused?.();
      this.#tellRefused = null;
    }
    return isKept;
  }

  /** The same for what the page notes for itself: nobody is told where the browser refuses it. */
  note(key: string, value: string): boolean {
    const isKept = this.#tried(() => (this.#open().setItem(PREFIX + key, value), true)) ?? false;
    if (isKept) this.#whilePageLasts.delete(key);
    else this.#whilePageLasts.set(key, value);
    return isKept;
  }

  forget(key: string): void {
    this.#whilePageLasts.delete(key);
    this.#tried(() => this.#open().removeItem(PREFIX + key));
  }

  /** What a tenant's people keep, as drafts; it goes when they log out. Nothing is kept so while nobody is in. */
  readOwn(key: string): string | null {
    return this.#tenant === null ? null : this.read(ownKey(this.#tenant, key));
  }

  keepOwn(key: string, value: string): boolean {
    if (this.#tenant === null) return false;
    const own = ownKey(this.#tenant, key);
    return !this.#ended.has(own) && this.keep(own, value);
  }

  forgetOwn(key: string): void {
    if (this.#tenant !== null) this.forget(ownKey(this.#tenant, key));
  }

  /** Forgets it for good: what it belonged to is gone, so a page that is open yet keeps no more of it. */
  endOwn(key: string): void {
    if (this.#tenant !== null) this.#ended.add(ownKey(this.#tenant, key));
    this.forgetOwn(key);
  }

  /** Somebody of the tenant is in. They stay so when their session is over: they find what they kept when they come back. */
  enter(tenant: string): void {
    this.#tenant = tenant;
  }

  /** They went: forgets what they kept, and keeps nothing more of theirs, whatever a page that closes still wants to keep. */
  leave(): void {
    if (this.#tenant === null) return;
    const own = ownKey(this.#tenant, "");
    this.#tenant = null;
    for (const key of [...this.#whilePageLasts.keys(), ...this.#keys()])
      if (key.startsWith(own)) this.forget(key);
  }

  /** Tells, once, that the browser refused something; whoever listens says so to the person. */
  onRefused(tell: () => void): void {
    this.#tellRefused = tell;
  }

  #keys(): string[] {
    const keys = this.#tried(() => {
      const store = this.#open();
      return Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
    });
    return (keys ?? []).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
  }

  #tried<T>(ask: () => T): T | null {
    try {
      return ask();
    } catch {
      // Full, or forbidden by the browser's settings: the page lives without it, and `keep` answers so.
      return null;
    }
  }
}

/** What is written on a tool, or on a new one, is kept by this key; whoever sees that the tool is gone ends it. */
export const draftKey = (toolId: string | null): string => `draft.${toolId ?? "new"}`;

const PREFIX = "bulkhead.";
const ownKey = (tenant: string, key: string): string => `of.${tenant}.${key}`;

export const kept = new Kept(() => localStorage);
