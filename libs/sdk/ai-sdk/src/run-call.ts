import { BulkheadError, isEnd, type EndEvent, type ExecutionEvent } from "@bulkhead/client";
import type { ToolsClient } from "./client.ts";
import { idempotencyKeyOf, type CallOfLoop } from "./idempotency-key.ts";
import { MARK, outputOf, refusalOf, type CallProgress } from "./outputs.ts";

/** So long an aborted call waits to hear which execution it has made, to cancel it; milliseconds. */
const ABORT_MS_MAX = 5_000;
/** Characters of the AI SDK's id of a call that the API takes as the caller's own. */
const CALL_ID_CHARS_MAX = 256;

interface ToolCall extends CallOfLoop {
  /** Milliseconds from acceptance to the result; the API's default where it is undefined. */
  timeoutMs: number | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Runs a tool: yields how it goes, and last what it gave or why it gave nothing. Waits for a person where one has to allow the
 * call. The signal cancels the execution. Rejects for what no model can mend.
 */
export async function* runCall(
  client: ToolsClient,
  call: ToolCall,
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = call;
  let executionId: string | undefined;
  try {
    signal?.throwIfAborted();
    ({ executionId } = await submit(client, call));
    signal?.throwIfAborted();
    yield* follow(client, executionId, signal);
  } catch (error) {
    if (signal?.aborted) {
      if (executionId !== undefined) await cancel(client, executionId);
      throw signal.reason;
    }
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    yield executionId === undefined ? refusal : { ...refusal, executionId };
  }
}

/** An abort while this is on its way leaves it a little time: of what was never heard of nothing could be cancelled. */
async function submit(client: ToolsClient, { name, args, toolCallId, context, timeoutMs, signal }: ToolCall) {
  const grace = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = (): void => {
    timer = setTimeout(() => grace.abort(signal?.reason), ABORT_MS_MAX);
  };
  signal?.addEventListener("abort", leave, { once: true });
  try {
    const callId = toolCallId.slice(0, CALL_ID_CHARS_MAX);
    const body = { arguments: args as Record<string, unknown>, context: { ...context, callId }, timeoutMs };
    const idempotencyKey = await idempotencyKeyOf({ name, args, toolCallId, context });
    return await client.tools.execute(
      name,
      { ...body, mode: "async" },
      { idempotencyKey, signal: grace.signal },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

async function* follow(
  client: ToolsClient,
  executionId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, undefined> {
  let progress: CallProgress = { [MARK]: "progress", executionId, status: "queued" };
  try {
    for await (const event of client.executions.events(executionId, { signal, waitsForRoom: false })) {
      if (isEnd(event)) {
        // It lacks what is too large for an event.
        yield outputOf(event.data.execution ?? (await client.executions.get(executionId, { signal })));
        return;
      }
      progress = after(progress, event);
      yield progress;
    }
  } catch (error) {
    if (!(error instanceof BulkheadError) || error.code !== "events.too_many_streams") throw error;
  }
  // There is no stream for it: then it is waited for without one.
  yield outputOf(await client.executions.wait(executionId, { signal }));
}

/** Words and an approval stand while the call waits for a person, no longer. */
function after(
  { message: _message, approvalId: _approvalId, expiresAt: _expiresAt, ...progress }: CallProgress,
  told: Exclude<ExecutionEvent, EndEvent>,
): CallProgress {
  switch (told.event) {
    case "execution.awaiting_approval": {
      const { approvalId, expiresAt } = told.data;
      const message = `A person has to allow this call until ${expiresAt}.`;
      return { ...progress, status: "awaiting_approval", message, approvalId, expiresAt };
    }
    case "execution.queued":
    case "execution.retrying":
      return { ...progress, status: "queued" };
    case "execution.started":
      return { ...progress, status: "running" };
    case "execution.progress":
      return { ...progress, value: told.data.value };
    case "execution.log":
      return { ...progress, log: { level: told.data.level, text: told.data.text } };
    case "execution.gap":
      break;
  }
  return progress;
}

/** Rejects where it can't be: then it goes on to its end or its deadline, and whoever aborted it has to know. */
async function cancel(client: ToolsClient, executionId: string): Promise<void> {
  try {
    await client.executions.cancel(executionId, { requestTimeoutMs: ABORT_MS_MAX, retries: 1 });
  } catch (error) {
    if (error instanceof BulkheadError && error.code === "execution.already_ended") return;
    throw new Error(`The call was aborted, and its execution ${executionId} could not be cancelled.`, {
      cause: error,
    });
  }
}
