import {
  contentOfMcp,
  LARGE_JSON_CHARS,
  readContent,
  type EffectAnswer,
  type EndingLayer,
  type Json,
  type JsonObject,
  type McpAnswer,
  type McpBridge,
  type McpRefusal,
  type PinnedRef,
  type RunLimits,
  type SandboxOutcome,
} from "@bulkhead/core";
import { CUT_MARK } from "@bulkhead/sandbox/wire";
import type { Cover } from "../secrets/cover.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Effects } from "./effects.ts";
import type { RunVerdict, ServerOutcome } from "./run-verdict.ts";
import { ServerLog } from "./server-log.ts";
import type { HeldAttempt } from "./tool-calls.ts";

export interface ServerCallDeps {
  mcp: Pick<McpBridge, "call">;
}

/** UTF-16 units of what a server says of a failure. */
const MESSAGE_CHARS_MAX = 1_900;

/**
 * Calls the tool's server in place of its code. Secrets that stand in the arguments do not leave: a stranger gets what its own
 * setup gives it. The call is on record as an effect before it is sent. Never rejects.
 */
export async function callServer(
  { mcp }: ServerCallDeps,
  held: HeldAttempt,
  tool: { mcp: PinnedRef; limits: RunLimits; outputSchema: JsonObject | null },
  { cover, log, effects }: { cover: Cover; log: AttemptLog; effects: Pick<Effects, "begin"> },
  signal: AbortSignal,
): Promise<RunVerdict> {
  const { tenantId, executionId, argumentsJson, span } = held;
  const { limits, outputSchema } = tool;
  const startedAt = performance.now();
  log.started();
  const covered = cover.json(argumentsJson);
  if (covered !== argumentsJson) log.say({ type: "execution.log", level: "warn", text: HELD_SECRETS });
  const told = new ServerLog(cover, limits.logBytes);
  let refused: Extract<EffectAnswer, { ok: false }> | null = null;
  const answer = await mcp.call(
    {
      ...tool.mcp,
      tenantId,
      executionId,
      argumentsJson: covered,
      timeoutMs: limits.wallMs,
      traceparent: span.isRecording ? span.traceparent : null,
    },
    {
      async onSend() {
        const begun = await effects.begin();
        if (!begun.ok) refused = begun;
        return begun.ok;
      },
      onProgress: (json) => told.progress(json),
      onLog: (lines) => told.lines(lines),
    },
    signal,
  );
  const outcome = answer.ok
    ? readAnswer(answer.resultJson, limits, outputSchema !== null)
    : outcomeOf(answer, limits, refused, signal);
  if (outcome.outcome === "returned" && outcome.json.length > LARGE_JSON_CHARS)
    await cover.largeResult(outcome.json);
  const { connectMs, callMs } = answer;
  const isAnswered = outcome.outcome === "returned" || outcome.outcome === "threw";
  const endedBy: EndingLayer = isAnswered ? "guest" : "worker";
  const wallMs = performance.now() - startedAt;
  const usage = { cpuMs: 0, wallMs, memoryPeakMib: 0, bindMs: 0 };
  return { ...outcome, usage, endedBy, process: "own", times: { connectMs, callMs } };
}

const HELD_SECRETS =
  "The arguments held a secret, which was replaced before they were sent to the tool's MCP server.";

const OUTCOMES = {
  unreachable: "unreachable",
  connection_lost: "connection_lost",
  tool_changed: "tool_changed",
  protocol_error: "protocol_error",
  timeout: "wall",
  aborted: "aborted",
  too_large: "result_too_large",
} as const satisfies Record<McpRefusal, (SandboxOutcome | ServerOutcome)["outcome"]>;

/** A call that was not let out, though its run goes on, was not sent; one that nobody stopped here was stopped on its way. */
function outcomeOf(
  { code, message }: Extract<McpAnswer, { ok: false }>,
  { wallMs }: Pick<RunLimits, "wallMs">,
  refused: { message: string } | null,
  { aborted }: AbortSignal,
): SandboxOutcome | ServerOutcome {
  if (code === "timeout")
    return {
      outcome: "wall",
      message: `The tool's server did not answer within ${wallMs} ms (limits.wallMs).`,
    };
  if (code === "aborted" && !aborted)
    return refused
      ? { outcome: "unreachable", message: refused.message }
      : { outcome: "connection_lost", message };
  return { outcome: OUTCOMES[code], message: cut(message) };
}

function readAnswer(
  resultJson: string,
  { resultBytes }: Pick<RunLimits, "resultBytes">,
  hasSchema: boolean,
): SandboxOutcome | ServerOutcome {
  const result = parse(resultJson);
  if (result === null)
    return {
      outcome: "protocol_error",
      message: "The tool's server answered with something that is no result.",
    };
  if (result["isError"] === true)
    return { outcome: "threw", message: cut(textsOf(result)?.join("\n") || NO_WORDS) };
  const json = JSON.stringify(valueOf(result, hasSchema));
  if (Buffer.byteLength(json) <= resultBytes) return { outcome: "returned", json };
  const message = `The result is larger than ${resultBytes} bytes as JSON (limits.resultBytes).`;
  return { outcome: "result_too_large", message };
}

const NO_WORDS = "The tool's server answered that the call failed, and did not say why.";

function parse(json: string): JsonObject | null {
  try {
    const value = JSON.parse(json) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * The result as a tool of the tenant's would have returned it: where the tool has an output schema, what the server gives as
 * data; else a text, or nothing, as such. Anything else that it shows, such as an image, is content.
 */
function valueOf(result: JsonObject, hasSchema: boolean): Json {
  const texts = textsOf(result, true);
  const { structuredContent: data } = result;
  if (texts === null) return contentOfMcp(result);
  if (hasSchema && data !== undefined) return data;
  return texts.length === 0 ? null : texts.join("\n");
}

/** The texts of the content; null where they shall be all of it and are not. */
function textsOf(result: JsonObject, onlyTexts = false): string[] | null {
  const parts = readContent(contentOfMcp(result))?.parts ?? [];
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return onlyTexts && texts.length < parts.length ? null : texts;
}

const cut = (text: string): string =>
  text.length > MESSAGE_CHARS_MAX ? text.slice(0, MESSAGE_CHARS_MAX).toWellFormed() + CUT_MARK : text;
