import {
  APPROVALS_WAITING_MAX,
  askedEventOf,
  type Asking,
  type ClaimedExecution,
  type Clock,
  type ExecutionStore,
  type RunnableTool,
  type Usage,
} from "@bulkhead/core";
import { askPeople, waitingSlotsFor, type AskDeps, type WaitingSlotDeps } from "../submit/wait-for-person.ts";
import { Cover } from "../secrets/cover.ts";
import {
  isUnasked,
  runApprovalCode,
  type Answered,
  type ApprovalCodeDeps,
  type Killed,
} from "./approval-code.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { failureOf } from "./attempt-span.ts";
import { billLate, endAttempt, type EndAttemptDeps } from "./end-attempt.ts";
import { addUsage, failed, judgeUnfinished, NO_USAGE } from "./judge.ts";
import { contextOf, holdUntilEnded, withSecrets, type RunToolDeps, type ToolRun } from "./run-tool.ts";
import type { StopReason } from "./running-attempts.ts";
import { roundMs } from "./stopwatch.ts";
import type { HeldAttempt } from "./tool-calls.ts";

export type AskToolDeps = RunToolDeps & ApprovalCodeDeps;

/** What the question has used, before anything else of the tool has run. */
export interface Spent {
  used: Usage;
  bindMs: number;
}

/** An attempt whose tool has a person asked. */
export interface AskedRun extends Spent {
  asking: Asking;
  held: HeldAttempt;
  log: AttemptLog;
}

/**
 * Asks the tool's own code whether a person has to allow the call of a held attempt: what the question used where the tool may
 * run, or the run that is over where it was stopped, could not be begun, or has killed its process.
 */
export async function askTool(
  deps: AskToolDeps,
  held: HeldAttempt,
  { approvalCode = "" }: RunnableTool,
  log: AttemptLog,
): Promise<AskedRun | ToolRun | Spent> {
  const span = held.span.begin("ask tool");
  let failure: string | null = "service.unavailable";
  try {
    // It is given none of the tool's services.
    const run = await withSecrets(deps, held, { services: [] }, log, async (secrets) => {
      const cover = new Cover(deps, held, secrets, log);
      const controller = new AbortController();
      const letGo = holdUntilEnded(deps, held, (reason) => controller.abort(reason));
      try {
        const { toolId, toolVersion, suspect: alone } = held;
        const question = { ...keyOf(held), toolId, toolVersion, code: approvalCode, alone, depth: 1 };
        const answered = await runApprovalCode(deps, question, cover, controller.signal);
        await cover.finishLines();
        return afterAnswer(answered, held, log, controller.signal.reason);
      } finally {
        letGo();
      }
    });
    failure = "ran" in run ? failureOf(run.ran) : null;
    if ("asking" in run) span.set({ "bulkhead.outcome": "asked" });
    return run;
  } finally {
    span.end(failure);
  }
}

const keyOf = (held: HeldAttempt) => {
  const { tenantId, executionId, argumentsJson, ceilings } = held;
  return { tenantId, executionId, argumentsJson, ceilings, contextJson: contextOf(held) };
};

async function afterAnswer(
  answered: Answered,
  held: HeldAttempt,
  log: AttemptLog,
  reason: StopReason,
): Promise<AskedRun | ToolRun | Spent> {
  const { asking, verdict, killed } = answered;
  if (verdict === null) return { asking, used: NO_USAGE, bindMs: 0, held, log };
  const { bindMs, ...usage } = verdict.usage;
  const used = { ...usage, networkRequests: 0 };
  if (killed !== null) {
    if (held.claim === null || (await held.claim.make()))
      return killedRun(killed, { used, bindMs }, held, log);
    return { ran: { stopped: "superseded", used, bindMs }, held, log, convicted: false };
  }
  if (isUnasked(answered)) {
    const judged = judgeUnfinished(verdict, held.attempt, reason);
    const ran =
      "stopped" in judged
        ? { ...judged, used, bindMs }
        : { ending: { ...judged, usage: used, endedBy: verdict.endedBy }, bindMs, crashed: null };
    return { ran, held, log, convicted: false };
  }
  return asking ? { asking, used, bindMs, held, log } : { used, bindMs };
}

/** The run of a held attempt whose tool's own code has killed its process, alone in it, when it was asked. */
export const killedRun = (
  killed: Killed,
  { used, bindMs }: Spent,
  held: HeldAttempt,
  log: AttemptLog,
): ToolRun => ({
  ran: { ending: { ...killed, usage: used }, bindMs, crashed: "own" },
  held,
  log,
  convicted: true,
});

/** The run with what the question before it has used. */
export function withSpent(run: ToolRun, { used: before, bindMs }: Spent): ToolRun {
  const { ran } = run;
  const all = { ...ran, bindMs: ran.bindMs + bindMs };
  if ("stopped" in all) return { ...run, ran: { ...all, used: addUsage(all.used, before) } };
  return { ...run, ran: { ...all, ending: { ...all.ending, usage: addUsage(all.ending.usage, before) } } };
}

export type HandToPersonDeps = EndAttemptDeps &
  AskDeps &
  WaitingSlotDeps & { executions: Pick<ExecutionStore, "awaitPerson">; clock: Clock };

const TOO_MANY = failed(
  "failed",
  "approval.too_many",
  `The tool's own code has a person asked, and ${APPROVALS_WAITING_MAX} calls wait for one already; call again when some have been answered.`,
);

/**
 * Lets the execution wait for a person, and tells who can answer; it ends where too many wait already. Answers the code of how
 * the attempt ended; null where it waits.
 */
export async function handToPerson(
  deps: HandToPersonDeps,
  claimed: ClaimedExecution,
  { asking, used, bindMs, held, log }: AskedRun,
): Promise<string | null> {
  if (held.claim !== null && !(await held.claim.make())) return "superseded";
  const timings = { bind: roundMs(bindMs), run: roundMs(used.wallMs) };
  if ((await waitingSlotsFor(deps, claimed, 1)) < 1) {
    const ending = { ...TOO_MANY, usage: used, timings, endedBy: null };
    return (await endAttempt(deps, held, ending, log, false))?.error?.code ?? "superseded";
  }
  // Who answers, from the row's write on, tells of the question too, and of the answer behind it.
  await log.told();
  const askedEventId = log.endEventId();
  const waitMs = claimed.approvals.timeoutMs;
  const expiresAt = await deps.executions.awaitPerson(held, { asking, askedEventId }, used, waitMs);
  if (expiresAt === null) {
    await billLate(deps, held, { usage: used, timings, endedBy: "worker" });
    return "superseded";
  }
  const at = deps.clock().toISOString();
  const event = askedEventOf(claimed.executionId, { askedEventId, expiresAt }, at);
  if (event) log.send(event);
  await askPeople(deps, { ...claimed, approval: { expiresAt } });
  return null;
}
