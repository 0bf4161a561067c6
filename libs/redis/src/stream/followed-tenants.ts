import * as names from "./tenant-events-names.ts";

/** The tenants that somebody follows, in any process, as far as they were named lately. One look is one look into a map. */
export class FollowedTenants {
  readonly #now: () => number;
  readonly #until = new Map<string, number>();

  /** `now` is a clock that never goes back, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  has(tenantId: string): boolean {
    const until = this.#until.get(tenantId);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#until.delete(tenantId);
    return false;
  }

  /** Takes an announcement; one that is none, or too long, names nobody. */
  hear(text: string): void {
    if (text.length > names.ANNOUNCED_CHARS_MAX) return;
    const until = this.#now() + names.FOLLOWED_MS;
    for (const tenantId of text.split(" ").slice(0, names.ANNOUNCED_TENANTS_MAX)) {
      // The map is in the order of naming.
      this.#until.delete(tenantId);
      this.#until.set(tenantId, until);
    }
    for (const tenantId of this.#until.keys()) {
      if (this.#until.size <= names.FOLLOWED_TENANTS_MAX) return;
      this.#until.delete(tenantId);
    }
  }
}

/** The announcements of these tenants. */
export function* announcementsOf(tenantIds: Iterable<string>): Generator<string> {
  const all = [...tenantIds];
  for (let from = 0; from < all.length; from += names.ANNOUNCED_TENANTS_MAX)
    yield all.slice(from, from + names.ANNOUNCED_TENANTS_MAX).join(" ");
}
