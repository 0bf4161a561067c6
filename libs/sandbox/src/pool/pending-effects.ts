import type { Effect, SandboxHooks, SandboxRun } from "@bulkhead/core";
import { CAPABILITY_CONTENT_BYTES_MAX, EFFECTS_PENDING_MAX, HMAC_DATA_BYTES_MAX } from "../wire/bounds.ts";
import { readEffectHead, type EffectHead } from "../wire/effect.ts";
import { WireError } from "../wire/wire-error.ts";
import type { EffectAnswer } from "../wire/to-sandbox.ts";
import type { EffectFrame } from "../wire/from-sandbox.ts";

const INVALID = {
  ok: false,
  code: "invalid_request",
  message: "The request can't be sent: a part of it is too long or of the wrong kind.",
} as const;

const NO_NETWORK = {
  ok: false,
  code: "egress_denied",
  message: "The tool has no network permission.",
} as const;

const NO_CAPABILITY = {
  ok: false,
  code: "capability_denied",
  message: "The tool has no permission for this.",
} as const;

/** The guest keeps the list that it was given, so a tool needs one. */
const LISTS_MAX = 10;
const TOO_MANY_LISTS = {
  ok: false,
  code: "call_limit",
  message: `More than ${LISTS_MAX} lists in one run.`,
} as const;

/** Signatures cost the worker's own thread. */
const SIGNATURES_MAX = 1_000;
const TOO_MANY_SIGNATURES = {
  ok: false,
  code: "invalid_request",
  message: `utils.hmac signs ${SIGNATURES_MAX} times in one run at most.`,
} as const;

/** The effects of one run that wait for their answer, and the bodies that are still being read. */
export class PendingEffects {
  readonly #run: SandboxRun;
  readonly #hooks: Pick<SandboxHooks, "onEffect">;
  readonly #reply: (requestId: number, answer: EffectAnswer) => void;
  /** By request id; a fetch that was answered stays, so that its body can be given up. */
  readonly #open = new Map<number, AbortController>();
  #waiting = 0;
  #lists = 0;
  #signatures = 0;
  #unpermitted = 0;
  #closed = false;

  constructor(
    run: SandboxRun,
    hooks: Pick<SandboxHooks, "onEffect">,
    reply: (requestId: number, answer: EffectAnswer) => void,
  ) {
    this.#run = run;
    this.#hooks = hooks;
    this.#reply = reply;
  }

  /** Throws a WireError for what a sound sandbox would not ask. */
  start(frame: EffectFrame): void {
    const { requestId } = frame;
    if (this.#open.has(requestId) || this.#waiting >= EFFECTS_PENDING_MAX)
      throw new WireError("it may not send this request");
    const effect = toEffect(frame);
    if (effect === null) return this.#reply(requestId, INVALID);
    // A tool can make its guest ask for anything, and is refused what it may not have; who goes on asking is no guest.
    if (effect.kind === "fetch" && !this.#run.network) {
      if (++this.#unpermitted > EFFECTS_PENDING_MAX)
        throw new WireError("it asks for the network without the permission");
      return this.#reply(requestId, NO_NETWORK);
    }
    if (effect.kind === "capability" && !gives(this.#run, effect.family)) {
      if (++this.#unpermitted > EFFECTS_PENDING_MAX)
        throw new WireError("it asks for a capability without the permission");
      return this.#reply(requestId, NO_CAPABILITY);
    }
    if (effect.kind === "list_tools" && ++this.#lists > LISTS_MAX) {
      if (this.#lists > LISTS_MAX + EFFECTS_PENDING_MAX) throw new WireError("it asks for lists without end");
      return this.#reply(requestId, TOO_MANY_LISTS);
    }
    if (effect.kind === "hmac" && ++this.#signatures > SIGNATURES_MAX)
      return this.#reply(requestId, TOO_MANY_SIGNATURES);
    const controller = new AbortController();
    this.#open.set(requestId, controller);
    this.#waiting++;
    void this.#hooks.onEffect(effect, controller.signal).then((answer) => {
      this.#waiting--;
      if (effect.kind !== "fetch" || !answer.ok) this.#open.delete(requestId);
      if (!this.#closed) this.#reply(requestId, answer);
    });
  }

  giveUp(requestId: number): void {
    this.#open.get(requestId)?.abort();
    this.#open.delete(requestId);
  }

  /** Gives everything up; nothing is replied any more. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#open.values()) controller.abort();
    this.#open.clear();
  }
}

function toEffect(frame: EffectFrame): Effect | null {
  const head = readEffectHead(frame);
  if (head === null) return null;
  if (head.kind === "fetch") {
    const { url, method, headers, redirect } = head;
    const { requestId, body, bodyEncoding } = frame;
    return { kind: "fetch", requestId, request: { url, method, headers, redirect, body, bodyEncoding } };
  }
  if (head.kind === "hmac") return toSigning(head, frame);
  if (head.kind === "capability") return toCapability(head, frame);
  if (head.kind !== "call_tool") return head;
  return frame.body === null || frame.bodyEncoding !== "utf8"
    ? null
    : { kind: "call_tool", name: head.name, argumentsJson: frame.body };
}

function toSigning(
  { kind, ...asked }: Extract<EffectHead, { kind: "hmac" }>,
  frame: EffectFrame,
): Effect | null {
  const { body, bodyEncoding } = frame;
  const data = body ?? "";
  if (Buffer.byteLength(data, bodyEncoding) > HMAC_DATA_BYTES_MAX) return null;
  return { kind, request: { ...asked, data, dataEncoding: bodyEncoding } };
}

function toCapability(
  head: Extract<EffectHead, { kind: "capability" }>,
  { body, bodyEncoding }: EffectFrame,
): Effect | null {
  if (Buffer.byteLength(body ?? "", bodyEncoding) > CAPABILITY_CONTENT_BYTES_MAX) return null;
  return { ...head, content: body, contentEncoding: bodyEncoding };
}

const gives = ({ capabilities = [] }: Pick<SandboxRun, "capabilities">, family: string): boolean =>
  capabilities.some((name) => name === family);
