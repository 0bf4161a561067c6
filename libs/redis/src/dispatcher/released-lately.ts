/** Names kept in one generation; enough for a process's releases between two heartbeats. */
const GENERATION_MAX = 10_000;

/**
 * The attempts that this process released a short while ago: a heartbeat's list of running attempts may be older than a
 * release, and renewing a released attempt would occupy its slot for a whole lease (see `lua/renew.lua`). A name stays for
 * at least one `age()` after the one that follows it, in bounded memory.
 */
export class ReleasedLately {
  #young = new Set<string>();
  #old = new Set<string>();

  add(name: string): void {
    if (this.#young.size >= GENERATION_MAX) this.age();
    this.#young.add(name);
  }

  has(name: string): boolean {
    return this.#young.has(name) || this.#old.has(name);
  }

  age(): void {
    this.#old = this.#young;
    this.#young = new Set();
  }
}
