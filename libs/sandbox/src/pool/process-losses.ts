/** Why a process that did nothing wrong was replaced: worn out, idle, or in the way of others. */
export const RECYCLE_REASONS = ["runs", "age", "grown", "idle", "room", "turn", "alone"] as const;
export type RecycleReason = (typeof RECYCLE_REASONS)[number];

/** Why a process was ended, or ended by itself, for what happened in it; `start`: it never greeted. */
export const KILL_REASONS = ["cpu", "wall", "memory", "aborted", "crashed", "start"] as const;
export type KillReason = (typeof KILL_REASONS)[number];

/** `closing`: the pool is closed, which counts as neither. */
export type LossReason = RecycleReason | KillReason | "closing";

/** How many processes went since the pool was opened, by reason. */
export interface ProcessLosses {
  readonly recycled: Readonly<Record<RecycleReason, number>>;
  readonly killed: Readonly<Record<KillReason, number>>;
}

export class LossCounts implements ProcessLosses {
  readonly recycled = { runs: 0, age: 0, grown: 0, idle: 0, room: 0, turn: 0, alone: 0 };
  readonly killed = { cpu: 0, wall: 0, memory: 0, aborted: 0, crashed: 0, start: 0 };

  count(reason: LossReason): void {
    if (reason === "closing") return;
    if (isRecycleReason(reason)) this.recycled[reason]++;
    else this.killed[reason]++;
  }
}

const isRecycleReason = (reason: RecycleReason | KillReason): reason is RecycleReason =>
  (RECYCLE_REASONS as readonly string[]).includes(reason);
