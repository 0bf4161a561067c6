import {
  type ExecutionStatus,
  type ExecutionStore,
  type NewExecution,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { releaseSlots, releaseRefused, handOver, timeoutOf } from "./accept.ts";
import { buildExecution, type NewCall } from "./build-execution.ts";
import type { BuiltInTool } from "./built-in-tool.ts";
import { checkCall, type CheckedCall } from "./check-call.ts";
import type { BatchYield } from "./batch-yield.ts";
import { isRefusal, whyNotAnswered } from "./idempotency.ts";
import { knownAnswers, type KnownAnswersDeps } from "./known-answers.ts";
import { beginSubmission, inSubmissions } from "./submission-span.ts";
import { inTurns } from "./in-turns.ts";
import { noSlot, reserveSlots } from "./reserve-slots.ts";
import type { SubmitDeps } from "./submit.ts";
import { announceWaiting, askPeople, tooManyWaiting, waitingSlotsFor } from "./wait-for-person.ts";

export type BatchDeps = SubmitDeps &
  KnownAnswersDeps & {
    executions: Pick<ExecutionStore, "insertBatch">;
    batchYield: Pick<BatchYield, "begin">;
  };

/** One call of a batch; a tool that could not be found is the fault that says so. */
export interface BatchCall extends NewCall {
  tool: Tool | BuiltInTool | Fault;
}

/** The outcome of one call. */
export type BatchAnswer = { executionId: string; status: ExecutionStatus; repeated: boolean } | Fault;

/**
 * Accepts many calls at once, all that can be accepted in one transaction; the others are refused one by one, as they
 * would be alone. Throws `idempotency.conflict` and `service.unavailable` for all of them; where only some of the keys stand
 * for other calls by the time of the insert, the conflict is of those calls alone.
 */
export async function submitBatch(
  deps: BatchDeps,
  principal: TenantPrincipal,
  asked: BatchCall[],
): Promise<BatchAnswer[]> {
  const begun = await inTurns(asked, (call) => {
    const toolName = call.tool instanceof Fault ? null : call.tool.name;
    return beginSubmission(deps.tracing, principal, toolName, call);
  });
  const calls = begun.map(({ call }) => call);
  const spans = begun.map(({ span }) => span);
  return inSubmissions(spans, () => answerAll(deps, principal, calls));
}

async function answerAll(
  deps: BatchDeps,
  principal: TenantPrincipal,
  calls: BatchCall[],
): Promise<BatchAnswer[]> {
  const yieldToCalls = deps.batchYield.begin();
  // A repeat gets the first answer, whatever became of the tool and of the limits since.
  const known = await knownAnswers(deps, principal, calls);
  const checks = await checkAll(deps, principal, calls, known, yieldToCalls);
  const answers: (BatchAnswer | undefined)[] = checks.map((said, place) =>
    said instanceof Fault ? said : known[place],
  );
  const now = deps.clock();
  const checked = await inTurns(calls, (call, place): Checked[] => {
    const said = checks[place];
    if (said === undefined || said instanceof Fault || call.tool instanceof Fault) return [];
    const asChecked = { ...call, arguments: said.arguments };
    return [{ call, place, execution: buildExecution(now, principal, asChecked, call.tool, said.may) }];
  });
  await yieldToCalls();
  const { placed, unplaced } = await reserve(deps, principal, checked.flat());
  await yieldToCalls();
  for (const { place, fault } of unplaced) answers[place] = fault;
  const refused = calls.map((call, place) => (answers[place] instanceof Fault ? call : null));
  const { inserted, conflicts } = await insert(deps, placed);
  await yieldToCalls();
  const [first] = conflicts;
  if (first?.fault.code === "idempotency.conflict" && inserted.length === 0) throw first.fault;
  for (const { place, fault } of conflicts) answers[place] = fault;
  const fresh = inserted.filter(({ repeated }) => !repeated).map(({ execution }) => execution);
  const [waiting = [], queued = []] = [true, false].map((waits) =>
    fresh.filter(({ approval }) => (approval !== null) === waits),
  );
  await inTurns(waiting, (execution) =>
    Promise.all([announceWaiting(deps, execution), askPeople(deps, execution)]),
  );
  await handOver(deps, queued, principal);
  await yieldToCalls();
  for (const { place, ...answer } of await withStatus(deps, inserted)) answers[place] = answer;
  // The limit that a call met may be the one that another sending of this batch took up meanwhile.
  const late = await knownAnswers(deps, principal, refused).catch((error: unknown) => {
    // The others are committed: what they were answered with stands.
    deps.report("refused calls of a batch were not looked up again", error);
    return [];
  });
  return answers.map(
    (answer, place) =>
      late[place] ?? answer ?? new Fault("service.internal", { internal: "a call without an answer" }),
  );
}

interface Checked {
  call: BatchCall;
  place: number;
  execution: NewExecution;
}

type Check = CheckedCall | Fault;

/**
 * Checks each call, and answers a fault for one that can't be accepted. The first call of a tool costs the most by far, so
 * others have their way in between.
 */
const checkAll = (
  deps: BatchDeps,
  principal: TenantPrincipal,
  calls: BatchCall[],
  known: readonly unknown[],
  pause: () => Promise<void>,
): Promise<(Check | undefined)[]> =>
  inTurns(calls, (call, place) => (known[place] === undefined ? check(deps, principal, call) : undefined), {
    pause,
  });

async function check(deps: BatchDeps, principal: TenantPrincipal, call: BatchCall): Promise<Check> {
  if (call.tool instanceof Fault) return call.tool;
  try {
    return await checkCall(deps, principal, call.tool, call);
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/**
 * Reserves slots, for all calls of one length of time and one priority together; calls that wait for a person need a
 * waiting slot alone.
 */
async function reserve(deps: BatchDeps, principal: TenantPrincipal, all: Checked[]) {
  const waiting = all.filter(({ execution }) => execution.approval !== null);
  const checked = all.filter(({ execution }) => execution.approval === null);
  const free = await waitingSlotsFor(deps, principal, waiting.length);
  const placed = waiting.slice(0, free);
  const unplaced = waiting.slice(free).map(({ place }) => ({ place, fault: tooManyWaiting() }));
  const likeOf = ({ execution }: Checked) => `${timeoutOf(execution)}/${execution.priority}`;
  for (const group of Map.groupBy(checked, likeOf).values()) {
    const [first] = group;
    if (!first) continue;
    const { priority } = first.execution;
    const timeoutMs = timeoutOf(first.execution);
    const executionIds = group.map(({ execution }) => execution.executionId);
    const slots = await reserveSlots(deps, principal, { executionIds, timeoutMs, priority });
    placed.push(...group.slice(0, slots.accepted));
    if (slots.accepted === group.length) continue;
    const fault = noSlot(slots, principal, timeoutMs);
    unplaced.push(...group.slice(slots.accepted).map(({ place }) => ({ place, fault })));
  }
  return { placed, unplaced };
}

async function insert(deps: BatchDeps, placed: Checked[]) {
  const executions = placed.map(({ execution }) => execution);
  try {
    const outcomes = await insertAll(deps, placed);
    // The others are committed by now, whatever a call's key stands for.
    const all = placed.map((item, index) => {
      const outcome = outcomes?.[index];
      const known = outcome?.outcome === "known" ? outcome : null;
      const executionId = known?.executionId ?? item.execution.executionId;
      return { ...item, executionId, repeated: known !== null, fault: known && whyNotAnswered(known) };
    });
    await releaseSlots(
      deps,
      all.filter(({ repeated }) => repeated).map(({ execution }) => execution),
    );
    return {
      inserted: all.filter(({ fault }) => fault === null),
      conflicts: all.flatMap(({ place, fault }) => (fault ? [{ place, fault }] : [])),
    };
  } catch (error) {
    await releaseRefused(deps, executions, error);
    throw error;
  }
}

/** With keys, what each outcome was; without any, nothing: then all were inserted. */
async function insertAll({ executions }: BatchDeps, placed: Checked[]) {
  const keyed = placed.flatMap(({ execution, call: { once } }) => (once ? [{ execution, once }] : []));
  if (keyed.length > 0) return executions.insertOnce(keyed);
  if (placed.length > 0) await executions.insertBatch(placed.map(({ execution }) => execution));
  return null;
}

/** Adds the status; of a repeat of a call that had to wait, the row tells how far it has come. */
async function withStatus(
  { executions }: BatchDeps,
  inserted: { place: number; execution: NewExecution; executionId: string; repeated: boolean }[],
) {
  return inTurns(inserted, async ({ place, execution, executionId, repeated }) => {
    const waits = execution.approval !== null;
    const known = waits && repeated ? await executions.find({ ...execution, executionId }) : null;
    const status = known?.status ?? (waits ? "awaiting_approval" : "queued");
    return { place, executionId, repeated, status };
  });
}
