import { AcceptedBatch, BatchCall, ExecuteBatch, timeBeyondDelay } from "@bulkhead/contracts";
import { type Callback, type Clock, type TenantPrincipal, type Tool, Fault, compact } from "@bulkhead/core";
import {
  inTurns,
  nextExecutionId,
  PLAIN_CALL,
  type BuiltInTool,
  type BatchYield,
} from "@bulkhead/executions";
import type { SaidOfAsker } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { callOriginOf } from "../../edge/call-origin.ts";
import { ok } from "../../edge/envelope.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import type { ToolLookup } from "../tools/tool-lookup.ts";
import { tellRepeat } from "./answer-execution.ts";
import { readBatchCalls } from "./batch-calls.ts";
import { countRefused, presentBatchAnswer } from "./present-batch.ts";
import { requireStored, SubmissionHeaders } from "./submission.ts";
import type { Calls } from "./wire-executions.ts";

export type BatchRouteDeps = Pick<Calls, "submitBatch" | "readCallback"> & {
  toolLookup: Pick<ToolLookup, "findCallable">;
  batchYield: Pick<BatchYield, "begin">;
  clock: Clock;
};

/** Stands for a call that could not be read; its fault is its answer. */
const NO_CALL = BatchCall.parse({ tool: "no_call" });

/** Many calls in one request. */
export function batchRoute(app: ApiScope, deps: BatchRouteDeps): void {
  app.post(
    "/executions/batch",
    {
      config: { action: "executions.run", needsRedis: true },
      // A call that breaks the contract has an answer of its own, like one whose tool is not there.
      attachValidation: true,
      schema: {
        tags: ["executions"],
        summary: "Run many tools: one answer for each call, in order",
        headers: SubmissionHeaders,
        body: ExecuteBatch,
        response: answers({ 202: AcceptedBatch }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const read = readBatchCalls(request);
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, request.body.executions);
      const executions = read.map((call) => (call instanceof Fault ? NO_CALL : call));
      requireStored(
        principal,
        executions.map(({ store = true }) => store),
      );
      const refs = executions.map(refOf);
      const tools = await findTools(deps, principal, executions, refs);
      const callbacks = await readCallbacks(deps, principal.tenantId, executions);
      const origin = callOriginOf(request);
      const calls = await inTurns(
        executions,
        ({ tool: _ref, version: _pinned, context, callback: _unchecked, store = true, ...call }, place) => ({
          ...PLAIN_CALL,
          source: "batch" as const,
          ...call,
          store,
          timeoutMs: timeBeyondDelay(call),
          executionId: nextExecutionId(deps.clock),
          context: compact(context),
          ...origin,
          // Each call of a batch is accepted once by itself, so that a batch of which only a part got a place can be sent again.
          once: once && { ...once, key: `part/${place}/${once.key}`, partOf: once.key },
          ...calleeOf(read[place], callbacks[place], tools.get(refs[place] ?? "")),
        }),
      );
      const answered = await deps.submitBatch(principal, calls);
      countRefused(app, answered);
      const accepted = answered.filter((answer) => !(answer instanceof Fault));
      if (accepted.length > 0 && accepted.every(({ repeated }) => repeated)) tellRepeat(reply);
      void reply.status(202);
      return ok(request, { executions: answered.map(presentBatchAnswer) });
    },
  );
}

/** Tools that are looked up at a time: as many as leave room for those who call alone. */
const LOOKED_UP_AT_ONCE = 8;

/** The tools that the calls name, each looked up once; what is not found is the fault that says so. */
async function findTools(
  { toolLookup, batchYield }: BatchRouteDeps,
  principal: TenantPrincipal,
  calls: CalledTool[],
  refs: string[],
): Promise<Map<string, Callee | Fault>> {
  const named = new Map(calls.map((call, place) => [refs[place] ?? "", call]));
  const find = async ([ref, { tool, version, context }]: [string, CalledTool]) => {
    const looked = toolLookup.findCallable(principal, tool, { ...context, version }).catch(asRefusal);
    return [ref, await looked] as const;
  };
  return new Map(await inTurns([...named], find, { pause: batchYield.begin(), atOnce: LOOKED_UP_AT_ONCE }));
}

type Callee = Tool | BuiltInTool;

interface CalledTool {
  tool: string;
  version?: number | undefined;
  context: SaidOfAsker;
}

const refOf = ({ tool, version, context }: CalledTool): string =>
  JSON.stringify([
    tool,
    version,
    context.agentId,
    context.userId,
    context.provider,
    context.group,
    context.subagentDepth,
  ]);

/** The tool of a call and where its end is told, or the first fault that there is with the call. */
function calleeOf(
  read: unknown,
  callback: Callback | Fault | null | undefined,
  tool: Callee | Fault | undefined,
): { tool: Callee | Fault; callback: Callback | null } {
  const fault = [read, callback].find((part) => part instanceof Fault);
  if (fault) return { tool: fault, callback: null };
  return {
    tool: tool ?? new Fault("tool.not_found"),
    callback: callback instanceof Fault ? null : (callback ?? null),
  };
}

/** The callbacks in the order of the calls, null where there is none; one that is refused is the fault that says why. */
const readCallbacks = (
  { readCallback }: BatchRouteDeps,
  tenantId: string,
  calls: { callback?: Parameters<BatchRouteDeps["readCallback"]>[1] | undefined }[],
): Promise<(Callback | Fault | null)[]> =>
  inTurns(calls, ({ callback }) => {
    if (!callback) return null;
    return readCallback(tenantId, callback).catch(asRefusal);
  });

/** A refusal is the answer of its call and stops no other; a failure stops all. */
function asRefusal(error: unknown): Fault {
  if (error instanceof Fault && error.status < 500) return error;
  throw error;
}
