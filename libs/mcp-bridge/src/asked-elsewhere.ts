import type { McpAnswer, McpCallHooks, McpLook, McpRoutes, McpServerKey, McpToolCall } from "@bulkhead/core";
import { randomUUID } from "node:crypto";
import { DROP_MS_MAX } from "./bounds.ts";
import { BridgeError } from "./bridge-error.ts";
import type { ToAsker, ToHolder } from "./bridge-messages.ts";
import type { Report } from "./observer.ts";
import { refusal } from "./refusal.ts";
import { settledOr } from "./settled-or.ts";

export interface AskedDeps {
  routes: Pick<McpRoutes, "self" | "holderOf" | "send">;
  report: Report;
  /** How often it is looked whether the other process still holds the server; milliseconds. */
  lookMs: number;
}

/** The other process holds the server no more, and nothing was sent to the server. */
export type Gone = "gone";

/** One asking that has no answer yet. */
interface Pending {
  hear(message: ToAsker): void;
  /** The other process is gone, or this one is closing. */
  lose(): void;
}

type Question = Extract<ToHolder, { type: "call" | "look" | "drop" }>;
type Asking = {
  [Type in Question["type"]]: Omit<Extract<Question, { type: Type }>, "from" | "id">;
}[Question["type"]];

/** What this process has asked of others that hold servers. */
export class AskedElsewhere {
  readonly #deps: AskedDeps;
  readonly #pending = new Map<string, Pending>();

  constructor(deps: AskedDeps) {
    this.#deps = deps;
  }

  /** Never rejects, but where Redis is away, or the call is larger than a message, before anything was asked. */
  async call(
    holder: string,
    call: McpToolCall,
    hooks: McpCallHooks,
    signal: AbortSignal,
  ): Promise<McpAnswer | Gone> {
    const key = { tenantId: call.tenantId, name: call.server };
    let isSent = false;
    const lost = (): McpAnswer | Gone =>
      isSent ? refusal("connection_lost", "the process that was connected to the server is gone") : "gone";
    const asked = this.#ask<McpAnswer | Gone>(holder, key, { type: "call", call }, signal, {
      lost,
      aborted: () => refusal("aborted", "the call was cancelled"),
      hear: (message, id) => {
        if (message.type === "answer") return message.answer;
        if (message.type === "moved") return lost();
        if (message.type === "progress") hooks.onProgress(message.json);
        if (message.type === "log") hooks.onLog(message.lines);
        if (message.type === "send")
          void mayLeave(hooks).then((wanted) => {
            // Where this asking is over, another process may have been asked meanwhile.
            const may = wanted && this.#pending.has(id);
            isSent ||= may;
            this.#tell(holder, { id, type: "go", may });
          });
        return null;
      },
    });
    return asked;
  }

  refresh(holder: string, key: McpServerKey, signal: AbortSignal): Promise<McpLook | Gone> {
    return this.#ask<McpLook | Gone>(holder, key, { type: "look", key }, signal, {
      lost: () => "gone",
      aborted: () => ({ ok: false, message: "the look was given up" }),
      hear: (message) =>
        message.type === "looked" ? message.look : message.type === "moved" ? "gone" : null,
    });
  }

  async drop(holder: string, key: McpServerKey): Promise<void> {
    const signal = AbortSignal.timeout(DROP_MS_MAX);
    const done = (): "done" => "done";
    const hear = (message: ToAsker) => (message.type === "dropped" ? "done" : null);
    await this.#ask(holder, key, { type: "drop", key }, signal, { lost: done, aborted: done, hear });
  }

  hear(message: ToAsker): void {
    this.#pending.get(message.id)?.hear(message);
  }

  /** Nobody is waited for any more. */
  close(): void {
    for (const pending of this.#pending.values()) pending.lose();
  }

  /** Asks, and waits for what `hear` makes of the messages; null is to wait on. */
  async #ask<T>(
    holder: string,
    key: McpServerKey,
    asking: Asking,
    signal: AbortSignal,
    on: { lost(): T; aborted(): T; hear(message: ToAsker, id: string): T | null },
  ): Promise<T> {
    const id = randomUUID();
    const answered = Promise.withResolvers<T>();
    const end = (answer: T): void => {
      this.#pending.delete(id);
      answered.resolve(answer);
    };
    this.#pending.set(id, {
      hear: (message) => {
        const answer = on.hear(message, id);
        if (answer !== null) end(answer);
      },
      lose: () => end(on.lost()),
    });
    const looking = setInterval(() => void this.#look(holder, key, () => end(on.lost())), this.#deps.lookMs);
    try {
      const { self } = this.#deps.routes;
      const sent = await this.#deps.routes.send(holder, JSON.stringify({ ...asking, id, from: self }));
      if (sent === "too_large") throw new BridgeError(TOO_LARGE, "too_large");
      await settledOr(answered.promise, signal);
      if (!signal.aborted) return await answered.promise;
      this.#tell(holder, { id, type: "cancel" });
      return on.aborted();
    } finally {
      clearInterval(looking);
      this.#pending.delete(id);
    }
  }

  /** A process that is alive renews its lease, so one without a lease is asked no more. */
  async #look(holder: string, key: McpServerKey, onGone: () => void): Promise<void> {
    try {
      if ((await this.#deps.routes.holderOf(key)) !== holder) onGone();
    } catch (error) {
      this.#deps.report("nobody knows whether a server is still held", error, { ...key });
    }
  }

  #tell(holder: string, told: { id: string } & ({ type: "go"; may: boolean } | { type: "cancel" })): void {
    this.#deps.routes
      .send(holder, JSON.stringify({ ...told, from: this.#deps.routes.self }))
      .catch((error: unknown) =>
        this.#deps.report("another process could not be told", error, { told: told.type }),
      );
  }
}

const TOO_LARGE = "what is asked of the server is larger than a message between processes may be";

/** A hook that breaks lets nothing leave. */
const mayLeave = (hooks: Pick<McpCallHooks, "onSend">): Promise<boolean> =>
  Promise.resolve()
    .then(() => hooks.onSend())
    .catch(() => false);
