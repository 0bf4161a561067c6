import {
  MCP_STATES,
  type McpAnswer,
  type McpCallHooks,
  type McpLook,
  type McpRoutes,
  type McpServerKey,
  type McpState,
  type McpToolCall,
} from "@bulkhead/core";
import { CLOSE_MS_MAX } from "./bounds.ts";
import { BridgeError } from "./bridge-error.ts";
import { HeldServer, type HeldServerDeps } from "./held-server.ts";
import { TIMING, type Timing } from "./timing.ts";
import { settledOr } from "./settled-or.ts";

export interface ServersDeps extends Omit<HeldServerDeps, "timing" | "isHolding"> {
  routes: Pick<McpRoutes, "self" | "take" | "renew" | "release">;
  timing?: Partial<Timing>;
}

/** Another process holds the server; nothing was done here. */
export interface Elsewhere {
  holder: string;
}

/**
 * The servers that one process holds, by leases that it keeps. A call and a refresh take the server first, where nobody holds
 * it; they reject with `service.unavailable` where Redis is away.
 */
export interface Servers {
  call(call: McpToolCall, hooks: McpCallHooks, signal: AbortSignal): Promise<McpAnswer | Elsewhere>;
  refresh(key: McpServerKey, signal: AbortSignal): Promise<McpLook | Elsewhere>;
  /** Ends the server's connection and gives it back, where this process holds it. */
  drop(key: McpServerKey): Promise<void>;
  /** How many are in each state, for metrics. */
  states(): Record<McpState, number>;
  /** Ends all connections, within a second. */
  close(): Promise<void>;
}

export const openServers = (deps: ServersDeps): Servers => new HeldServers(deps);

interface Held {
  key: McpServerKey;
  server: HeldServer;
}

const idOf = ({ tenantId, name }: McpServerKey): string => `${tenantId}/${name}`;

class HeldServers implements Servers {
  readonly #deps: HeldServerDeps & Pick<ServersDeps, "routes">;
  readonly #held = new Map<string, Held>();
  /** Leases that are being given back; whoever wants one of them again waits for it. */
  readonly #releasing = new Map<string, Promise<void>>();
  readonly #renewing: NodeJS.Timeout;
  /** When Redis has confirmed last what is held. */
  #renewedAt = performance.now();
  #isClosed = false;

  constructor({ timing, ...deps }: ServersDeps) {
    const times = { ...TIMING, ...timing };
    const isHolding = (): boolean => performance.now() - this.#renewedAt < times.leaseMs;
    this.#deps = { ...deps, timing: times, isHolding };
    this.#renewing = setInterval(() => void this.#renew(), this.#deps.timing.leaseMs / 3);
  }

  call(call: McpToolCall, hooks: McpCallHooks, signal: AbortSignal): Promise<McpAnswer | Elsewhere> {
    const key = { tenantId: call.tenantId, name: call.server };
    return this.#use(key, (server) => server.call(call, hooks, signal));
  }

  refresh(key: McpServerKey, signal: AbortSignal): Promise<McpLook | Elsewhere> {
    return this.#use(key, (server) => server.refresh(signal));
  }

  async drop(key: McpServerKey): Promise<void> {
    const id = idOf(key);
    const held = this.#held.get(id);
    if (held) await this.#free(id, held.server);
  }

  states(): Record<McpState, number> {
    const counts = Object.fromEntries(MCP_STATES.map((state) => [state, 0])) as Record<McpState, number>;
    for (const { server } of this.#held.values()) counts[server.state] += 1;
    return counts;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#renewing);
    const all = [...this.#held].map(async ([id, { server }]) => {
      await server.end("idle");
      await this.#free(id, server);
    });
    // A store that hangs must not keep the process.
    await settledOr(Promise.all(all), AbortSignal.timeout(CLOSE_MS_MAX));
  }

  /** Uses a server that this process holds; nothing is awaited between the look at that and the use. */
  async #use<T>(key: McpServerKey, use: (server: HeldServer) => Promise<T>): Promise<T | Elsewhere> {
    const id = idOf(key);
    const { routes } = this.#deps;
    for (;;) {
      await this.#releasing.get(id);
      if (this.#isClosed) throw new BridgeError("this process is closing");
      const held = this.#held.get(id);
      if (held) return use(held.server);
      const from = performance.now();
      const holder = await routes.take(key);
      if (holder !== routes.self) return { holder };
      if (!this.#held.has(id) && !this.#releasing.has(id)) this.#hold(id, key, from);
    }
  }

  /** Of a lease that was taken no sooner than `from`. */
  #hold(id: string, key: McpServerKey, from: number): void {
    if (this.#held.size === 0) this.#renewedAt = from;
    const server = new HeldServer(key, this.#deps, () => void this.#free(id, server));
    this.#held.set(id, { key, server });
  }

  /** Gives a server back, once. */
  #free(id: string, server: HeldServer): Promise<void> {
    const held = this.#held.get(id);
    if (held?.server !== server) return Promise.resolve();
    this.#held.delete(id);
    const { routes, report } = this.#deps;
    const released = server
      .end()
      .then(() => routes.release(held.key))
      .catch((error: unknown) => report("a server's lease could not be given back", error, { ...held.key }))
      .finally(() => this.#releasing.delete(id));
    this.#releasing.set(id, released);
    return released;
  }

  async #renew(): Promise<void> {
    const { routes, report, timing } = this.#deps;
    const keys = [...this.#held.values()].map(({ key }) => key);
    if (keys.length === 0) return;
    const from = performance.now();
    let lost: readonly McpServerKey[] = [];
    try {
      lost = await routes.renew(keys);
      this.#renewedAt = from;
    } catch (error) {
      report("leases of servers could not be renewed", error);
      // Another process may hold them by now.
      if (performance.now() - this.#renewedAt >= timing.leaseMs) lost = keys;
    }
    for (const key of this.#isClosed ? [] : lost) await this.drop(key);
  }
}
