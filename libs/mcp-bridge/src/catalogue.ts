import { mcpPin, type McpOffer, type McpRegistry, type McpServerMark } from "@bulkhead/core";
import { setTimeout as pause } from "node:timers/promises";
import { BridgeError } from "./bridge-error.ts";
import type { Connection } from "./connection.ts";
import type { Report } from "./observer.ts";
import { settledOr } from "./settled-or.ts";

export interface CatalogueDeps {
  registry: McpRegistry;
  report: Report;
  relistMs: number;
  /** Whether this process holds the server surely. */
  isHolding(): boolean;
}

export interface Offered {
  offer: McpOffer;
  pin: string;
}

/** What one connection's server offers now. */
export class Catalogue {
  readonly #deps: CatalogueDeps;
  readonly #server: McpServerMark;
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  #offered: ReadonlyMap<string, Offered> = new Map();
  /** Resolves once what is offered is known again; null while it is. Calls wait for it. */
  #fresh: PromiseWithResolvers<void> | null = null;
  #isRelisting = false;
  #isChangedAgain = false;

  /** The signal ends with the connection. */
  constructor(deps: CatalogueDeps, server: McpServerMark, connection: Connection, signal: AbortSignal) {
    this.#deps = deps;
    this.#server = server;
    this.#connection = connection;
    this.#signal = signal;
  }

  get offers(): McpOffer[] {
    return [...this.#offered.values()].map(({ offer }) => offer);
  }

  /** Lists the tools and has what is new about them noted. */
  async list(isFirst: boolean): Promise<void> {
    const { registry, report } = this.#deps;
    const { tenantId, name } = this.#server;
    const { offers, leftOut } = await this.#connection.list(this.#signal);
    for (const [tool, why] of leftOut)
      report("a server's tool is left out", why, { tenantId, name, tool: this.#connection.cover(tool) });
    const offered = new Map(offers.map((offer) => [offer.name, { offer, pin: mcpPin(offer) }]));
    // An old list must not replace what the next holder has seen.
    if (!this.#deps.isHolding()) throw new BridgeError("another process may hold the server by now");
    const was = this.#offered;
    const isSame =
      offered.size === was.size &&
      offers.every((offer) => offered.get(offer.name)?.pin === was.get(offer.name)?.pin);
    if (isFirst || !isSame) await registry.offered(this.#server, offers);
    this.#offered = offered;
  }

  /** The server says that its list is another one. It is listed at most every `relistMs`; `onFailed` hears where that fails. */
  changed(onFailed: (error: unknown) => void): void {
    this.#isChangedAgain = true;
    this.#fresh ??= Promise.withResolvers();
    if (this.#isRelisting) return;
    this.#isRelisting = true;
    void this.#relist()
      .catch(onFailed)
      .finally(() => {
        this.#isRelisting = false;
        this.#fresh?.resolve();
        this.#fresh = null;
      });
  }

  /** The tool of this name, once a list that is due has come. */
  async find(tool: string, signal: AbortSignal): Promise<Offered | undefined> {
    if (this.#fresh !== null) await settledOr(this.#fresh.promise, signal);
    return this.#offered.get(tool);
  }

  async #relist(): Promise<void> {
    while (this.#fresh !== null) {
      this.#isChangedAgain = false;
      await this.list(false);
      if (!this.#isChangedAgain) {
        this.#fresh.resolve();
        this.#fresh = null;
      }
      await pause(this.#deps.relistMs, undefined, { signal: this.#signal });
    }
  }
}
