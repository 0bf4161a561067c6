import type { Effect, EffectAnswer } from "@bulkhead/core";
import { Heard } from "./tool-runs.ts";

type Refused = Extract<EffectAnswer, { ok: false }>;
type Part = string | Buffer | Refused;

/** An upstream behind the worker: it answers every fetch with one head and, when they are asked for, the parts. */
export class Upstream {
  readonly asked: Extract<Effect, { kind: "fetch" }>["request"][] = [];
  reads = 0;
  readonly heard = new Heard((effect) => this.#answer(effect));
  readonly #parts: readonly Part[];
  readonly #head: object;
  #left: Part[] = [];

  constructor(parts: Part[], head: object = {}) {
    const headers = [["content-type", "text/plain"]];
    this.#parts = parts;
    this.#head = { status: 200, statusText: "OK", headers, redirected: false, ...head };
  }

  #answer(effect: Effect): EffectAnswer {
    if (effect.kind !== "fetch") {
      this.reads += 1;
      return this.#next({});
    }
    this.asked.push(effect.request);
    this.#left = [...this.#parts];
    return this.#next({ ...this.#head, url: effect.request.url });
  }

  #next(about: object): EffectAnswer {
    const part = this.#left.shift() ?? "";
    if (typeof part === "object" && "ok" in part) return part;
    const head = JSON.stringify({ ...about, done: this.#left.length === 0 });
    if (typeof part === "string") return { ok: true, head, body: part, bodyEncoding: "utf8" };
    return { ok: true, head, body: part.toString("base64"), bodyEncoding: "base64" };
  }
}

/** Why a request or a part has no answer. */
export const refused = (code: "failed" | "egress_denied" | "network_limit", message: string): Refused => ({
  ok: false,
  code,
  message,
});
