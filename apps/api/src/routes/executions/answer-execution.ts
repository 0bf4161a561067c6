import {
  forModel,
  isTerminal,
  type EventStream,
  type Execution,
  type ExecutionKey,
  type ExecutionStatus,
  type ExecutionStore,
  type SignalBus,
  type Timings,
  Fault,
} from "@bulkhead/core";
import { noSuchExecution, type BatchYield, type Submitted, type waitForEnd } from "@bulkhead/executions";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callOutcome } from "../../edge/call-metrics.ts";
import { watchKey } from "../../edge/authentication.ts";
import { ok } from "../../edge/envelope.ts";
import { sendEventStream } from "../../edge/event-stream-reply.ts";
import type { StreamSlots } from "../../edge/stream-slots.ts";
import type { Given } from "../../given.ts";
import { billOf, serverTiming } from "./bill.ts";
import { frameOf } from "./present-event.ts";
import { linksOf, presentAccepted, presentResult } from "./present-execution.ts";

type Mode = "sync" | "async" | "stream";

export interface AnswerDeps {
  findExecution: ExecutionStore["find"];
  waitForEnd: Given<typeof waitForEnd>;
  stream: Pick<EventStream, "follow" | "watchEnd">;
  executionStreams: Pick<StreamSlots, "holding">;
  batchYield: Pick<BatchYield, "came">;
  /** Tells of keys that are gone. */
  signals: Pick<SignalBus, "subscribe">;
  /** Fire when this process stops: streams end first (their readers resume elsewhere), waits have a grace. */
  stopping: { streams: AbortSignal; waits: AbortSignal };
}

export interface Call {
  key: ExecutionKey;
  submit(): Promise<Submitted>;
  /** Marks the answer of a dry run. */
  testMode: boolean;
  /** The answer is read by a model, which gets of the result what is for it. */
  byModel?: boolean;
  /** Warnings for the maker of the code, beside the result. */
  warnings?: string[];
}

/** Submits a call and answers it the way its mode asks for. */
export async function answerExecution(
  deps: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: Mode,
  call: Call,
) {
  switch (mode) {
    case "sync":
      return answerSyncOrWaiting(deps, request, reply, call);
    case "async": {
      const submitted = await submit(deps, reply, call);
      const { executionId } = submitted;
      const { status } = submitted.repeated ? await found(deps, { ...call.key, executionId }) : submitted;
      return answerAccepted(request, reply, executionId, status);
    }
    case "stream":
      // The slot is taken before the call is submitted: a call that is refused for want of one has not run.
      return deps.executionStreams.holding(call.key.tenantId, async () => {
        const { executionId } = await submit(deps, reply, call);
        await sendExecution(deps, reply, { ...call.key, executionId }, null);
      });
  }
}

/** A refused call doesn't count as one that batches yield to. */
async function submit({ batchYield }: AnswerDeps, reply: FastifyReply, call: Call): Promise<Submitted> {
  const submitted = await call.submit();
  if (submitted.repeated) tellRepeat(reply);
  batchYield.came();
  return submitted;
}

/** Says that the answer is an earlier call's, which had the same `Idempotency-Key`. */
export const tellRepeat = (reply: FastifyReply): void => void reply.header("idempotent-replayed", "true");

/** Answers 202 with the place to go on, and the one where a person answers if one has to. */
export function answerAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  executionId: string,
  status: ExecutionStatus,
) {
  void reply.status(202).header("location", linksOf(executionId).self);
  return ok(request, presentAccepted(executionId, status));
}

async function found({ findExecution }: AnswerDeps, key: ExecutionKey): Promise<Execution> {
  const execution = await findExecution(key);
  // A key may outlive its execution, where a deployment keeps executions for less than a day.
  if (!execution) throw noSuchExecution();
  return execution;
}

/** Follows an execution as server-sent events from behind `after`; `events.too_many_streams` where there is no room. */
export async function streamExecution(
  deps: Pick<AnswerDeps, "stream" | "executionStreams" | "signals" | "stopping">,
  reply: FastifyReply,
  key: ExecutionKey,
  after: string | null,
): Promise<void> {
  await deps.executionStreams.holding(key.tenantId, () => sendExecution(deps, reply, key, after));
}

async function sendExecution(
  deps: Pick<AnswerDeps, "stream" | "signals" | "stopping">,
  reply: FastifyReply,
  key: ExecutionKey,
  after: string | null,
): Promise<void> {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, deps.stopping.streams]);
  const unwatch = watchKey(deps.signals, reply.request, () => controller.abort());
  try {
    const events = deps.stream.follow(key, after, signal);
    await sendEventStream(reply, events, (event) => frameOf(event, key.executionId), controller);
  } finally {
    unwatch();
  }
}

/** Waits for the end and answers the result, for calls that wait for nobody's word. */
export async function answerSync(deps: AnswerDeps, request: FastifyRequest, reply: FastifyReply, call: Call) {
  const acceptMs = reply.elapsedTime;
  return answerResult(request, reply, call, await submitAndWait(deps, reply, call), acceptMs);
}

/**
 * `answerSync` for calls that a person may have to allow: then it is answered at once, with the place to ask. Somebody may
 * have answered meanwhile, so it may go on by then.
 */
async function answerSyncOrWaiting(
  deps: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
) {
  const acceptMs = reply.elapsedTime;
  const waited = await submitAndWait(deps, reply, call);
  const { submitted, execution } = waited;
  const status = execution?.status ?? (submitted.repeated ? null : submitted.status);
  const waits = status === "awaiting_approval" || (execution !== null && !isTerminal(execution.status));
  if (waits && status !== null) return answerAccepted(request, reply, submitted.executionId, status);
  return answerResult(request, reply, call, waited, acceptMs);
}

interface Waited {
  submitted: Submitted;
  /** Ended, or waiting for a person; null where nobody waited for it any more. */
  execution: Execution | null;
}

/** The caller who leaves stops waiting, not the execution. */
async function submitAndWait(deps: AnswerDeps, reply: FastifyReply, call: Call): Promise<Waited> {
  const { signal, release } = signalOfLeaving(reply, deps.stopping.waits);
  const watch = deps.stream.watchEnd(call.key);
  try {
    // Watching and committing go side by side: the end can't come before the row is there.
    const [submitted] = await Promise.all([submit(deps, reply, call), watch.ready]);
    const execution = submitted.repeated
      ? await endOfEarlier(deps, { ...call.key, executionId: submitted.executionId }, signal)
      : submitted.status === "queued"
        ? await deps.waitForEnd(call.key, submitted.deadlineAt, watch, signal)
        : null;
    return { submitted, execution };
  } catch (error) {
    // A refusal is the caller's to mend; a failure is ours.
    if (!(error instanceof Fault) || error.status >= 500) reply.server.metrics.syncCall("platform_error");
    throw error;
  } finally {
    watch.close();
    release();
  }
}

/**
 * Fires when the caller leaves or this process stops; no more once it is released: every answer ends in a close, and an
 * abort that nobody hears makes an error with its stack. `AbortSignal.any` would be one more such signal for each call.
 */
function signalOfLeaving(reply: FastifyReply, stopping: AbortSignal) {
  const left = new AbortController();
  const leave = (): void => left.abort();
  if (stopping.aborted) leave();
  reply.raw.once("close", leave);
  stopping.addEventListener("abort", leave, { once: true });
  const release = (): void => {
    reply.raw.off("close", leave);
    stopping.removeEventListener("abort", leave);
  };
  return { signal: left.signal, release };
}

function answerResult(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  { submitted, execution }: Waited,
  acceptMs: number,
) {
  if (!execution) return leftEarly(reply, { ...call.key, executionId: submitted.executionId });
  request.server.metrics.syncCall(callOutcome(execution));
  const bill: Timings = billOf(
    acceptMs,
    submitted.repeated ? {} : submitted.timings,
    execution.timings,
    reply.elapsedTime,
  );
  void reply.header("server-timing", serverTiming(bill));
  const shown = call.byModel ? { ...execution, result: forModel(execution.result) } : execution;
  return ok(request, {
    ...presentResult(shown, bill),
    ...(call.testMode ? { testMode: true as const } : {}),
    ...(call.warnings?.length ? { warnings: call.warnings } : {}),
  });
}

/** A repeat of a call gets the end of the first one once it is there, and its state at once where that waits for a person. */
async function endOfEarlier(
  deps: AnswerDeps,
  key: ExecutionKey,
  signal: AbortSignal,
): Promise<Execution | null> {
  const watch = deps.stream.watchEnd(key);
  try {
    await watch.ready;
    const execution = await found(deps, key);
    return isTerminal(execution.status) || execution.status === "awaiting_approval"
      ? execution
      : await deps.waitForEnd(key, execution.deadlineAt, watch, signal);
  } finally {
    watch.close();
  }
}

/** The caller has left, or this process stops; the execution goes on and can be read by its id. */
function leftEarly(reply: FastifyReply, { executionId }: ExecutionKey): void {
  // A caller who leaves is no failure of ours: there is nobody to answer and nothing to log.
  if (reply.raw.destroyed) return void reply.hijack();
  reply.server.metrics.syncCall("platform_error");
  throw new Fault("execution.wait_ended", {
    detail: `The execution goes on; don't run it again, read it: GET ${linksOf(executionId).self}.`,
  });
}
