import type {
  EventStream,
  Execution,
  ExecutionKey,
  StreamGap,
  ExecutionEvent,
  Timings,
} from "@bulkhead/domain";
import { waitForEnd, type Submitted, type WaitDeps } from "@bulkhead/execution";
import { Fault } from "@bulkhead/faults";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ok } from "./http/envelope.ts";
import { sendEventStream } from "./http/event-stream-reply.ts";
import { billOf, serverTiming } from "./present/bill.ts";
import { linksOf, presentResult } from "./present/present-execution.ts";

export type Mode = "sync" | "async" | "stream";

export interface AnswerDeps extends WaitDeps {
  stream: EventStream;
  /** Fire when this process stops: streams end first (their readers resume elsewhere), waits have a grace. */
  stopping: { streams: AbortSignal; waits: AbortSignal };
}

export interface Call {
  key: ExecutionKey;
  submit(): Promise<Submitted>;
  /** Marks the answer of a dry run. */
  testMode: boolean;
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
      return answerSync(deps, request, reply, call);
    case "async": {
      const { status } = await call.submit();
      const { executionId } = call.key;
      void reply.status(202).header("location", linksOf(executionId).self);
      return ok(request, { executionId, status, links: linksOf(executionId) });
    }
    case "stream":
      await call.submit();
      return streamExecution(deps, reply, call.key, null);
  }
}

/** Follows an execution as server-sent events from behind `after`. */
export async function streamExecution(
  deps: Pick<AnswerDeps, "stream" | "stopping">,
  reply: FastifyReply,
  key: ExecutionKey,
  after: string | null,
): Promise<void> {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, deps.stopping.streams]);
  const events: AsyncIterable<ExecutionEvent | StreamGap> = deps.stream.follow(key, after, signal);
  await sendEventStream(reply, events, key.executionId, controller);
}

/** Waits for the end and answers the result. The caller who leaves stops waiting, not the execution. */
export async function answerSync(deps: AnswerDeps, request: FastifyRequest, reply: FastifyReply, call: Call) {
  const acceptMs = reply.elapsedTime;
  const left = new AbortController();
  reply.raw.once("close", () => left.abort());
  const watch = deps.stream.watchEnd(call.key);
  let submitted: Submitted;
  let ended: Execution | null;
  try {
    // Watching and committing go side by side: the end can't come before the row is there.
    [submitted] = await Promise.all([call.submit(), watch.ready]);
    const signal = AbortSignal.any([left.signal, deps.stopping.waits]);
    ended = await waitForEnd(deps, call.key, submitted.execution.deadlineAt, watch, signal);
  } finally {
    watch.close();
  }
  if (!ended) return leftEarly(call.key);
  const bill: Timings = billOf(acceptMs, submitted.timings, ended.timings, reply.elapsedTime);
  void reply.header("server-timing", serverTiming(bill));
  return ok(request, {
    ...presentResult(ended, bill),
    ...(call.testMode ? { testMode: true as const } : {}),
  });
}

/** Nobody is there to read it, or this process stops; the execution goes on and can be read by its id. */
function leftEarly({ executionId }: ExecutionKey): never {
  throw new Fault("execution.wait_ended", {
    detail: `The execution goes on; don't run it again, read it: GET ${linksOf(executionId).self}.`,
  });
}
