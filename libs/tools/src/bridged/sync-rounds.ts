import type { McpServerMark } from "@bulkhead/core";
import { ROUNDS_MAX, ROUNDS_MS } from "./plan-sync.ts";

/** Servers that are remembered; of more than these the one that is noted longest ago is forgotten. */
const SERVERS_MAX = 10_000;

/** One look at what a server offers, however often it is tried. */
export interface SyncLook {
  /** The server has had its rounds of the hour. */
  readonly isRestless: boolean;
  /** The look is a round: it counts as one. */
  note(): void;
}

/**
 * How often the tools of servers have come, changed or come back within the present hour of each. Kept by this process alone:
 * it bounds how fast a server fills the audit log, and one process holds a connection.
 */
export class SyncRounds {
  readonly #hours = new Map<string, { since: number; rounds: number }>();

  look(server: McpServerMark, now: Date): SyncLook {
    const id = idOf(server);
    const hour = this.#hours.get(id);
    let isNoted = false;
    return {
      isRestless: hour !== undefined && hour.rounds >= ROUNDS_MAX && !isOver(hour, now),
      note: () => {
        if (!isNoted) this.#note(id, now);
        isNoted = true;
      },
    };
  }

  #note(id: string, now: Date): void {
    const before = this.#hours.get(id);
    const isNew = before === undefined || isOver(before, now);
    const hour = isNew ? { since: now.getTime(), rounds: 0 } : before;
    hour.rounds += 1;
    // Behind the others, of which the first one goes.
    this.#hours.delete(id);
    this.#hours.set(id, hour);
    const [oldest] = this.#hours.size > SERVERS_MAX ? this.#hours.keys() : [];
    if (oldest !== undefined) this.#hours.delete(oldest);
  }
}

const idOf = ({ tenantId, name, createdAt }: McpServerMark): string =>
  JSON.stringify([tenantId, name, createdAt.getTime()]);

const isOver = ({ since }: { since: number }, now: Date): boolean => now.getTime() - since >= ROUNDS_MS;
