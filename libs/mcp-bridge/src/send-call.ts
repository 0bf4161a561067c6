import type { McpOffer, McpToolCall } from "@bulkhead/core";
import {
  type Client,
  LOG_LEVEL_META_KEY,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  TRACEPARENT_META_KEY,
} from "@modelcontextprotocol/client";
import { bridgeErrorIn } from "./bridge-error.ts";
import { refusal, type Refused } from "./refusal.ts";
import type { RunningCall } from "./running-call.ts";

/** Lines below it are not asked for. */
export const LEAST_LEVEL = "info";

/** Status of the answer to a session that its server has forgotten. */
const FORGOTTEN = 404;

/** Sends a call; resolves with the JSON of its result. */
export async function sendCall(
  client: Client,
  call: McpToolCall,
  { name, inputSchema }: McpOffer,
  running: RunningCall,
  signal: AbortSignal,
): Promise<string> {
  const args = JSON.parse(call.argumentsJson) as Record<string, unknown>;
  const meta = {
    ...(call.traceparent === null ? {} : { [TRACEPARENT_META_KEY]: call.traceparent }),
    ...(client.getProtocolEra() === "modern" ? { [LOG_LEVEL_META_KEY]: LEAST_LEVEL } : {}),
  };
  const { content, structuredContent, isError } = await client.callTool(
    { name, arguments: args, _meta: meta },
    {
      signal,
      timeout: call.timeoutMs,
      onprogress: (progress) => running.onProgress(progress),
      // Without an output schema the client compiles none: a stranger's schema is judged elsewhere.
      toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
    },
  );
  return JSON.stringify({
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  });
}

/** Whether the server knows our session no more, as after it was started anew: then nothing more comes of the connection. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.status === FORGOTTEN;

/** Why a call that was sent has no answer; `words` are covered. */
export function refusalOf(error: unknown, words: string, timeoutMs: number): Refused {
  const own = bridgeErrorIn(error);
  if (own) return refusal(own.code === "too_large" ? "too_large" : "connection_lost", words);
  if (isForgotten(error)) return refusal("connection_lost", "the server has forgotten the session");
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return refusal("timeout", `the server did not answer within ${timeoutMs} ms`);
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return refusal("connection_lost", "the connection ended before the server's answer");
  return refusal("protocol_error", words);
}
