import type { ExecutionStatus } from "../execution/execution.ts";
import type { ExecutionError } from "../execution/outcome.ts";
import type { RunLimits } from "../limit/limits.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** The kinds of effects that a dry run is refused. */
export const DRY_RUN_EFFECTS = ["fetch", "call_tool", "list_tools", "service", "capability"] as const;

export interface DryRunEffect {
  kind: (typeof DRY_RUN_EFFECTS)[number];
  /** The method and address of a request, without its query; the name of a tool or a service; empty for a list; of a capability, the operation and what it is about. */
  target: string;
}

/** Different effects of each kind that are put down of one dry run; that there were more is put down too. */
export const DRY_RUN_EFFECTS_MAX = 100;
/** The target that stands for all beyond them. */
export const DRY_RUN_MORE = "(and more)";
/** UTF-16 units of one target. */
export const DRY_RUN_TARGET_CHARS_MAX = 300;
/** UTF-16 units of a result as JSON that are kept. */
export const DRY_RUN_RESULT_CHARS_MAX = 64 * 1024;
/** Dry runs of one version. */
export const DRY_RUNS_MAX = 20;
/**
 * Automatic dry runs of a tenant that wait or run, a few more if they begin at one moment: an agent can make many versions
 * wait, and their dry runs take slots from the tenant's own calls. Beyond the bound no dry run is made.
 */
export const AUTOMATIC_DRY_RUNS_MAX = 20;
/** Characters of the arguments of a dry run, as JSON, up to which the evidence shows them; the execution has them all. */
export const EVIDENCE_ARGUMENTS_CHARS_MAX = 16 * 1024;
/** UTF-16 units of the results as JSON that one evidence shows, all its dry runs' together. */
export const EVIDENCE_RESULTS_CHARS_MAX = 512 * 1024;
/** Effects that one evidence shows beside its dry runs, all together; past that, of each kind that there were more. */
export const EVIDENCE_EFFECTS_MAX = 1_000;
/** The time from acceptance to the end; milliseconds. */
export const DRY_RUN_TIMEOUT_MS = 60_000;
/** The limits of one dry run: an agent can make many versions wait. */
export const DRY_RUN_LIMITS_MAX: Readonly<Pick<RunLimits, "cpuMs" | "wallMs">> = {
  cpuMs: 1_000,
  wallMs: 5_000,
};

/** How a dry run ended. `not_run`: it was not accepted; `error` says why. */
type DryRunStatus = ExecutionStatus | "not_run";

/** A run of a version for its reviewers: in the real sandbox, every effect refused and recorded. */
export interface DryRun {
  executionId: string;
  /** Null where they are too large to be listed. */
  arguments: JsonObject | null;
  /** Whether the arguments were made from the schema. */
  generated: boolean;
  status: DryRunStatus;
  /** The start of the result's JSON as a text where `truncated`. */
  result: Json;
  truncated: boolean;
  error: { code: string; message: string } | null;
  effects: DryRunEffect[];
  createdAt: Date;
}

/** A worker's observation of a dry run. */
export interface DryRunSeen {
  status: ExecutionStatus;
  result: Json;
  truncated: boolean;
  error: ExecutionError | null;
  effects: DryRunEffect[];
}
