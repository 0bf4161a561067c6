import { type DueLog, type LogStore, type PackedLog, type StreamLogs, Fault } from "@bulkhead/core";
import type { Report } from "../end/report.ts";

export interface KeepLogsDeps {
  logs: Pick<LogStore, "claimDue" | "keep" | "giveBack">;
  streamLogs: StreamLogs;
  report: Report;
  /** For how many days a log is kept where neither its tool nor its tenant says so. */
  days: number;
  /** No log is kept longer than executions are, whatever its tool or tenant says. */
  daysMax: number;
}

/** How long an end may be on its way into the stream; then the log is kept as it is. Milliseconds. */
const END_WAIT_MS = 30_000;
/** A claim of a log lapses after so long. Milliseconds. */
const LEASE_MS = 60_000;
/** A log that could not be kept, or waits for its end, is due again after so long. Milliseconds. */
const RETRY_MS = 5_000;
/** Logs of one round, and of one tenant: read within the lease, also where each is as large and slow as may be. */
const COUNT_MAX = 16;
const TENANT_MAX = 4;
/** Logs that are read at a time, each up to twice as large as a stream may be. */
const AT_ONCE = 2;
/** Packed bytes that one statement takes, or little more. */
const KEPT_BYTES_AT_ONCE = 1024 * 1024;

/**
 * Brings the logs of what has ended from their streams to where they last, in rounds over the tenants until nothing is due or
 * `signal` asks to stop; where one can't be read, until each tenant has had its round. Several workers may do so at once. Rejects
 * when the database is away, and what was claimed is due again when its lease is over; what Redis, or a log itself, refuses is
 * reported and given back, and tried again until the stream is gone. What was not begun before `signal` is given back too.
 */
export async function keepDueLogs(deps: KeepLogsDeps, signal: AbortSignal): Promise<void> {
  const bounds = { countMax: COUNT_MAX, tenantMax: TENANT_MAX, leaseMs: LEASE_MS, days: deps.days };
  let after: string | null = null;
  let claimedInPass = 0;
  let isSound = true;
  while (!signal.aborted) {
    const { claimed, next } = await deps.logs.claimDue({ after, ...bounds });
    if (!(await keepAll(deps, claimed, signal))) isSound = false;
    claimedInPass += claimed.length;
    if (next === null && (claimedInPass === 0 || !isSound)) return;
    if (next === null) claimedInPass = 0;
    after = next;
  }
}

type Kept = Parameters<LogStore["keep"]>[0][number];

/** False where one could not be read: then others may not be readable either, so this is the turn's last pass. */
async function keepAll(
  deps: KeepLogsDeps,
  claimed: readonly DueLog[],
  signal: AbortSignal,
): Promise<boolean> {
  const failures: unknown[] = [];
  const done = new Set<string>();
  const batch = new Batch(
    async (logs) => {
      await deps.logs.keep(logs);
      for (const { executionId } of logs) done.add(executionId);
    },
    (error) => void failures.push(error),
  );
  let lost = 0;
  const waiting = claimed.values();
  const lane = async (): Promise<void> => {
    for (const due of waiting) {
      if (signal.aborted) return;
      let kept: Kept | null = null;
      try {
        const { hasEnd, log } = due.days > 0 ? await deps.streamLogs.pack(due, due) : NOTHING;
        if (hasEnd || due.agedMs > END_WAIT_MS)
          kept = { ...due, days: Math.min(due.days, deps.daysMax), log };
        if (!hasEnd && kept?.log === null) lost += 1;
      } catch (error) {
        failures.push(error);
      }
      if (kept) await batch.add(kept);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await batch.flush();
  const left = claimed.filter(({ executionId }) => !done.has(executionId));
  if (left.length > 0) await deps.logs.giveBack(left, signal.aborted ? 0 : RETRY_MS);
  if (lost > 0)
    deps.report("logs were gone from their streams before they could be kept", new Error(`${lost} are lost`));
  if (failures.length > 0) deps.report("keeping logs failed; they are tried again", failures[0]);
  return failures.length === 0;
}

const NOTHING: { hasEnd: true; log: PackedLog | null } = { hasEnd: true, log: null };

const isAway = (error: unknown): boolean => error instanceof Fault && error.code === "service.unavailable";

/** Collects what is written at once. */
class Batch {
  readonly #write: (logs: readonly Kept[]) => Promise<void>;
  readonly #refused: (error: unknown) => void;
  #logs: Kept[] = [];
  #bytes = 0;

  constructor(write: (logs: readonly Kept[]) => Promise<void>, refused: (error: unknown) => void) {
    this.#write = write;
    this.#refused = refused;
  }

  async add(kept: Kept): Promise<void> {
    this.#logs.push(kept);
    this.#bytes += kept.log?.pieces.reduce((sum, { packed }) => sum + packed.byteLength, 0) ?? 0;
    if (this.#bytes > KEPT_BYTES_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    const logs = this.#logs;
    this.#logs = [];
    this.#bytes = 0;
    if (logs.length === 0) return;
    try {
      await this.#write(logs);
    } catch (error) {
      if (isAway(error)) throw error;
      await this.#writeEach(logs);
    }
  }

  /** So that one which the database refuses takes no other along. */
  async #writeEach(logs: readonly Kept[]): Promise<void> {
    for (const kept of logs) {
      try {
        await this.#write([kept]);
      } catch (error) {
        if (isAway(error)) throw error;
        this.#refused(error);
      }
    }
  }
}
