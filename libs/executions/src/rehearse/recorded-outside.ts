import {
  allowsHost,
  portOf,
  RecordedTurns,
  type CapabilityAnswer,
  type Effect,
  type EffectAnswer,
  type HmacRequest,
  type RecordedAnswers,
  type RunnableTool,
} from "@bulkhead/core";
import { createHmac } from "node:crypto";
import { readArguments } from "../attempt/callable-tools.ts";
import { answerWith, refusal } from "../attempt/tool-calls.ts";

type Refused = Extract<EffectAnswer, { ok: false }>;
type Refusal = Refused["code"];

/** The end of hosts that stand for those of services; none resolves anywhere (RFC 6761). */
export const NOWHERE = ".dry-run.invalid";

/** Signs where no secret of a tenant may: what is signed is the same each time, and good for nothing. */
const SIGNING_KEY = "dry run";

/** What decides on the effects of a tool; `services` are the names that it declares. */
type Bounds = Pick<RunnableTool, "limits" | "allowedHosts" | "services">;

/**
 * The outside of a dry run as it was recorded: a request that has no answer is refused, and so is one that the tool's own
 * `allowedHosts` or `limits.networkRequests` would not let out, and a signature of a service that it doesn't declare.
 */
export class RecordedOutside {
  /** The codes of refusals that were given to the tool. */
  readonly refused = new Set<string>();
  readonly #turns: RecordedTurns;
  readonly #tool: Bounds;
  #requests = 0;

  constructor(recorded: RecordedAnswers, tool: Bounds) {
    this.#turns = new RecordedTurns(recorded);
    this.#tool = tool;
  }

  get requests(): number {
    return this.#requests;
  }

  answer(effect: Effect): EffectAnswer {
    switch (effect.kind) {
      case "fetch":
        return this.#fetch(effect.request.method, effect.request.url);
      case "call_tool": {
        const call = this.#turns.call(effect.name);
        if (call) return answerWith(JSON.stringify(call.result));
        return this.#refuse("tool_not_allowed", `no result was recorded of the tool ${effect.name}`);
      }
      case "hmac":
        return this.#sign(effect.request);
      case "capability":
        return this.#capability(effect);
      case "list_tools":
        return this.#refuse("tool_not_allowed", "there is no list of tools");
      default:
        return this.#refuse("invalid_request", "an answer that was recorded comes as a whole");
    }
  }

  /** A command's end, as a shell tells of it. */
  command(line: string): Extract<CapabilityAnswer, { ok: true }> | Refused {
    const recorded = this.#turns.command(line);
    if (!recorded) return this.#refuse("capability_denied", `no output was recorded of the command ${line}`);
    const { stdout, stderr, exitCode } = recorded;
    return { ok: true, value: { stdout, stderr, exitCode, timedOut: false, truncated: false, unsaved: [] } };
  }

  #capability({ family, operation, argumentsJson }: Extract<Effect, { kind: "capability" }>): EffectAnswer {
    const line = readArguments(argumentsJson)?.["command"];
    if (family !== "shell" || operation !== "exec" || typeof line !== "string")
      return this.#refuse("capability_denied", `${family}.${operation} is not done`);
    const answer = this.command(line);
    return answer.ok ? answerWith(JSON.stringify(answer.value)) : answer;
  }

  #fetch(method: string, text: string): EffectAnswer {
    const { allowedHosts, limits } = this.#tool;
    const url = URL.parse(text);
    if (!url) return this.#refuse("invalid_request", `${text} is no URL`);
    if (!url.hostname.endsWith(NOWHERE) && !allowsHost(allowedHosts, url.hostname, portOf(url)))
      return this.#refuse("egress_denied", `${url.hostname} is not one of the tool's allowedHosts`);
    if (this.#requests >= limits.networkRequests)
      return this.#refuse("network_limit", `the tool may make ${limits.networkRequests} requests in a run`);
    this.#requests += 1;
    const recorded = this.#turns.fetch(method, url.href);
    if (!recorded) return this.#refuse("egress_denied", `no answer was recorded for ${method} ${url.href}`);
    const { status, headers, body } = recorded;
    const head = {
      status,
      statusText: "",
      headers: Object.entries(headers),
      url: url.href,
      redirected: false,
    };
    return { ok: true, head: JSON.stringify({ ...head, done: true }), body, bodyEncoding: "utf8" };
  }

  #sign({ service, algorithm, encoding, data, dataEncoding }: HmacRequest): EffectAnswer {
    if (!this.#tool.services.includes(service))
      return this.#refuse("invalid_request", `the tool declares no service "${service}"`);
    return answerWith(createHmac(algorithm, SIGNING_KEY).update(data, dataEncoding).digest(encoding));
  }

  #refuse(code: Refusal, why: string): Refused {
    this.refused.add(code);
    return refusal(code, `This dry run reaches nothing outside: ${why}.`);
  }
}
