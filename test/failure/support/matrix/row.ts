import type { Bounds } from "../history/history.ts";
import type { Caller } from "../load/caller.ts";
import type { Rig, RigDatabase } from "../rig/rig.ts";

/** An execution as Postgres has it, documents and times as text. */
export interface StoredRow {
  status: string;
  attempt: number;
  result: string | null;
  error: string | null;
  end_event_id: string | null;
  finished_at: string | null;
}

/** What the faults of workers are played on. */
export type WorkerRig = Rig<RigDatabase>;

/** What a fault may use. */
export interface Scene<R = Rig> {
  rig: R;
  caller: Caller;
  tenantId: string;
  /** Unique among the rows of a rig; begins its markers. */
  name: string;
  /** Submits a tool of the load, part of the history like any other call; answers its id. Throws where it is not accepted. */
  start: (tool: string, times?: { ms?: number; lingerMs?: number }) => Promise<string>;
  /** Submits so many short runs in one batch: more than can run at once, so that they wait. */
  burst: (count: number) => Promise<void>;
  /** An execution's row as it is now. */
  row: (executionId: string) => Promise<StoredRow>;
  /** Something that must be true when all is over; answers what is wrong. */
  afterwards: (check: () => Promise<string[]>) => void;
}

/** One line of the fault matrix. */
export interface FaultRow<R = Rig> {
  name: string;
  /** Defaults: nothing of a log is lost, and an effect arrives within `EFFECT_MS_MAX` of the end or not at all. */
  bounds?: Partial<Bounds>;
  /** Does the damage, waits as long as it is to last, and heals it. */
  strike: (scene: Scene<R>) => Promise<void>;
}

/** What was on its way when an end was told may still arrive; milliseconds. */
export const EFFECT_MS_MAX = 1_000;
/** A process finds Redis again within a second, and only then says or hears what a cancel has to say. Milliseconds. */
export const FOUND_AGAIN_MS = 2_000;
/** A worker's lease on what it runs, as the product promises it; milliseconds. */
export const LEASE_MS = 12_000;
