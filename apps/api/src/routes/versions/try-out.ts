import { rehearseProposal, type RehearseProposalDeps } from "@bulkhead/executions";
import type { ToolDeps } from "@bulkhead/tools";

/** Starts a run of each version that comes to wait. One that is not accepted is on its record with the reason. */
export const tryOutProposals =
  (deps: RehearseProposalDeps): ToolDeps["rehearse"] =>
  (principal, proposal) =>
    rehearseProposal(deps, principal, proposal).catch((error: unknown) =>
      deps.report("a dry run of a version that waits was not accepted", error),
    );
