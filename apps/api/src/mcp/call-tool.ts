import { CallContext, IdempotencyKeyHeader } from "@bulkhead/contracts";
import { EXECUTION_TIMEOUT_MS_MAX, Fault, type JsonObject, compact } from "@bulkhead/core";
import { passedOn } from "@bulkhead/agents";
import { PLAIN_CALL } from "@bulkhead/executions";
import { isSeen } from "@bulkhead/policy";
import { requireAction } from "@bulkhead/tenants";
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { idempotencyKeyOf } from "../edge/idempotency-key.ts";
import { prepareScript } from "../routes/meta-tools/run-code.ts";
import type { Asker, Exchange } from "./asker.ts";
import { requestKey } from "./event-ids.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { CallToolCall, callOwnTool, ownArguments, RunCodeCall } from "./own-tools.ts";
import { refusalOf } from "./present-call.ts";
import { protocolErrorOf } from "./rpc-errors.ts";
import { GetExecutionCall, OWN_TOOLS } from "./views.ts";
import { submitAndWait, waitAgain } from "./wait-for-call.ts";

const CallMeta = z.looseObject({
  "bulkhead/idempotencyKey": IdempotencyKeyHeader,
  "bulkhead/context": CallContext.default({}),
  "bulkhead/timeoutMs": z.int().min(1).max(EXECUTION_TIMEOUT_MS_MAX).optional(),
});

type Meta = z.output<typeof CallMeta>;

interface Asked {
  name: string;
  arguments?: unknown;
}

/** Calls a tool as REST would, and answers its result, or where to get it. An unknown tool is the protocol's error. */
export async function callTool(
  deps: McpDeps,
  asker: Asker,
  asked: Asked,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { exchange } = asker;
  let isCancelled = false;
  exchange.isServed = true;
  try {
    const result = await call(deps, asker, asked, ctx);
    isCancelled = result._meta?.["bulkhead/status"] === "cancelled";
    return result;
  } finally {
    // A client that lost its connection comes back for it.
    const ended = exchange.left.aborted ? null : endCall(deps, exchange);
    if (isCancelled) await ended;
  }
}

/** Nobody waits for the answer of a call that its client has cancelled: none is sent. */
async function endCall({ sessions, report }: McpDeps, exchange: Exchange): Promise<void> {
  const { session, place } = exchange;
  if (!session || !place) return;
  const ended = sessions.endCall(session, requestKey(place.requestId)).catch((error: unknown) => {
    report("forgetting a call of an MCP session failed", error);
    return true;
  });
  if (!(await ended)) exchange.breakOff();
}

async function call(
  deps: McpDeps,
  asker: Asker,
  { name, arguments: said }: Asked,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const args = (said ?? {}) as JsonObject;
  const meta = readMeta(ctx);
  const context = meta["bulkhead/context"];
  try {
    const isOwn = OWN_TOOLS.code.some((tool) => tool.name === name);
    if (isOwn && !isSeen(asker.principal, context, { name })) throw new Fault("tool.not_found");
    if (name === "get_execution")
      return await waitAgain(deps, asker, ownArguments(name, GetExecutionCall, args).executionId, ctx);
    requireAction(asker.asks, "executions.run");
    if (name === "run_code") return await runCode(deps, asker, args, meta, ctx);
    if (name === "call_tool") {
      const { ref, arguments: passed } = passedOn({ ...ownArguments(name, CallToolCall, args), context });
      return await runTool(deps, asker, ref, passed as JsonObject, meta, ctx);
    }
    const own = await callOwnTool(deps, asker, name, args, context);
    return own ?? (await runTool(deps, asker, name, args, meta, ctx));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === "tool.not_found")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`, { code: error.code });
    // A model can read and mend what it did wrong; the rest is the client's to know.
    if (error.status < 500 && error.code !== "auth.forbidden") return refusalOf(error);
    throw protocolErrorOf(error);
  }
}

/** What the client says beside a call; a model, who writes the arguments, doesn't say it. */
function readMeta({ mcpReq }: ServerContext): Meta {
  const meta = CallMeta.safeParse(mcpReq._meta ?? {});
  if (meta.success) return meta.data;
  const [issue] = meta.error.issues;
  const where = ["_meta", ...(issue?.path ?? [])].join(".");
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${where}: ${issue?.message}`, { path: where });
}

async function runTool(
  deps: McpDeps,
  asker: Asker,
  ref: string,
  args: JsonObject,
  meta: Meta,
  ctx: ServerContext,
) {
  const { principal, executionId, origin } = asker;
  const context = compact(meta["bulkhead/context"]);
  const timeoutMs = meta["bulkhead/timeoutMs"] ?? null;
  const asked = { mcp: ref, arguments: args, context, timeoutMs };
  const once = idempotencyKeyOf(meta["bulkhead/idempotencyKey"], principal, asked);
  const submit = () =>
    deps.submitCall(principal, {
      ...PLAIN_CALL,
      ...origin,
      ref,
      version: undefined,
      callback: undefined,
      executionId,
      arguments: args,
      timeoutMs,
      context,
      once,
    });
  return submitAndWait(deps, asker, submit, ctx);
}

async function runCode(deps: McpDeps, asker: Asker, args: JsonObject, meta: Meta, ctx: ServerContext) {
  const { principal, executionId, origin } = asker;
  const asked = { ...ownArguments("run_code", RunCodeCall, args), context: meta["bulkhead/context"] };
  const { submit } = await prepareScript(deps, principal, asked, origin, executionId);
  return submitAndWait(deps, asker, submit, ctx);
}
