import {
  compareEventIds,
  Fault,
  HOLDER_FIRST_EVENT,
  isTerminal,
  type EndWatch,
  type Execution,
  type ExecutionKey,
} from "@bulkhead/core";
import { seeExecution, type Submitted } from "@bulkhead/executions";
import {
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { billOf, stepsOfRun } from "../routes/executions/bill.ts";
import { moveTo, type Asker } from "./asker.ts";
import { ALL_LEVELS, CallNews, readLevel } from "./call-news.ts";
import { callOf } from "./event-ids.ts";
import { followCall, goesOn } from "./follow-call.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { presentEnd } from "./present-end.ts";

/** Submits a call and waits for its end, or for as long as a person is asked. The client hears what it does meanwhile. */
export async function submitAndWait(
  deps: McpDeps,
  asker: Asker,
  submit: () => Promise<Submitted>,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { principal, executionId, exchange } = asker;
  const acceptMs = exchange.elapsedMs();
  const asked = { tenantId: principal.tenantId, executionId };
  const watch = deps.stream.watchEnd(asked);
  try {
    // Watching and committing go side by side: the end can't come before the row is there.
    const [submitted] = await Promise.all([submit(), watch.ready]);
    deps.batchYield.came();
    if (submitted.repeated) await noteRepeat(deps, asker, submitted.executionId);
    const key = { ...asked, executionId: submitted.executionId };
    const isPlain = !asksForNews(asker, ctx) && !submitted.repeated && submitted.status === "queued";
    const heard = isPlain ? await ended(deps, asker, key, submitted.deadlineAt, watch) : null;
    // Its tool may have had a person asked: then it is held as any call that waits.
    const end = heard && (isTerminal(heard.status) || exchange.left.aborted) ? heard : null;
    // Who never said what to hear in a session hears with the end what there was: mostly nothing, which costs nothing.
    const execution =
      end !== null && !(exchange.session && saidSomething(end))
        ? end
        : await follow(deps, asker, ctx, key, newsOf(asker, ctx), false);
    await cancelLeft(deps, asker, execution);
    const taken = submitted.repeated ? {} : submitted.timings;
    const run = submitted.repeated ? execution.timings : stepsOfRun(execution);
    const bill = () => billOf(acceptMs, taken, run, exchange.elapsedMs());
    return await presentEnd(deps, asker, execution, bill);
  } finally {
    watch.close();
  }
}

/** The result of a call that was answered before it had one; waits for it for a while. Throws `execution.not_found`. */
export async function waitAgain(
  deps: McpDeps,
  asker: Asker,
  executionId: string,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const key = { tenantId: asker.principal.tenantId, executionId };
  const seen = await seeExecution(deps, asker.principal, key);
  const execution = goesOn(seen) ? await follow(deps, asker, ctx, key, newsOf(asker, ctx), true) : seen;
  return presentEnd(deps, asker, execution, () => null);
}

const askedLevel = ({ exchange }: Asker, { mcpReq }: ServerContext): LoggingLevel | null =>
  readLevel((mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY]) ??
  exchange.logLevel;

/** Whether the client wants to hear what the call does while it does it. */
const asksForNews = (asker: Asker, ctx: ServerContext): boolean =>
  ctx.mcpReq._meta?.progressToken !== undefined || askedLevel(asker, ctx) !== null;

const newsOf = (asker: Asker, ctx: ServerContext): CallNews =>
  new CallNews({
    progressToken: ctx.mcpReq._meta?.progressToken ?? null,
    logLevel: askedLevel(asker, ctx) ?? (asker.exchange.session ? ALL_LEVELS : null),
  });

/** Whether there are events between the start of the first attempt and the end. */
function saidSomething({ endEventId, attempt }: Execution): boolean {
  const silent = `1-${HOLDER_FIRST_EVENT + 1}`;
  return endEventId !== null && (attempt > 1 || compareEventIds(endEventId, silent) > 0);
}

async function follow(
  deps: Pick<McpDeps, "stream" | "findExecution">,
  { exchange }: Asker,
  { mcpReq }: ServerContext,
  key: ExecutionKey,
  news: CallNews,
  isHeld: boolean,
): Promise<Execution> {
  const events = followCall(deps, key, { after: null, signal: exchange.left, isHeld });
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    const told = value === "silence" ? news.heartbeat() : news.of(value);
    if (value !== "silence") moveTo(exchange, key.executionId, value.id);
    if (!told) continue;
    // The protocol's library holds what a slow client has not taken, without a bound.
    await exchange.room();
    if (!exchange.left.aborted) await mcpReq.notify(told);
  }
}

/** An earlier call's execution answers this one: who cancels it, or comes back for it, means that. */
async function noteRepeat(
  { sessions }: Pick<McpDeps, "sessions">,
  { exchange }: Asker,
  executionId: string,
): Promise<void> {
  moveTo(exchange, executionId, null);
  const { session, place } = exchange;
  if (session && place) await sessions.touch(session, callOf(place));
}

async function ended(
  deps: Pick<McpDeps, "waitForEnd" | "findExecution">,
  { exchange: { left } }: Asker,
  key: ExecutionKey,
  deadlineAt: Date,
  watch: EndWatch,
): Promise<Execution> {
  const end = await deps.waitForEnd(key, deadlineAt, watch, left);
  const execution = end ?? (await deps.findExecution(key));
  if (execution === null) throw new Fault("execution.not_found");
  return execution;
}

/** In the revision without sessions a client that leaves has cancelled. */
async function cancelLeft(
  { cancelExecution, stopping }: Pick<McpDeps, "cancelExecution" | "stopping">,
  { principal, exchange }: Asker,
  execution: Execution,
): Promise<void> {
  const hasLeft = exchange.leavingCancels && exchange.left.aborted && !stopping.waits.aborted;
  if (!hasLeft || !goesOn(execution)) return;
  const { tenantId, executionId } = execution;
  try {
    await cancelExecution(principal, { tenantId, executionId });
  } catch (error) {
    // It may have ended by itself meanwhile.
    if (!(error instanceof Fault) || error.status >= 500) throw error;
  }
}
