import type { AuditStore, DataStore, ExecutionStore, FileStore, LogStore } from "@bulkhead/core";
import {
  eraseDue,
  keepDueLogs,
  sweep,
  type EraseDueDeps,
  type Healed,
  type KeepLogsDeps,
  type Report,
  type SweepDeps,
  type SweepPlace,
} from "@bulkhead/executions";
import { countBy, type Meter } from "@bulkhead/process/telemetry";
import { Repeating } from "./repeating.ts";

const SWEEP_EVERY_MS = 1_000;
const CLEANUP_EVERY_MS = 3_600_000;
/** Idempotency keys that one statement forgets, and statements of one turn. */
const KEYS_AT_ONCE = 5_000;
const KEY_STEPS_MAX = 200;
/** Audit entries that one statement drops, and statements of one turn. */
const AUDIT_AT_ONCE = 5_000;
const AUDIT_STEPS_MAX = 200;
const KEEP_LOGS_EVERY_MS = 1_000;
const ERASE_EVERY_MS = 5_000;
/** Logs that one statement drops, and statements of one turn. */
const LOGS_AT_ONCE = 1_000;
/** Bytes of packed logs: about half a second's work. */
const LOG_BYTES_AT_ONCE = 64 * 1024 * 1024;
const LOG_STEPS_MAX = 1_000;
/** Pieces of files that one transaction looks at, and transactions of one turn. */
const CHUNKS_AT_ONCE = 200;
const CHUNK_STEPS_MAX = 5_000;

/** Custom data whose time is over, and collections without a document. */
const DATA_EVERY_MS = 60_000;
const DOCUMENTS_AT_ONCE = 1_000;
const DOCUMENT_STEPS_MAX = 1_000;

/** Lets go of custom data that has ended, every minute: until then it counts against its tenant's quotas. */
export function sweepDataOften({
  data,
  report,
}: {
  data: Pick<DataStore, "sweep">;
  report: Report;
}): Repeating {
  const step = async (): Promise<void> => {
    for (let steps = 0; steps < DOCUMENT_STEPS_MAX; steps += 1)
      if ((await data.sweep(DOCUMENTS_AT_ONCE)) < DOCUMENTS_AT_ONCE) break;
  };
  return new Repeating("sweeping custom data", DATA_EVERY_MS, step, report);
}

/** Sweeps every second; counts and reports healed attempts, since a healthy system has none. */
export function sweepOften(deps: SweepDeps, meter: Meter, say: (healed: Healed) => void): Repeating {
  const count = countBy(meter, "bulkhead_healed_total");
  const place: SweepPlace = { after: null };
  const step = async (): Promise<void> => {
    const healed = await sweep(deps, place);
    for (const [what, times] of Object.entries(healed)) if (times > 0) count(what, times);
    const { expired: _ordinary, ...wrong } = healed;
    if (Object.values(wrong).some((times) => times > 0)) say(healed);
  };
  return new Repeating("sweeping", SWEEP_EVERY_MS, step, deps.report);
}

/** Keeps the logs of ended executions, every second. */
export const keepLogsOften = (deps: KeepLogsDeps): Stoppable =>
  stoppable(
    (signal) => keepDueLogs(deps, signal),
    { what: "keeping logs", everyMs: KEEP_LOGS_EVERY_MS },
    deps,
  );

/** Erases data past its retention, every few seconds. */
export const eraseOften = (deps: EraseDueDeps): Stoppable =>
  stoppable((signal) => eraseDue(deps, signal), { what: "erasing", everyMs: ERASE_EVERY_MS }, deps);

interface Stoppable {
  close(): Promise<void>;
}

/** Asks the turn under way to stop where it is closed, and waits for it. */
function stoppable(
  step: (signal: AbortSignal) => Promise<void>,
  { what, everyMs }: { what: string; everyMs: number },
  { report }: { report: Report },
): Stoppable {
  const closing = new AbortController();
  const repeating = new Repeating(what, everyMs, () => step(closing.signal), report);
  return {
    close: () => {
      closing.abort();
      return repeating.close();
    },
  };
}

export interface CleanupDeps {
  executions: Pick<ExecutionStore, "ensurePartitions" | "dropOldKeys" | "dropOldExecutions">;
  auditEntries: Pick<AuditStore, "dropOld">;
  logs: Pick<LogStore, "dropOld">;
  files: Pick<FileStore, "sweep">;
  report: Report;
  /** Executions are kept for so many days after they were accepted, by whole weeks. */
  retentionDays: number;
  /** Audit entries are kept for so many days. */
  auditRetentionDays: number;
}

/**
 * Makes the partitions of the coming weeks, deletes data past its retention, forgets old idempotency keys, and lets go of the
 * pieces of files that nobody has any more. A failure is reported, and the other parts are done all the same.
 */
export function cleanUpOften(deps: CleanupDeps): Repeating {
  const { executions, auditEntries, logs, files, report, retentionDays, auditRetentionDays } = deps;
  const makePartitions = () => executions.ensurePartitions();
  const dropExecutions = () => executions.dropOldExecutions(retentionDays);
  const dropKeys = async (): Promise<void> => {
    for (let steps = 0; steps < KEY_STEPS_MAX; steps += 1)
      if ((await executions.dropOldKeys(KEYS_AT_ONCE)) < KEYS_AT_ONCE) break;
  };
  const dropEntries = async (): Promise<void> => {
    for (let steps = 0; steps < AUDIT_STEPS_MAX; steps += 1)
      if ((await auditEntries.dropOld(auditRetentionDays, AUDIT_AT_ONCE)) < AUDIT_AT_ONCE) break;
  };
  const dropLogs = async (): Promise<void> => {
    for (let steps = 0; steps < LOG_STEPS_MAX; steps += 1)
      if ((await logs.dropOld(LOGS_AT_ONCE, LOG_BYTES_AT_ONCE)) === 0) break;
  };
  const dropChunks = async (): Promise<void> => {
    for (let steps = 0; steps < CHUNK_STEPS_MAX; steps += 1)
      if ((await files.sweep(CHUNKS_AT_ONCE)) < CHUNKS_AT_ONCE) break;
  };
  const step = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const part of [makePartitions, dropExecutions, dropKeys, dropEntries, dropLogs, dropChunks])
      await part().catch((cause: unknown) => void failures.push(cause));
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  };
  return new Repeating("cleanup", CLEANUP_EVERY_MS, step, report);
}
