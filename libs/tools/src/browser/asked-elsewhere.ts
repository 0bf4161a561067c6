import type { CapabilityWay, EgressSession, McpRoutes, McpServerKey } from "@bulkhead/core";
import { randomUUID } from "node:crypto";
import type { BrowserAction } from "./actions.ts";
import type { ToAsker, ToHolder } from "./browser-messages.ts";
import type { BrowserAnswer } from "./held-browsers.ts";
import { orAborted } from "./or-aborted.ts";

export interface ElsewhereDeps {
  routes: Pick<McpRoutes, "self" | "holderOf" | "send">;
  report: (what: string, error: unknown) => void;
  /** How often it is looked whether the other worker still has the browser; milliseconds. */
  lookMs?: number;
}

const LOOK_MS = 2_000;
/** After so many looks that did not find it there, it is gone. */
const LOOKS_MISSED_MAX = 2;
/** For what a given up action has used to be told; it is stopped within tenths of a second. Milliseconds. */
const BILL_MS_MAX = 5_000;

/** Another worker has no such browser, and nothing was done. */
type Gone = "gone";

const GIVEN_UP: BrowserAnswer = { ok: false, code: "aborted", message: "The action was given up." };

const LOST: BrowserAnswer = {
  ok: false,
  code: "failed",
  message: "The worker that had the browser is gone, and the browser with it. Open the page again.",
};

/** What this worker has asked of others that have browsers. */
export class AskedElsewhere {
  readonly #deps: ElsewhereDeps;
  readonly #pending = new Map<string, (answer: ToAsker | "lost") => void>();
  /** Of one run one at a time, so that what is left to it is spent once. */
  readonly #turns = new WeakMap<EgressSession, Promise<unknown>>();
  #isClosed = false;

  constructor(deps: ElsewhereDeps) {
    this.#deps = deps;
  }

  /** Rejects where Redis is away, before anything was asked. */
  async act(
    holder: string,
    key: McpServerKey,
    action: BrowserAction,
    way: CapabilityWay,
    signal: AbortSignal,
  ): Promise<BrowserAnswer | Gone> {
    const before = this.#turns.get(way.egress) ?? Promise.resolve();
    const asked = orAborted(before, signal).then(() =>
      signal.aborted ? GIVEN_UP : this.#ask(holder, key, action, way, signal),
    );
    this.#turns.set(way.egress, Promise.allSettled([before, asked]));
    return asked;
  }

  hear(message: ToAsker): void {
    this.#pending.get(message.id)?.(message);
  }

  /** Nobody is waited for any more. */
  close(): void {
    this.#isClosed = true;
    for (const answer of this.#pending.values()) answer("lost");
  }

  async #ask(
    holder: string,
    key: McpServerKey,
    action: BrowserAction,
    { egress, allowedHosts }: CapabilityWay,
    signal: AbortSignal,
  ): Promise<BrowserAnswer | Gone> {
    const id = randomUUID();
    const { routes, lookMs = LOOK_MS } = this.#deps;
    const answered = Promise.withResolvers<ToAsker | "lost">();
    this.#pending.set(id, answered.resolve);
    // An end gives the place back before its answer comes: one look alone may fall between the two.
    let missed = 0;
    const onGone = (): void => {
      missed += 1;
      if (missed === LOOKS_MISSED_MAX) answered.resolve("lost");
    };
    let late: NodeJS.Timeout | undefined;
    const looking = setInterval(() => void this.#look(holder, key, onGone), lookMs);
    try {
      const asking = {
        type: "act",
        id,
        from: routes.self,
        key,
        action,
        allowedHosts,
        left: egress.left,
      } as const;
      await routes.send(holder, JSON.stringify(asking satisfies ToHolder));
      await orAborted(answered.promise, signal);
      if (signal.aborted) {
        await this.#cancel(holder, id);
        late = setTimeout(() => answered.resolve("lost"), BILL_MS_MAX);
      }
      const answer = await answered.promise;
      // What pages have asked for until it was given up is on the run's bill too.
      if (answer !== "lost" && answer.type === "answer") egress.charge(answer.used);
      if (signal.aborted) return GIVEN_UP;
      // Whether it was done before the worker was gone nobody knows; a page is opened again without harm.
      if (answer === "lost") return action.action === "open" && !this.#isClosed ? "gone" : LOST;
      return answer.type === "gone" ? "gone" : answer.answer;
    } finally {
      clearInterval(looking);
      clearTimeout(late);
      this.#pending.delete(id);
    }
  }

  async #cancel(holder: string, id: string): Promise<void> {
    try {
      await this.#deps.routes.send(holder, JSON.stringify({ type: "cancel", id } satisfies ToHolder));
    } catch (error) {
      this.#deps.report("another worker could not be told that an action was given up", error);
    }
  }

  async #look(holder: string, key: McpServerKey, onGone: () => void): Promise<void> {
    try {
      if ((await this.#deps.routes.holderOf(key)) !== holder) onGone();
    } catch (error) {
      this.#deps.report("nobody knows whether a browser is still there", error);
    }
  }
}
