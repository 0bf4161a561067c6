import { refusalOfLaunch, type EffectRefusal, type McpServerKey } from "@bulkhead/core";
import { LRUCache } from "lru-cache";
import {
  BROWSER_MS_MAX,
  BROWSERS_MAX,
  GIVES_WAY_MS,
  IDLE_MS_MAX,
  TENANT_BROWSERS_MAX,
  WAITING_MAX,
} from "../built-in/browser/bounds.ts";
import type { ActionFailure, ActionNotes, ActionResult, BrowserAction, BrowserOutcome } from "./actions.ts";
import { BrowserMissingError, type BrowserProcess, inMidst } from "./browser-process.ts";
import { orAborted } from "./or-aborted.ts";
import type { BrowserWay } from "./page-requests.ts";

export type BrowserAnswer =
  | { ok: true; result: ActionResult; notes: ActionNotes }
  | {
      ok: false;
      code: EffectRefusal;
      message: string;
      notes?: ActionNotes;
      /** Nothing was done, and another worker may have room. */
      isFull?: true;
    };

interface HeldDeps {
  /** Rejects with a BrowserMissingError, for people, and soon where the signal fires. */
  start(key: McpServerKey, signal: AbortSignal): Promise<BrowserProcess>;
  /** One is gone, for whatever reason. */
  onGone(key: McpServerKey): void;
}

interface Held {
  readonly key: McpServerKey;
  readonly process: Promise<BrowserProcess>;
  /** Ends its start. */
  readonly stop: AbortController;
  /** Resolves when nobody acts any more of those who came so far. */
  tail: Promise<void>;
  acting: number;
  usedAt: number;
  idle?: NodeJS.Timeout;
  life?: NodeJS.Timeout;
}

/** Ends of browsers that are remembered, so that whoever asks next is told why. */
const ENDS_MAX = 1_000;
const MINUTE_MS = 60_000;
const FULL = `This worker has ${BROWSERS_MAX} browsers, as many as it may: try again later.`;
const OWN_FULL = `The tenant has ${TENANT_BROWSERS_MAX} browsers in use on this worker, as many as it may: close one, or try again later.`;
const ENDED_AS_IT_STARTED = new Error("the browser was ended before it was there");

const CODES: Readonly<Record<ActionFailure, EffectRefusal>> = {
  bad_action: "invalid_request",
  refused: "failed",
  failed: "failed",
  timed_out: "timeout",
  ended: "failed",
};

const nameOf = ({ tenantId, name }: McpServerKey): string => `${tenantId} ${name}`;

/** The browsers of one worker: each of one asker alone, one action at a time, none longer than it may be. */
export class HeldBrowsers {
  readonly #deps: HeldDeps;
  readonly #held = new Map<string, Held>();
  /** Those that end: their processes count until nothing is left of them. */
  readonly #ending = new Set<Promise<unknown>>();
  readonly #ends = new LRUCache<string, string>({ max: ENDS_MAX, ttl: BROWSER_MS_MAX });
  #isClosed = false;

  constructor(deps: HeldDeps) {
    this.#deps = deps;
  }

  has(key: McpServerKey): boolean {
    return this.#held.has(nameOf(key));
  }

  keys(): McpServerKey[] {
    return [...this.#held.values()].map(({ key }) => key);
  }

  /** Does it when it is its turn; a browser is begun by what opens a page alone. Never rejects but for a fault of ours. */
  async act(
    key: McpServerKey,
    action: BrowserAction,
    way: BrowserWay,
    signal: AbortSignal,
  ): Promise<BrowserAnswer> {
    const held =
      this.#held.get(nameOf(key)) ?? (action.action === "open" ? this.#begin(key) : this.none(key));
    if ("ok" in held) return held;
    if (held.acting > WAITING_MAX)
      return refused(
        "capability_limit",
        `${WAITING_MAX} actions wait for this browser already: ask one after the other.`,
      );
    const before = held.tail;
    const turn = Promise.withResolvers<void>();
    held.tail = before.then(() => turn.promise);
    held.acting += 1;
    clearTimeout(held.idle);
    try {
      await orAborted(before, signal);
      if (signal.aborted) return refused("aborted", "The action was given up before its turn.");
      await orAborted(held.process, signal);
      if (signal.aborted) return refused("aborted", "The action was given up while the browser started.");
      // What came before may have ended it.
      if (this.#held.get(nameOf(key)) === held) return await this.#inTurn(held, action, way, signal);
    } catch (error) {
      if (error === ENDED_AS_IT_STARTED) return this.none(key);
      if (error instanceof BrowserMissingError) return refused(refusalOfLaunch(error.cause), error.message);
      throw error;
    } finally {
      held.acting -= 1;
      held.usedAt = performance.now();
      this.#watchIdle(held);
      turn.resolve();
    }
    return this.act(key, action, way, signal);
  }

  /** Why there is no browser to act in. */
  none(key: McpServerKey): Extract<BrowserAnswer, { ok: false }> {
    const why = this.#ends.get(nameOf(key));
    const told = why === undefined ? "No page is open" : `No page is open any more: ${why}`;
    return refused("conflict", `${told}. Open one first.`);
  }

  /** Ends it, if there is one; `why` is told to who asks next, as `the browser was ended, since …`. */
  end(key: McpServerKey, why: string): void {
    const held = this.#held.get(nameOf(key));
    if (held !== undefined) void this.#end(held, why);
  }

  endTenant(tenantId: string): void {
    for (const { key } of this.#held.values())
      if (key.tenantId === tenantId) this.end(key, "the tenant is gone");
  }

  /** Nothing is left when it has resolved. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { key } of this.#held.values()) this.end(key, "its worker was stopped");
    await Promise.all(this.#ending);
  }

  async #inTurn(
    held: Held,
    action: BrowserAction,
    way: BrowserWay,
    signal: AbortSignal,
  ): Promise<BrowserAnswer> {
    const outcome = await (await held.process).act(action, way, signal);
    const isClosed = outcome.ok && outcome.result.action === "close" && outcome.result.pages.length === 0;
    if (isClosed) await this.#end(held, "it was closed");
    return answerOf(outcome);
  }

  #begin(key: McpServerKey): Held | Extract<BrowserAnswer, { ok: false }> {
    const crowded = this.#makeRoom(key.tenantId);
    if (crowded !== null) return crowded;
    const stop = new AbortController();
    const started = this.#deps.start(key, stop.signal).catch((error: unknown) => {
      throw stop.signal.aborted ? ENDED_AS_IT_STARTED : error;
    });
    const held: Held = {
      key,
      process: started,
      stop,
      tail: Promise.resolve(),
      acting: 0,
      usedAt: performance.now(),
    };
    this.#held.set(nameOf(key), held);
    held.life = setTimeout(
      () => void this.#end(held, `a browser is there for ${BROWSER_MS_MAX / MINUTE_MS} minutes at most`),
      BROWSER_MS_MAX,
    );
    started
      .then(({ ended }) => ended)
      .then(
        (why) => this.#end(held, why === null ? "it broke off" : inMidst(why)),
        () => this.#end(held, "it could not be started"),
      )
      .catch(() => undefined);
    return held;
  }

  /** Why there is no room for one more of the tenant's, after one that nobody uses has made way for it. */
  #makeRoom(tenantId: string): Extract<BrowserAnswer, { ok: false }> | null {
    if (this.#isClosed) return refused("capability_limit", "This worker is about to stop: try again.");
    const all = this.#held.size + this.#ending.size;
    const own = [...this.#held.values()].filter(({ key }) => key.tenantId === tenantId);
    if (own.length < TENANT_BROWSERS_MAX && all < BROWSERS_MAX) return null;
    const now = performance.now();
    const [unused] = own
      .filter(({ acting, usedAt }) => acting === 0 && now - usedAt >= GIVES_WAY_MS)
      .toSorted((one, other) => one.usedAt - other.usedAt);
    if (unused === undefined)
      return own.length < TENANT_BROWSERS_MAX
        ? { ...refused("capability_limit", FULL), isFull: true }
        : refused("capability_limit", OWN_FULL);
    void this.#end(unused, "another one of the tenant's took its place");
    return null;
  }

  #watchIdle(held: Held): void {
    if (held.acting > 0 || this.#held.get(nameOf(held.key)) !== held) return;
    held.idle = setTimeout(
      () => void this.#end(held, `nobody had asked for anything for ${IDLE_MS_MAX / MINUTE_MS} minutes`),
      IDLE_MS_MAX,
    );
  }

  async #end(held: Held, why: string): Promise<void> {
    const name = nameOf(held.key);
    if (this.#held.get(name) !== held) return;
    this.#held.delete(name);
    this.#ends.set(name, `the browser was ended, since ${why}`);
    clearTimeout(held.idle);
    clearTimeout(held.life);
    held.stop.abort();
    const ended = gone(held.process).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    this.#deps.onGone(held.key);
    await ended;
  }
}

/** One that did not start is gone already. */
async function gone(started: Promise<BrowserProcess>): Promise<void> {
  const browser = await started.catch(() => null);
  browser?.kill();
  await browser?.ended;
}

function answerOf(outcome: BrowserOutcome): BrowserAnswer {
  if (outcome.ok) return outcome;
  const { code, message, notes } = outcome;
  return {
    ok: false,
    code: CODES[code],
    message: code === "ended" ? `${message} Open the page again.` : message,
    notes,
  };
}

const refused = (code: EffectRefusal, message: string): Extract<BrowserAnswer, { ok: false }> => ({
  ok: false,
  code,
  message,
});
