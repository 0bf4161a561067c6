/** A schedule that runs of this tool made. */
interface ToolSchedule {
  id: string;
  name: string | null;
  /** The name of the tool that it runs. */
  tool: string;
  /** Left out where they are larger than 2,048 bytes. */
  arguments?: Record<string, any>;
  argumentsBytes: number;
  cron?: string;
  timeZone?: string;
  everyMs?: number;
  missedRuns: "skip" | "once";
  overlap: "allow" | "skip" | "queue_one" | "cancel_previous";
  status: "active" | "paused";
  /** Why the platform paused it. */
  statusReason: string | null;
  /** ISO 8601; the next five, none while it is paused. */
  nextRuns: string[];
  lastRunAt: string | null;
  lastExecutionId: string | null;
  lastStatus: string | null;
  /** Why the latest planned run came to no execution. */
  lastError: { code: string; message: string; at: string } | null;
  skippedRuns: number;
  createdAt: string;
  /** Something in it was secret, and is kept as [REDACTED]. */
  covered?: boolean;
}

/**
 * Calls that are made again and again, for the agent and the user (`context.userId`) for whom the tool runs, and with no
 * more than they may do then. A tool sees those that its own runs made for them, 50 at most. A refusal rejects with an Error whose
 * `code` is `invalid_request`, `tool_not_found`, `tool_not_allowed`, `conflict`, `capability_denied` or `capability_limit`.
 */
export interface ToolSchedules {
  /**
   * Plans calls of a tool of the tenant's, this one too, by a cron pattern or every so many milliseconds (1,000 at the least):
   * `await utils.schedule.create({ tool: "remind", arguments: { text }, cron: "0 9 * * 1-5", timeZone: "Europe/Oslo" })`.
   */
  create(schedule: {
    tool: string;
    arguments?: object;
    cron?: string;
    /** An IANA name, for `cron`; UTC when left out. */
    timeZone?: string;
    /** In place of `cron`. */
    everyMs?: number;
    name?: string;
    missedRuns?: "skip" | "once";
    overlap?: "allow" | "skip" | "queue_one" | "cancel_previous";
    priority?: number;
    timeoutMs?: number;
  }): Promise<ToolSchedule>;
  /** Newest first. */
  list(): Promise<ToolSchedule[]>;
  remove(id: string): Promise<{ removed: boolean }>;
}
