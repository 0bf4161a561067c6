import type { Address } from "./address.ts";
import { CONNECTIONS_MAX, ORIGIN_CONNECTIONS_MAX, TENANT_CONNECTIONS_MAX } from "./bounds.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";

/** The connection that a request needs. */
export interface Wanted {
  tenantId: string;
  origin: string;
  /** The addresses that were checked for this request. */
  addresses: readonly Address[];
  /** Excludes used connections, because the last of those was lost. */
  fresh: boolean;
}

/** How many connections there may be; kept ones give way, others are waited for. */
export interface PoolBounds {
  origin: number;
  tenant: number;
  all: number;
}

const BOUNDS: PoolBounds = {
  origin: ORIGIN_CONNECTIONS_MAX,
  tenant: TENANT_CONNECTIONS_MAX,
  all: CONNECTIONS_MAX,
};

/** All connections of the broker. Each belongs to one tenant for its life; a request gets one to itself. */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #bounds: PoolBounds;
  /** The tenant that asked last stands last. */
  readonly #tenants = new Map<string, TenantConnections>();
  readonly #waiting = new Set<() => void>();
  #count = 0;
  #closed = false;

  constructor(options: ConnectionOptions, bounds = BOUNDS) {
    this.#options = options;
    this.#bounds = bounds;
  }

  /** A kept connection to one of the addresses, or a new one; waits for its turn at the bounds. Rejects with the signal's reason. */
  async lend(wanted: Wanted, signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted();
      const connection = this.#take(wanted);
      if (connection) return connection;
      await this.#change(signal);
    }
  }

  /** Takes a lent connection back, to keep it where the answer was read to its end, else to end it. */
  giveBack(tenantId: string, connection: Connection, reusable: boolean): void {
    const own = this.#tenants.get(tenantId);
    if (reusable && !this.#closed && connection.isOpen) own?.keep(connection);
    else this.#drop(tenantId, connection);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#tenants.values()].flatMap((own) => [...own.all]);
    this.#tenants.clear();
    await Promise.all(all.map((connection) => connection.close()));
  }

  #take(wanted: Wanted): Connection | null {
    const { tenantId, origin, addresses, fresh } = wanted;
    const own = this.#tenants.get(tenantId) ?? new TenantConnections();
    const kept = fresh ? null : own.takeKept(origin, addresses);
    if (!kept && !this.#makeRoom(tenantId, own, origin)) return null;
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, own);
    if (kept) return kept;
    const connection: Connection = new Connection(origin, this.#options, () => {
      // Its user gives back a connection in use, and may still be reading.
      if (own.isKept(connection)) this.#drop(tenantId, connection);
    });
    own.all.add(connection);
    this.#count += 1;
    return connection;
  }

  #makeRoom(tenantId: string, own: TenantConnections, origin: string): boolean {
    if (own.countTo(origin) >= this.#bounds.origin && !this.#dropKept(tenantId, own.oldestKept(origin)))
      return false;
    if (own.all.size >= this.#bounds.tenant && !this.#dropKept(tenantId, own.oldestKept())) return false;
    if (this.#count < this.#bounds.all) return true;
    for (const [id, other] of this.#tenants) if (this.#dropKept(id, other.oldestKept())) return true;
    return false;
  }

  #dropKept(tenantId: string, connection: Connection | null): boolean {
    if (connection) this.#drop(tenantId, connection);
    return connection !== null;
  }

  #drop(tenantId: string, connection: Connection): void {
    const own = this.#tenants.get(tenantId);
    if (own?.forget(connection)) this.#count -= 1;
    if (own?.all.size === 0) this.#tenants.delete(tenantId);
    void connection.close();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Waits for a connection to be given back or to end, or for the signal. */
  #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    return promise.finally(() => {
      this.#waiting.delete(wake);
      signal.removeEventListener("abort", wake);
    });
  }
}

/** One tenant's connections, in use and kept. */
class TenantConnections {
  readonly all = new Set<Connection>();
  /** The one that was used last stands last. */
  readonly #kept = new Set<Connection>();

  isKept(connection: Connection): boolean {
    return this.#kept.has(connection);
  }
  keep(connection: Connection): void {
    this.#kept.add(connection);
  }
  /** The one that was used last: the others may end in peace. */
  takeKept(origin: string, addresses: readonly Address[]): Connection | null {
    const fitting = [...this.#kept].findLast((one) => one.origin === origin && one.leadsTo(addresses));
    if (fitting) this.#kept.delete(fitting);
    return fitting ?? null;
  }
  oldestKept(origin?: string): Connection | null {
    for (const one of this.#kept) if (origin === undefined || one.origin === origin) return one;
    return null;
  }
  countTo(origin: string): number {
    let count = 0;
    for (const one of this.all) if (one.origin === origin) count += 1;
    return count;
  }
  forget(connection: Connection): boolean {
    this.#kept.delete(connection);
    return this.all.delete(connection);
  }
}
