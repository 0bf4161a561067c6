import type { DryRun, DryRunSeen } from "./dry-run.ts";
import type { ExecutionKey } from "../execution/execution.ts";
import type { JsonObject } from "../json/json.ts";

export interface NewDryRun extends ExecutionKey, Pick<DryRun, "generated"> {
  toolId: string;
  version: number;
  arguments: JsonObject;
}

/** Why a dry run was not accepted. */
export type DryRunRefusal = NonNullable<DryRun["error"]>;

/** The dry runs of versions, for reviewers. They are deleted with their tool. */
export interface DryRunStore {
  /** Before the run is accepted. False where the version has had `dryRunsMax`, or is not there. */
  insert(run: NewDryRun, dryRunsMax: number): Promise<boolean>;
  /**
   * The same for an automatic one, while its version waits. `busy`: so many with generated arguments wait or run in the
   * tenant already, and it is stored as not run for the given reason.
   */
  insertAutomatic(
    run: NewDryRun,
    bound: { inFlightMax: number; busy: DryRunRefusal },
  ): Promise<"inserted" | "busy" | "not_waiting">;
  /** For one that was not accepted after all. */
  refuse(executionId: string, error: DryRunRefusal): Promise<void>;
  /** Records a worker's observation; it replaces that of an earlier try. */
  record(executionId: string, seen: DryRunSeen): Promise<void>;
  /** The oldest first; one that nothing was recorded of stands as its execution does. */
  list(tenantId: string, toolId: string, version: number): Promise<DryRun[]>;
  /** The executions that have not begun, of dry runs of superseded versions. */
  listSuperseded(tenantId: string, toolId: string): Promise<string[]>;
}
