import type { Execution, ExecutionSummary, ListAttemptsAnswer } from "@bulkhead/client";

type Attempt = ListAttemptsAnswer["attempts"][number];
type Approval = Execution["approval"];

/** What a stretch of time went by with. */
export type Kind = "delay" | "person" | "queue" | "retry" | "run" | "call";

export interface Stretch {
  kind: Kind;
  name: string;
  from: number;
  /** For what goes on: now. */
  to: number;
  isOn: boolean;
  isBad: boolean;
  /** The run's number among several. */
  attempt?: Attempt;
}

type Timed = Pick<
  Execution,
  "createdAt" | "startedAt" | "finishedAt" | "notBefore" | "status" | "isError"
> & {
  approval?: Approval;
};

const moment = (at: string | undefined): number | undefined =>
  at === undefined ? undefined : Date.parse(at);

/**
 * Where the time of an execution went, from its acceptance to its end, without a hole: held back, waiting for a person, for
 * its turn and for its next try, and running. By the moments that the API tells, so to the millisecond.
 */
export function stretchesOf(execution: Timed, attempts: readonly Attempt[], now: number): Stretch[] {
  const begin = Date.parse(execution.createdAt);
  const end = Math.max(begin, moment(execution.finishedAt) ?? now);
  const isOn = execution.finishedAt === undefined;
  const stretches: Stretch[] = [];
  let at = begin;
  const until = (to: number, about: Pick<Stretch, "kind" | "name"> & Partial<Stretch>): void => {
    const clipped = Math.min(Math.max(to, at), end);
    if (clipped > at || about.kind === "run")
      stretches.push({ isBad: false, isOn: false, ...about, from: at, to: clipped });
    at = clipped;
  };
  const runs = runsOf(execution, attempts);
  const waits = waitsOf(execution, begin, end);
  runs.forEach((run, index) => {
    const started = Date.parse(run.startedAt);
    for (const wait of waits) if (wait.to <= started && wait.to > at) until(wait.to, wait);
    until(started, index === 0 ? QUEUE : { kind: "retry", name: "Waited for the next try" });
    const name = runs.length === 1 ? "Run" : `Run ${index + 1}`;
    until(moment(run.finishedAt) ?? end, {
      kind: "run",
      name,
      isOn: isOn && run.finishedAt === undefined,
      isBad: run.outcome === "failed" || run.outcome === "lost" || run.outcome === "timed_out",
      attempt: run,
    });
  });
  for (const wait of waits) if (wait.to > at) until(wait.to, wait);
  if (at < end || stretches.length === 0)
    until(end, runs.length > 0 ? (AFTER[execution.status] ?? ENDING) : QUEUE);
  const last = stretches.at(-1);
  if (isOn && last !== undefined) last.isOn = true;
  return stretches;
}

const QUEUE = { kind: "queue", name: "Waited for its turn" } as const;
const ENDING = { kind: "queue", name: "Ended" } as const;
/** What goes on behind the last run that has begun. */
const AFTER: Partial<Record<Execution["status"], Pick<Stretch, "kind" | "name">>> = {
  queued: { kind: "retry", name: "Waits for the next try" },
  awaiting_approval: { kind: "person", name: "Waits for a person" },
};

/** Whether the tries must be read to know them: the record itself tells of the latest alone. */
export const hasMoreTries = ({
  attempts,
  status,
  approval,
}: Pick<Execution, "attempts" | "status" | "approval">): boolean =>
  attempts > 1 || (attempts === 1 && (status === "queued" || approval?.asking !== undefined));

type Run = Attempt & { startedAt: string };

/** The tries that began; where they were not told, the one that the execution itself tells of. */
function runsOf({ startedAt, finishedAt, status }: Timed, attempts: readonly Attempt[]): Run[] {
  const begun = attempts.filter((attempt): attempt is Run => attempt.startedAt !== undefined);
  if (begun.length > 0 || startedAt === undefined) return begun;
  const usage = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 };
  const outcome = status === "queued" || status === "awaiting_approval" ? "running" : status;
  return [{ attempt: 1, outcome, usage, startedAt, ...(finishedAt !== undefined && { finishedAt }) }];
}

interface Wait extends Pick<Stretch, "kind" | "name"> {
  to: number;
}

function waitsOf({ notBefore, approval }: Timed, begin: number, end: number): Wait[] {
  const held = moment(notBefore);
  const waits: Wait[] = [];
  if (approval !== undefined) {
    const answered = moment(approval.answeredAt);
    const name = answered === undefined ? "Waits for a person" : "Waited for a person";
    waits.push({ kind: "person", name, to: answered ?? end });
  }
  if (held !== undefined && held > begin)
    waits.push({ kind: "delay", name: "Held back until its time", to: held });
  return waits.sort((a, b) => a.to - b.to);
}

/** A nested call: its waiting and its run, as one row. */
export const stretchesOfCall = (call: ExecutionSummary, now: number): Stretch[] =>
  stretchesOf(call, [], now).map((stretch) =>
    stretch.kind === "run" ? { ...stretch, kind: "call", isBad: call.isError } : stretch,
  );

/** Where a stretch stands on an axis, in percent of its length; never thinner than can be seen. */
export function placeOf({ from, to }: Pick<Stretch, "from" | "to">, begin: number, end: number) {
  const whole = Math.max(1, end - begin);
  const width = Math.min(100, Math.max(0.4, ((to - from) / whole) * 100));
  const left = Math.min(100 - width, Math.max(0, ((from - begin) / whole) * 100));
  return { left, width };
}
