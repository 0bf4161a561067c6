import { requireTenant } from "@bulkhead/tenants";
import {
  readCallback,
  type CallbackDeps,
  inTurns,
  nextExecutionId,
  PLAIN_CALL,
  replayExecution,
  replayMatching,
  submitBatch,
  type BatchAnswer,
  type BatchDeps,
  type BuiltInTool,
  type ReplayDeps,
} from "@bulkhead/executions";
import {
  AcceptedBatch,
  AcceptedExecution,
  BatchCall,
  ExecuteBatch,
  ReplayedBatch,
  ReplayFilter,
  timeBeyondDelay,
} from "@bulkhead/contracts";
import { type Callback, type TenantPrincipal, type Tool, Fault } from "@bulkhead/core";
import { answerAccepted, tellRepeat } from "./answer-execution.ts";
import { ok } from "../../edge/envelope.ts";
import { readBatchCalls } from "./batch-calls.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { requireStored } from "./require-stored.ts";
import { answers, ExecutionParams, type ApiScope } from "../../edge/route-schema.ts";
import { tracePlaceOf } from "../../edge/trace-id.ts";
import { compact } from "../../edge/compact.ts";
import { presentBatchAnswer } from "./present-batch.ts";
import type { ToolLookup } from "../tools/tool-lookup.ts";
import { SubmissionHeaders } from "./execute.ts";
import { toolFilter, type ToolFilterDeps } from "../tools/tool-filter.ts";

export type BatchRouteDeps = BatchDeps &
  CallbackDeps &
  ReplayDeps &
  ToolFilterDeps & { toolLookup: ToolLookup };

const tags = ["executions"];
const config = { action: "executions.run", needsRedis: true } as const;

/** Stands for a call that could not be read, whose fault is its answer. */
const NO_CALL = BatchCall.parse({ tool: "no_call" });

/** Many calls in one request, and calls made again. */
export function batchRoutes(app: ApiScope, deps: BatchRouteDeps): void {
  app.post(
    "/executions/batch",
    {
      config,
      // A call that breaks the contract has an answer of its own, like one whose tool is not there.
      attachValidation: true,
      schema: {
        tags,
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
      const trace = tracePlaceOf(request);
      const calls = await inTurns(
        executions,
        ({ tool: _ref, version: _pinned, context, callback: _unchecked, store = true, ...call }, place) => ({
          ...PLAIN_CALL,
          ...call,
          store,
          timeoutMs: timeBeyondDelay(call),
          executionId: nextExecutionId(deps.clock),
          context: compact(context),
          ...trace,
          // Each call of a batch is accepted once by itself, so that a batch of which only a part got a place can be sent again.
          once: once && { ...once, key: `part/${place}/${once.key}`, partOf: once.key },
          ...calleeOf(read[place], callbacks[place], tools.get(refs[place] ?? "")),
        }),
      );
      const answered = await submitBatch(deps, principal, calls);
      countRefused(app, answered);
      const accepted = answered.filter((answer) => !(answer instanceof Fault));
      if (accepted.length > 0 && accepted.every(({ repeated }) => repeated)) tellRepeat(reply);
      void reply.status(202);
      return ok(request, { executions: answered.map(presentBatchAnswer) });
    },
  );

  app.post(
    "/executions/:id/replay",
    {
      config,
      schema: {
        tags,
        summary: "Make the call of an ended execution again, as a new one that names it",
        description: "The replay has no callback, also where the call had one.",
        params: ExecutionParams,
        headers: SubmissionHeaders,
        response: answers({ 202: AcceptedExecution }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { id } = request.params;
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, { replayOf: id });
      const how = { ...tracePlaceOf(request), once };
      const { executionId, status, repeated } = await replayExecution(deps, principal, id, how);
      if (repeated) tellRepeat(reply);
      return answerAccepted(request, reply, executionId, status);
    },
  );

  app.post(
    "/executions/replay",
    {
      // One without a body is more likely a mistake than the wish to run all that failed.
      config: { ...config, needsBody: true },
      schema: {
        tags,
        summary:
          "Make the calls of ended executions again that match and have not been replayed, newest first",
        description:
          "Each is replayed once, however many ask at the same moment: all of them are answered with that replay. Replays have no callback, also where the calls had one.",
        body: ReplayFilter,
        response: answers({ 202: ReplayedBatch }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { tool, code, createdAfter, createdBefore, status, limit } = request.body;
      const filter = {
        ...(await toolFilter(deps, principal, tool)),
        status,
        limit,
        errorCode: code,
        createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
        createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
      };
      const replayed = await replayMatching(deps, principal, compact(filter), tracePlaceOf(request));
      countRefused(
        app,
        replayed.map(({ answer }) => answer),
      );
      const executions = replayed.map(({ replayOf, answer }) => ({
        replayOf,
        ...presentBatchAnswer(answer),
      }));
      void reply.status(202);
      return ok(request, { executions });
    },
  );
}

/** A call that was refused is a refusal, also where the batch around it was answered 202. */
function countRefused({ metrics }: ApiScope, answered: BatchAnswer[]): void {
  for (const answer of answered) if (answer instanceof Fault) metrics.refused(answer.code);
}

/** Tools that are looked up at a time: as many as leave room for those who call alone. */
const LOOKED_UP_AT_ONCE = 8;

/** The tools that the calls name, each looked up once; what is not found is the fault that says so. */
async function findTools(
  { toolLookup, giveWay }: BatchRouteDeps,
  principal: TenantPrincipal,
  calls: CalledTool[],
  refs: string[],
): Promise<Map<string, Callee | Fault>> {
  const asked = new Map(calls.map((call, place) => [refs[place] ?? "", call]));
  const find = async ([ref, { tool, version, context }]: [string, CalledTool]) => {
    const looked = toolLookup
      .findCallable(principal, tool, { version, agentId: context.agentId })
      .catch((error: unknown) => {
        if (error instanceof Fault && error.status < 500) return error;
        throw error;
      });
    return [ref, await looked] as const;
  };
  return new Map(await inTurns([...asked], find, { pause: giveWay.begin(), atOnce: LOOKED_UP_AT_ONCE }));
}

type Callee = Tool | BuiltInTool;

interface CalledTool {
  tool: string;
  version?: number | undefined;
  context: { agentId?: string | undefined };
}

const refOf = ({ tool, version, context }: CalledTool): string =>
  JSON.stringify([tool, version, context.agentId]);

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
  deps: CallbackDeps,
  tenantId: string,
  calls: { callback?: Parameters<typeof readCallback>[2] | undefined }[],
): Promise<(Callback | Fault | null)[]> =>
  inTurns(calls, ({ callback }) => {
    if (!callback) return null;
    return readCallback(deps, tenantId, callback).catch((error: unknown) => {
      if (error instanceof Fault && error.status < 500) return error;
      throw error;
    });
  });
