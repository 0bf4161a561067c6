import type { McpRoutes, McpToolCall } from "@bulkhead/core";
import { setTimeout as pause } from "node:timers/promises";
import { TELL_TRIES_MAX } from "./bounds.ts";
import type { ToAsker, ToHolder } from "./bridge-messages.ts";
import { wordsOf } from "./bridge-error.ts";
import type { Report } from "./observer.ts";
import type { Servers } from "./open-servers.ts";
import { refusal } from "./refusal.ts";
import { settledOr } from "./settled-or.ts";

export interface AskedHereDeps {
  /** Null: this process holds no servers. */
  servers: Servers | null;
  routes: Pick<McpRoutes, "send">;
  report: Report;
  /** How long another process may let itself be waited for before a call leaves; milliseconds. */
  goMs: number;
  /** Until what could not be told is told again; milliseconds. */
  tellAgainMs: number;
}

interface Served {
  stop: AbortController;
  go: PromiseWithResolvers<boolean>;
}

type From<Type extends ToHolder["type"]> = Extract<ToHolder, { type: Type }>;

/** What other processes ask of this one. */
export class AskedHere {
  readonly #deps: AskedHereDeps;
  readonly #served = new Map<string, Served>();

  constructor(deps: AskedHereDeps) {
    this.#deps = deps;
  }

  hear(message: ToHolder): void {
    const served = this.#served.get(placeOf(message));
    if (message.type === "go") served?.go.resolve(message.may);
    else if (message.type === "cancel") served?.stop.abort();
    else if (served === undefined) void this.#serve(message);
  }

  close(): void {
    for (const { stop } of this.#served.values()) stop.abort();
  }

  async #serve(message: From<"call" | "look" | "drop">): Promise<void> {
    const served = { stop: new AbortController(), go: Promise.withResolvers<boolean>() };
    this.#served.set(placeOf(message), served);
    try {
      this.#tell(message, await this.#do(message, served));
    } finally {
      this.#served.delete(placeOf(message));
    }
  }

  async #do(message: From<"call" | "look" | "drop">, served: Served): Promise<ToAsker> {
    const { id } = message;
    const { servers } = this.#deps;
    if (servers === null) return { id, type: "moved" };
    try {
      if (message.type === "drop") {
        await servers.drop(message.key);
        return { id, type: "dropped" };
      }
      if (message.type === "look") {
        const look = await servers.refresh(message.key, served.stop.signal);
        return "holder" in look ? { id, type: "moved" } : { id, type: "looked", look };
      }
      const answer = await this.#call(servers, message, message.call, served);
      return "holder" in answer ? { id, type: "moved" } : { id, type: "answer", answer };
    } catch (error) {
      this.#deps.report("another process was not served", error, { asked: message.type });
      if (message.type === "look")
        return { id, type: "looked", look: { ok: false, message: wordsOf(error) } };
      if (message.type === "drop") return { id, type: "dropped" };
      return { id, type: "answer", answer: refusal("unreachable", wordsOf(error)) };
    }
  }

  #call(servers: Servers, asked: From<"call">, call: McpToolCall, { stop, go }: Served) {
    const { id } = asked;
    const hooks = {
      onSend: async (): Promise<boolean> => {
        this.#tell(asked, { id, type: "send" });
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(this.#deps.goMs)]);
        await settledOr(go.promise, signal);
        return !signal.aborted && go.promise;
      },
      onProgress: (json: string) => this.#tell(asked, { id, type: "progress", json }),
      onLog: (lines: readonly { level: "debug" | "info" | "warn" | "error"; text: string }[]) =>
        this.#tell(asked, { id, type: "log", lines: [...lines] }),
    };
    return servers.call(call, hooks, stop.signal);
  }

  #tell(asked: ToHolder, told: ToAsker): void {
    void this.#send(asked, told).catch((error: unknown) =>
      this.#deps.report("another process could not be answered", error, { told: told.type }),
    );
  }

  /** All but notes is waited for, and so told again where Redis is away, or the other has much unread. */
  async #send(asked: ToHolder, told: ToAsker): Promise<void> {
    const message = JSON.stringify(told);
    for (let tries = isNote(told) ? 1 : TELL_TRIES_MAX; ; tries -= 1)
      try {
        const outcome = await this.#deps.routes.send(asked.from, message);
        if (outcome === "too_large" && told.type === "answer")
          await this.#send(asked, { ...told, answer: refusal("too_large", TOO_LARGE) });
        return;
      } catch (error) {
        if (tries === 1) throw error;
        await pause(this.#deps.tellAgainMs, undefined, { ref: false });
      }
  }
}

const isNote = ({ type }: ToAsker): boolean => type === "progress" || type === "log";

const TOO_LARGE = "the server's answer is larger than a message between processes may be";

const placeOf = ({ from, id }: ToHolder): string => `${from}/${id}`;
