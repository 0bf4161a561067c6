import {
  CAPABILITY_CALLS_MAX,
  CAPABILITY_PERMISSIONS,
  Fault,
  isCapability,
  isForCode,
  type AskCapability,
  type CapabilityAnswer,
  type CapabilityFamilies,
  type CapabilityFamily,
  type CapabilityName,
  type CapabilityRequest,
  type CapabilityWay,
  type Effect,
  type EffectAnswer,
  type Json,
  type JsonObject,
  type Permission,
} from "@bulkhead/core";
import { within } from "@bulkhead/process/telemetry";
import type { Report } from "../end/report.ts";
import type { Cover } from "../secrets/cover.ts";
import { asToolCall } from "@bulkhead/tools/built-in";
import { whyNotRunnable } from "./called-command.ts";
import { readArguments } from "./callable-tools.ts";
import { refusal, type HeldAttempt } from "./tool-calls.ts";

type CapabilityEffect = Extract<Effect, { kind: "capability" }>;
type Refused = Extract<EffectAnswer, { ok: false }>;
type Variables = Readonly<Record<string, string>>;
type Work = () => Promise<CapabilityAnswer>;

export interface CapabilityDeps {
  capabilities: CapabilityFamilies;
  report: Report;
  /** The run's own; null without the permission. */
  way: CapabilityWay | null;
  /** Does it where this worker holds the lease and the row says that there was an effect. */
  whileHeld(work: Work): Promise<CapabilityAnswer>;
}

/** Characters of an operation's name that a refusal repeats. */
const NAME_CHARS_MAX = 64;

/** What one run asks of capabilities: counted, covered, and done for the caller of its execution alone. */
export class CapabilityCalls {
  readonly #deps: CapabilityDeps;
  readonly #attempt: HeldAttempt;
  readonly #permissions: readonly Permission[];
  readonly #cover: Cover;
  readonly #pending = new Set<Promise<unknown>>();
  #calls = 0;

  constructor(deps: CapabilityDeps, attempt: HeldAttempt, permissions: readonly Permission[], cover: Cover) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#permissions = permissions;
    this.#cover = cover;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Resolves once nothing is being done any more: an operation that has begun ends, also where the run is over. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  /** Answers what the guest asks. Never rejects. */
  async perform(effect: CapabilityEffect, signal: AbortSignal): Promise<EffectAnswer> {
    const { family, operation, argumentsJson, content, contentEncoding } = effect;
    if (!isCapability(family)) return notGiven();
    const args = readArguments(argumentsJson);
    if (args === null) return refusal("invalid_request", `The arguments of ${family} are not an object.`);
    const written = contentEncoding === "base64" ? Buffer.from(content ?? "", "base64") : content;
    return toEffectAnswer(await this.#begin(family, operation, args, written, signal, true));
  }

  /** What a tool's own code asks is what its world has, and is let run as its call of the built-in tool would be. */
  async #whyNotAsked(
    family: CapabilityName,
    operation: string,
    args: JsonObject,
    content: string | Uint8Array | null,
  ): Promise<Refused | null> {
    if (!isForCode(family)) return notGiven();
    if (!this.#attempt.byAgent) return null;
    const { services } = this.#cover.secrets;
    const call = asToolCall(family, { operation, arguments: args, content }, services);
    if (call === null) return refusal("capability_denied", `No tool does what ${family}.${operation} does.`);
    return whyNotRunnable(this.#attempt, call.tool, call.args, this.#permissions);
  }

  /** The same for a built-in tool that the run calls. Never rejects. */
  ask(...asked: Parameters<AskCapability>): Promise<CapabilityAnswer> {
    return this.#begin(...asked, false);
  }

  /** Runs the tool's own command, whose line was made of covered arguments, with the variables of its record. Never rejects. */
  runCommand(args: JsonObject, variables: Variables, signal: AbortSignal): Promise<CapabilityAnswer> {
    return this.#begin("shell", "exec", args, null, signal, false, variables);
  }

  #begin(
    ...asked: [...Parameters<AskCapability>, byGuest: boolean, variables?: Variables]
  ): Promise<CapabilityAnswer> {
    const answered = this.#ask(...asked);
    this.#pending.add(answered);
    void answered.finally(() => this.#pending.delete(answered));
    return answered;
  }

  async #ask(
    name: CapabilityName,
    operation: string,
    args: JsonObject,
    content: string | Uint8Array | null,
    signal: AbortSignal,
    byGuest: boolean,
    variables?: Variables,
  ): Promise<CapabilityAnswer> {
    // A guest that asks without the permission has broken out of its runtime; it still gets nothing.
    const permission = CAPABILITY_PERMISSIONS[name];
    if (permission !== null && !this.#permissions.includes(permission)) return notGiven();
    const family = this.#deps.capabilities[name];
    if (family === undefined)
      return refusal("capability_denied", `This deployment has nothing that does what ${name} asks.`);
    const effect = family.operations.get(operation);
    if (effect === undefined) return noSuchOperation(name, operation);
    const refused = byGuest ? await this.#whyNotAsked(name, operation, args, content) : null;
    if (refused) return refused;
    if (this.#calls >= CAPABILITY_CALLS_MAX)
      return refusal(
        "capability_limit",
        `A run may ask ${CAPABILITY_CALLS_MAX} times for files and the like.`,
      );
    this.#calls += 1;
    const span = this.#attempt.span.begin(`${name}.${operation}`, {
      attributes: { "bulkhead.tenant.id": this.#attempt.tenantId },
    });
    const request = { operation, arguments: args, content };
    const work = (): Promise<CapabilityAnswer> =>
      effect === "reads"
        ? family.run(request, this.#caller, signal)
        : variables === undefined
          ? this.#write(family, request, signal)
          : this.#whileHeld(family, { ...request, variables }, signal);
    const told = family.coversAnswers ? () => work().then((answer) => this.#coverAnswer(answer)) : work;
    return within(span, () => this.#orWhyNot(told), {
      answered: (answer) => (answer.ok ? null : answer.code),
      threw: () => "failed",
    });
  }

  async #orWhyNot(work: Work): Promise<CapabilityAnswer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Fault && error.status < 500) return refusalOf(error);
      this.#deps.report("a capability failed", error);
      return refusal("failed", "It could not be done; try again.");
    }
  }

  /** What stays has the run's secrets covered, as its result has; the answer tells where something was. */
  async #write(
    family: CapabilityFamily,
    { operation, arguments: args, content }: Parameters<CapabilityFamily["run"]>[0],
    signal: AbortSignal,
  ): Promise<CapabilityAnswer> {
    const json = JSON.stringify(args);
    const coveredJson = await this.#cover.keptJson(json);
    const coveredContent = content === null ? null : await this.#cover.kept(content);
    const covered = coveredJson !== json || coveredContent !== content;
    const request = {
      operation,
      arguments: coveredJson === json ? args : (JSON.parse(coveredJson) as JsonObject),
      content: coveredContent,
    };
    const answer = await this.#whileHeld(family, request, signal);
    return answer.ok && covered ? { ...answer, value: { ...answer.value, covered } } : answer;
  }

  #whileHeld(
    family: CapabilityFamily,
    request: CapabilityRequest,
    signal: AbortSignal,
  ): Promise<CapabilityAnswer> {
    const run = (): Promise<CapabilityAnswer> => family.run(request, this.#caller, signal);
    return this.#deps.whileHeld(async () =>
      signal.aborted ? refusal("aborted", "The run has given it up.") : this.#orWhyNot(run),
    );
  }

  /**
   * What comes from outside has the run's secrets covered before the run sees it; a picture or a document that shows one as text
   * is withheld.
   */
  async #coverAnswer(answered: CapabilityAnswer): Promise<CapabilityAnswer> {
    if (!answered.ok) return { ...answered, message: this.#cover.text(answered.message) };
    const { shows = "", ...answer } = answered;
    if (shows !== "" && (await this.#cover.keptText(shows)) !== shows) return SHOWS_SECRET;
    const json = JSON.stringify(answer.value);
    const covered = await this.#cover.keptJson(json);
    return covered === json ? answer : { ...answer, value: JSON.parse(covered) as JsonObject };
  }

  get #caller() {
    const { tenantId, executionId, toolName, context } = this.#attempt;
    const { agentId = null, userId = null } = context;
    const { services } = this.#cover.secrets;
    const { way } = this.#deps;
    const progress = (value: Json): void => this.#cover.progress(JSON.stringify(value));
    return { tenantId, executionId, toolName, agentId, userId, services, way, run: this.#attempt, progress };
  }
}

const SHOWS_SECRET = refusal(
  "capability_denied",
  "It shows a secret, which can't be covered in a picture: ask for its text, or for a picture of a part without the secret.",
);

const notGiven = (): Refused => refusal("capability_denied", "The tool has no permission for this.");

const noSuchOperation = (name: string, operation: string): Refused =>
  refusal("invalid_request", `${name} has no operation "${operation.slice(0, NAME_CHARS_MAX)}".`);

const CODES: Readonly<Record<number, Refused["code"]>> = {
  403: "capability_denied",
  404: "not_found",
  409: "conflict",
  412: "conflict",
  413: "capability_limit",
  429: "capability_limit",
};

/** Who asks a capability has sent no request whose body could be wrong: the field and its fault are enough. */
const OF_REQUESTS = /^The (?:body|request) is not valid: /;

/** A fault of the asked as a tool hears of it: the same words, and one of few codes. */
const refusalOf = ({ code, status, detail, message }: Fault): Refused =>
  refusal(
    code.endsWith("quota_exceeded") || code.endsWith("too_many")
      ? "capability_limit"
      : (CODES[status] ?? "invalid_request"),
    (detail ?? message).replace(OF_REQUESTS, ""),
  );

function toEffectAnswer(answer: CapabilityAnswer): EffectAnswer {
  if (!answer.ok) return answer;
  const { value, content } = answer;
  const json = JSON.stringify(value);
  if (content === undefined) return { ok: true, head: "{}", body: json, bodyEncoding: "utf8" };
  if (typeof content === "string") return { ok: true, head: json, body: content, bodyEncoding: "utf8" };
  const { buffer, byteOffset, byteLength } = content;
  const body = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  return { ok: true, head: json, body, bodyEncoding: "base64" };
}
