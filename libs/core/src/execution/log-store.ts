import type { ExecutionKey } from "./execution.ts";

/** Different words of a log that it is found by, and their characters together: its last ones. */
export const LOG_WORDS_MAX = 5_000;
export const LOG_WORD_CHARS_MAX = 64 * 1024;

/** Events of a log, one behind the other, as the stream has packed them. */
export interface LogPiece {
  firstId: string;
  lastId: string;
  packed: Uint8Array;
}

/** The log of an execution that has ended, without its end, which is in the row. */
export interface PackedLog {
  pieces: LogPiece[];
  /** The last event that the stream had lost by its bounds; null where it had lost none. */
  cut: string | null;
  /** Different terms of its lines and values, as `indexTerms` makes them. */
  words: string[];
}

export interface HowPacked {
  /** The errors of tries that were made again are packed with their codes alone. */
  withoutErrors: boolean;
}

/** Logs while they are in their streams. */
export interface StreamLogs {
  /** `hasEnd`: the end has arrived, so nothing more comes; `log`: null where it says no more than that it began. */
  pack(key: ExecutionKey, how: HowPacked): Promise<{ hasEnd: boolean; log: PackedLog | null }>;
}

/** An execution that has ended, whose log may still be in its stream. */
export interface DueLog extends ExecutionKey {
  /** Since it ended; milliseconds. */
  agedMs: number;
  /** For how many days the log is to be kept; 0: not at all. */
  days: number;
  /** The result, and with it the texts of errors, may have to go before the log does. */
  withoutErrors: boolean;
}

/** The bounds of one round over the tenants. */
export interface DueLogRound {
  /** Begins behind this tenant; null: with the first. */
  after: string | null;
  /** How many there may be in all, and of one tenant. */
  countMax: number;
  tenantMax: number;
  /** A claim that isn't settled for so long is lost, and the log is due again. */
  leaseMs: number;
  /** The retention for executions whose tool and tenant set none. */
  days: number;
}

/** The first piece of a log behind some event. */
export interface FoundPiece {
  /** Null where nothing is behind it. */
  packed: Uint8Array | null;
  /** Whether the event behind which it was read lies in the log. */
  holdsCursor: boolean;
  cut: string | null;
}

/**
 * Keeps the logs of executions after their streams have gone. A log is due by itself, in the transaction that ends its
 * execution.
 */
export interface LogStore {
  /**
   * Claims due logs, tenant by tenant, so that no backlog hides another tenant's. `next` is the start of the next round:
   * null if this one has seen every tenant.
   */
  claimDue(round: DueLogRound): Promise<{ claimed: DueLog[]; next: string | null }>;
  /**
   * Keeps these logs, all or none; null: there is nothing to keep. They are no longer due. Logs that were kept before
   * stay.
   */
  keep(
    logs: readonly (Pick<DueLog, "executionId" | "tenantId" | "days"> & { log: PackedLog | null })[],
  ): Promise<void>;
  /** Makes those of them that are still claimed due again in `forMs`, if that is sooner than the end of their lease. */
  giveBack(logs: readonly ExecutionKey[], forMs: number): Promise<void>;
  /** The age of the log that has been due for longest, since its execution's end; milliseconds, 0 if none is due. */
  oldestDueMs(): Promise<number>;
  /** The first piece that has events behind `after`; null where no log is kept. */
  readPiece(key: ExecutionKey, after: string): Promise<FoundPiece | null>;
  /** Drops up to `atOnce` expired logs, until `bytesMax` packed bytes are reached; returns how many, 0: none is left. */
  dropOld(atOnce: number, bytesMax: number): Promise<number>;
}
