import { BulkheadError, ToolFailed } from "./errors.ts";
import { hasEnded, isEnd, type ExecutionEvent } from "./events.ts";
import type { AcceptedExecution, ExecuteToolBody, Execution, ToolResult } from "./generated/types.ts";
import type { Operations } from "./generated/operations.ts";
import { readData } from "./http/answer.ts";
import { pauseMs, sleep } from "./http/retry.ts";
import { newKey, type Call, type Transport } from "./http/transport.ts";
import { fillPath } from "./operations.ts";
import type { AnyOptions, CallOptions, OnceOption } from "./options.ts";
import { follow, hasNoRoom, openEvents } from "./stream/follow.ts";

/** How long one request waits for a result: less than the gateways give that cut off silent requests. */
const WAIT_MS = 25_000;
/** An execution has this long beyond its delay at most, as its tool says, unless its call says otherwise; milliseconds. */
const TIMEOUT_MS_DEFAULT = 300_000;
/** So much later than its deadline an execution's end is there for certain. */
const LATE_MS_MAX = 60_000;
/** Between two looks at an execution for which there is no room for a stream; where the API asks for less, that. */
const LOOK_EVERY_MS = 2_000;

/** What a call asks for beside its arguments, and how the client makes it. */
export type RunOptions = Omit<ExecuteToolBody, "mode" | "arguments"> & CallOptions & OnceOption;

export type Wait = (id: string, options?: CallOptions) => Promise<Execution>;

/** Waits until an execution has ended, however long that takes and however it ends. */
export const waitFor =
  (executions: Pick<Operations["executions"], "get" | "events">): Wait =>
  async (id, options = {}) => {
    let roomAt = 0;
    let lookMs = LOOK_EVERY_MS;
    for (;;) {
      const execution = await executions.get(id, options);
      if (hasEnded(execution.status)) return execution;
      if (performance.now() < roomAt) {
        await sleep(lookMs, options.signal);
        continue;
      }
      try {
        for await (const event of executions.events(id, { ...options, waitsForRoom: false }))
          if (isEnd(event) && event.data.execution) return event.data.execution;
      } catch (error) {
        if (!hasNoRoom(error)) throw error;
        const askedMs = error.retryAfterMs ?? LOOK_EVERY_MS;
        roomAt = performance.now() + askedMs;
        lookMs = Math.min(LOOK_EVERY_MS, askedMs);
        await sleep(lookMs, options.signal);
      }
    }
  };

/**
 * Runs a tool and gives its result. A request that breaks, or waits longer than gateways allow, is made again with the same
 * Idempotency-Key, and so goes on waiting for the same run; what waits for a person is followed until it has ended. Rejects
 * with ToolFailed where the run failed.
 */
export async function runTool(
  transport: Transport,
  wait: Wait,
  { name, args, options }: { name: string; args: object; options: RunOptions },
): Promise<unknown> {
  const [asked, call] = split(options);
  const { delayMs = 0, timeoutMs = delayMs + TIMEOUT_MS_DEFAULT } = asked;
  const lastAt = Date.now() + timeoutMs + LATE_MS_MAX;
  const once = { ...call, idempotencyKey: call.idempotencyKey ?? newKey() };
  const requestTimeoutMs = Math.min(WAIT_MS, call.requestTimeoutMs ?? WAIT_MS);
  const body: ExecuteToolBody = { ...asked, arguments: { ...args }, mode: "sync" };
  const request = { ...executeCall(name, body, { ...once, requestTimeoutMs }), isWaiting: true };
  for (;;) {
    try {
      const answer = (await transport.send(request, readData)) as ToolResult | AcceptedExecution;
      return resultOf("links" in answer ? await endOf(wait, answer, call) : answer);
    } catch (error) {
      const code = error instanceof BulkheadError ? error.code : "";
      const goesOn = code === "client.timed_out" || code === "execution.wait_ended";
      if (!goesOn || Date.now() > lastAt) throw error;
      // An API that stops answers every wait at once, until it is gone.
      if (code === "execution.wait_ended") await sleep(pauseMs(0, undefined), call.signal);
    }
  }
}

async function endOf(wait: Wait, { executionId }: AcceptedExecution, options: AnyOptions) {
  const execution = await wait(executionId, options);
  return { ...execution, executionId, tool: execution.toolName };
}

function resultOf(
  end: Pick<ToolResult, "executionId" | "tool" | "status" | "result" | "isError" | "error">,
): unknown {
  if (end.isError || end.status !== "succeeded") throw new ToolFailed(end);
  return end.result;
}

/** Runs a tool and tells its events, each once; a connection that breaks is opened again from behind the last one. */
export async function* streamTool(
  transport: Transport,
  { name, args, options }: { name: string; args: object; options: RunOptions },
): AsyncGenerator<ExecutionEvent, void, undefined> {
  const [asked, call] = split(options);
  const once = { ...call, idempotencyKey: call.idempotencyKey ?? newKey() };
  const begin = executeCall(name, { ...asked, arguments: { ...args }, mode: "stream" }, once);
  let executionId: string | undefined;
  const events = follow((from) => {
    // Until it is known which execution it is, the same call is made again: it is accepted once.
    const next = executionId === undefined ? begin : eventsCall(executionId, call);
    return openEvents(transport, next, from);
  }, call) as AsyncGenerator<ExecutionEvent, void, undefined>;
  for await (const event of events) {
    executionId ??= event.data.executionId;
    yield event;
  }
}

const eventsCall = (executionId: string, options: AnyOptions): Call => ({
  verb: "GET",
  path: fillPath("/api/v1/executions/{id}/events", [["id", executionId]]),
  options,
});

const executeCall = (name: string, body: ExecuteToolBody, options: AnyOptions): Call => ({
  verb: "POST",
  path: fillPath("/api/v1/custom-tools/{name}/execute", [["name", name]]),
  body,
  options,
  isOnce: true,
});

/** What is for the API, and what is for the client. */
function split({
  signal,
  requestTimeoutMs,
  retries,
  headers,
  onResponse,
  idempotencyKey,
  ...asked
}: RunOptions): [Omit<ExecuteToolBody, "mode" | "arguments">, CallOptions & OnceOption] {
  return [asked, { signal, requestTimeoutMs, retries, headers, onResponse, idempotencyKey }];
}
