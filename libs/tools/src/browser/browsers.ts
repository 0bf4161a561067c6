import {
  MCP_LEASE_MS,
  type CapabilityWay,
  type EgressBroker,
  type EgressSession,
  type McpRoutes,
  type McpServerKey,
} from "@bulkhead/core";
import { createHash } from "node:crypto";
import { ACTION_MS_MAX } from "../built-in/browser/bounds.ts";
import type { BrowserAction } from "./actions.ts";
import { AskedElsewhere, type ElsewhereDeps } from "./asked-elsewhere.ts";
import type { BrowserMessage, ToAsker, ToHolder } from "./browser-messages.ts";
import { BrowserMissingError, type BrowserProcess } from "./browser-process.ts";
import { HeldBrowsers, type BrowserAnswer } from "./held-browsers.ts";

type Report = (what: string, error: unknown) => void;

export interface BrowsersDeps extends Pick<ElsewhereDeps, "lookMs"> {
  /** Rejects with a BrowserMissingError, for people, and soon where the signal fires. Null: this machine can have none. */
  start: ((tenantId: string, signal: AbortSignal) => Promise<BrowserProcess>) | null;
  /** Other workers, by the names of their routes, that can start one; asked where this one can't. */
  starters: () => readonly string[];
  /** Which worker has whose browser, and messages between workers, by a name that nothing else hears under. */
  routes: McpRoutes;
  egress: Pick<EgressBroker, "open">;
  report: Report;
}

/** Whose browser it is: nobody else of the tenant's is ever in it. */
export interface BrowserAsker {
  tenantId: string;
  agentId: string | null;
  userId: string | null;
}

/** How often this worker says that it has its browsers; three are missed before another one may begin one. Milliseconds. */
const RENEW_MS = MCP_LEASE_MS / 3;
/** How many workers are asked at most, of those that had the browser a moment ago or may have room for it. */
const TRIES_MAX = 3;

const keyOf = ({ tenantId, agentId, userId }: BrowserAsker): McpServerKey => ({
  tenantId,
  name: `browser:${createHash("sha256")
    .update(JSON.stringify([agentId, userId]))
    .digest("base64url")}`,
});

const UNTOLD: BrowserAnswer = {
  ok: false,
  code: "failed",
  message: "It may have been done, but nobody could tell what came of it: take a snapshot to see.",
};

const NO_STARTER: BrowserAnswer = {
  ok: false,
  code: "capability_denied",
  message: "No worker that can start a browser is there at the moment: try again later.",
};

const answerWith = (id: string, answer: BrowserAnswer, session: EgressSession): ToAsker => {
  const { requests: networkRequests, bytesIn, bytesOut } = session;
  return { type: "answer", id, answer, used: { networkRequests, bytesIn, bytesOut } };
};

/**
 * The browsers of all workers as one worker sees them: an asker has one, in the worker where it first opened a page or, where
 * that can start none or has no room, in another one. What it asks of another worker is done there, within what is left to the run that asks and
 * at its bill.
 */
export class Browsers {
  readonly #deps: BrowsersDeps;
  readonly #held: HeldBrowsers;
  readonly #elsewhere: AskedElsewhere;
  /** What others ask of this worker and is under way. */
  readonly #served = new Map<string, { stop: AbortController; told: Promise<void> }>();
  #stopListening: () => void = () => undefined;
  #renewing: NodeJS.Timeout | undefined;

  private constructor(deps: BrowsersDeps) {
    this.#deps = deps;
    this.#elsewhere = new AskedElsewhere(deps);
    this.#held = new HeldBrowsers({
      start: (key, signal) => this.#start(key, signal),
      onGone: (key) =>
        void deps.routes
          .release(key)
          .catch((error: unknown) => deps.report("a browser's place was not given back", error)),
    });
  }

  /** Hears what other workers ask from here on. */
  static async open(deps: BrowsersDeps): Promise<Browsers> {
    const browsers = new Browsers(deps);
    browsers.#stopListening = await deps.routes.listen((message) => browsers.#hear(message));
    browsers.#renewing = setInterval(() => void browsers.#renew(), RENEW_MS);
    return browsers;
  }

  /** Whether one can be had, in this worker or by it. */
  get canBeHad(): boolean {
    return this.#deps.start !== null || this.#deps.starters().length > 0;
  }

  /** Does it in the asker's browser, wherever that is. Rejects only for a fault of ours. */
  async act(
    asker: BrowserAsker,
    action: BrowserAction,
    way: CapabilityWay,
    signal: AbortSignal,
  ): Promise<BrowserAnswer> {
    const { routes } = this.#deps;
    const key = keyOf(asker);
    const inVain = new Set<string>();
    let unopened = NO_STARTER;
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      if (this.#held.has(key)) return this.#actHere(key, action, way, signal);
      const mayBegin = !inVain.has(routes.self);
      const holder = (await this.#holderOf(key, action, mayBegin)) ?? this.#starterFor(action, inVain);
      if (holder === null) break;
      const answer =
        holder === routes.self
          ? await this.#begin(key, action, way, signal)
          : await this.#elsewhere.act(holder, key, action, way, signal);
      if (answer !== "gone") {
        if (answer.ok || answer.isFull !== true) return answer;
        unopened = answer;
      }
      inVain.add(holder);
    }
    return action.action === "open" ? unopened : this.#held.none(key);
  }

  /** Who has the asker's browser; this worker where it begins one for it by this action, and may. */
  #holderOf(key: McpServerKey, { action }: BrowserAction, mayBegin = true): Promise<string | null> {
    const { routes, start } = this.#deps;
    return action === "open" && start !== null && mayBegin ? routes.take(key) : routes.holderOf(key);
  }

  /** Any other worker that may begin one, but for those that were asked in vain. */
  #starterFor({ action }: BrowserAction, inVain: ReadonlySet<string>): string | null {
    if (action !== "open") return null;
    const starters = this.#deps.starters().filter((name) => !inVain.has(name));
    return starters[Math.floor(Math.random() * starters.length)] ?? null;
  }

  endTenant(tenantId: string): void {
    this.#held.endTenant(tenantId);
  }

  /** Ends all of them; nothing is left when it has resolved. */
  async close(): Promise<void> {
    clearInterval(this.#renewing);
    this.#stopListening();
    this.#elsewhere.close();
    const served = [...this.#served.values()];
    for (const { stop } of served) stop.abort();
    await this.#held.close();
    // Whoever asked hears of the end, and of what there is to pay.
    await Promise.all(served.map(({ told }) => told));
  }

  /** Who waited while a browser ended begins another one, whose place was given back meanwhile. */
  async #start(key: McpServerKey, signal: AbortSignal): Promise<BrowserProcess> {
    const { routes, start } = this.#deps;
    if (start !== null && (await routes.take(key)) === routes.self) return start(key.tenantId, signal);
    throw new BrowserMissingError("Another worker has begun a browser for this caller: try again.");
  }

  /** The place is this worker's: where no browser came of it, it is given back. */
  async #begin(key: McpServerKey, action: BrowserAction, way: CapabilityWay, signal: AbortSignal) {
    const answer = await this.#actHere(key, action, way, signal);
    if (!this.#held.has(key)) await this.#deps.routes.release(key);
    return answer;
  }

  /** What a page sends has none of the run's secrets put in its place: a page is nobody's service. */
  async #actHere(key: McpServerKey, action: BrowserAction, way: CapabilityWay, signal: AbortSignal) {
    const egress = way.egress.withSecrets([]);
    try {
      const own = { egress, nextBodyId: () => way.nextBodyId(), timeoutMs: ACTION_MS_MAX };
      return await this.#held.act(key, action, own, signal);
    } finally {
      egress.close();
    }
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as BrowserMessage;
    if (message.type === "cancel") this.#served.get(message.id)?.stop.abort();
    else if (message.type !== "act") this.#elsewhere.hear(message);
    else {
      const stop = new AbortController();
      const told = this.#serve(message, stop.signal).finally(() => this.#served.delete(message.id));
      this.#served.set(message.id, { stop, told });
    }
  }

  /** Never rejects. */
  async #serve(
    { id, from, key, action, allowedHosts, left }: Extract<ToHolder, { type: "act" }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { routes, egress, report } = this.#deps;
    let bodyId = 0;
    let session: EgressSession | null = null;
    try {
      const isHere = this.#held.has(key) || (await this.#holderOf(key, action)) === routes.self;
      if (!isHere) return void (await routes.send(from, JSON.stringify({ type: "gone", id })));
      session = egress.open({ tenantId: key.tenantId, limits: left, allowedHosts, secrets: [] });
      const way = { egress: session, allowedHosts, nextBodyId: () => (bodyId += 1) };
      const answer = await this.#begin(key, action, way, signal);
      await routes.send(from, JSON.stringify(answerWith(id, answer, session)));
    } catch (error) {
      report("what another worker asked of a browser was not done, or not told", error);
      // What has begun may be done, and must not be done a second time.
      const told: ToAsker = session === null ? { type: "gone", id } : answerWith(id, UNTOLD, session);
      await routes.send(from, JSON.stringify(told)).catch(() => undefined);
    } finally {
      session?.close();
    }
  }

  /** One that this worker had no more, since it had been cut off from Redis, may be begun elsewhere by now. */
  async #renew(): Promise<void> {
    const keys = this.#held.keys();
    if (keys.length === 0) return;
    try {
      for (const lost of await this.#deps.routes.renew(keys)) this.#held.end(lost, "its worker was cut off");
    } catch (error) {
      this.#deps.report("the places of browsers could not be renewed", error);
    }
  }
}
