import {
  MCP_LEASE_MS,
  type McpAnswer,
  type McpBridge,
  type McpCallHooks,
  type McpLook,
  type McpRoutes,
  type McpServerKey,
  type McpToolCall,
} from "@bulkhead/core";
import { AskedElsewhere, type Gone } from "./asked-elsewhere.ts";
import { AskedHere } from "./asked-here.ts";
import { ROUTE_TRIES_MAX, TELL_TRIES_MAX } from "./bounds.ts";
import { BridgeError, bridgeErrorIn, wordsOf } from "./bridge-error.ts";
import { readMessage } from "./bridge-messages.ts";
import type { Report } from "./observer.ts";
import type { Elsewhere, Servers } from "./open-servers.ts";
import { refusal } from "./refusal.ts";

export interface McpBridgeInput {
  routes: McpRoutes;
  /** Null where this process holds no servers; else the bridge closes them. */
  servers: Servers | null;
  /** Processes that may hold servers, as `McpRoutes` names them. */
  workers(): Promise<readonly string[]>;
  report: Report;
  /** Default: `MCP_LEASE_MS`. Milliseconds. */
  leaseMs?: number;
}

/** Listens to other processes from here on. */
export async function openMcpBridge(input: McpBridgeInput): Promise<McpBridge> {
  const bridge = new RoutedBridge(input);
  await bridge.listen();
  return bridge;
}

class RoutedBridge implements McpBridge {
  readonly #input: McpBridgeInput;
  readonly #elsewhere: AskedElsewhere;
  readonly #here: AskedHere;
  #stopListening: () => void = () => undefined;

  constructor(input: McpBridgeInput) {
    const { routes, servers, report, leaseMs = MCP_LEASE_MS } = input;
    this.#input = input;
    this.#elsewhere = new AskedElsewhere({ routes, report, lookMs: leaseMs / 2 });
    this.#here = new AskedHere({
      servers,
      routes,
      report,
      goMs: leaseMs,
      tellAgainMs: leaseMs / TELL_TRIES_MAX,
    });
  }

  async listen(): Promise<void> {
    this.#stopListening = await this.#input.routes.listen((text) => {
      const message = readMessage(text);
      if (message === null) this.#input.report("a message of a bridge's can't be read", text.slice(0, 100));
      else if ("from" in message) this.#here.hear(message);
      else this.#elsewhere.hear(message);
    });
  }

  async call(call: McpToolCall, hooks: McpCallHooks, signal: AbortSignal): Promise<McpAnswer> {
    const began = performance.now();
    const key = { tenantId: call.tenantId, name: call.server };
    try {
      return await this.#try(
        key,
        signal,
        (servers) => servers.call(call, hooks, signal),
        (holder) => this.#elsewhere.call(holder, call, hooks, signal),
      );
    } catch (error) {
      const code = signal.aborted ? "aborted" : (bridgeErrorIn(error)?.code ?? "unreachable");
      const refused = refusal(code, wordsOf(error));
      return { ...refused, connectMs: performance.now() - began };
    }
  }

  async refresh(server: McpServerKey, signal: AbortSignal): Promise<McpLook> {
    try {
      return await this.#try(
        server,
        signal,
        (servers) => servers.refresh(server, signal),
        (holder) => this.#elsewhere.refresh(holder, server, signal),
      );
    } catch (error) {
      return { ok: false, message: wordsOf(error) };
    }
  }

  async drop(server: McpServerKey): Promise<void> {
    const { routes, servers, report } = this.#input;
    try {
      await servers?.drop(server);
      const holder = await routes.holderOf(server);
      if (holder !== null && holder !== routes.self) await this.#elsewhere.drop(holder, server);
    } catch (error) {
      // Whoever holds it finds out at its next use.
      report("a server's connection could not be dropped", error, { ...server });
    }
  }

  async isHeld(server: McpServerKey): Promise<boolean> {
    const { routes, report } = this.#input;
    try {
      return (await routes.holderOf(server)) !== null;
    } catch (error) {
      report("nobody knows whether a server is still held", error, { ...server });
      return true;
    }
  }

  async close(): Promise<void> {
    // Those who wait for this process are answered while it can still speak.
    await this.#input.servers?.close();
    this.#here.close();
    this.#elsewhere.close();
    this.#stopListening();
  }

  /** Asks whoever holds the server, and again where it changes hands before anything was sent. */
  async #try<T>(
    key: McpServerKey,
    signal: AbortSignal,
    here: (servers: Servers) => Promise<T | Elsewhere>,
    elsewhere: (holder: string) => Promise<T | Gone>,
  ): Promise<T> {
    const { servers } = this.#input;
    for (let tries = 0; tries < ROUTE_TRIES_MAX; tries += 1) {
      signal.throwIfAborted();
      const own = servers === null ? { holder: await this.#holderOf(key) } : await here(servers);
      if (!isElsewhere(own)) return own;
      const asked = await elsewhere(own.holder);
      if (asked !== "gone") return asked;
    }
    throw new BridgeError("no process keeps a connection to the server");
  }

  /** Who holds the server, or a worker that will take it. */
  async #holderOf(key: McpServerKey): Promise<string> {
    const holder = await this.#input.routes.holderOf(key);
    if (holder !== null) return holder;
    const workers = await this.#input.workers();
    const any = workers[Math.floor(Math.random() * workers.length)];
    if (any === undefined) throw new BridgeError("no worker is there to connect to the server");
    return any;
  }
}

const isElsewhere = (value: unknown): value is Elsewhere =>
  typeof value === "object" && value !== null && "holder" in value;
