import { rehearseProposal, type RehearseProposalDeps } from "@bulkhead/executions";
import {
  checkDraft,
  createTool,
  decideVersion,
  deleteTool,
  getTool,
  getVersion,
  listTools,
  listVersions,
  moveTool,
  putTool,
  readEvidence,
  requireVersion,
  restoreVersion,
  showTool,
  showTools,
  updateTool,
  type EvidenceDeps,
  type ListToolsDeps,
  type ToolDeps,
} from "@bulkhead/tools";
import { exportTools, importTools, listHashes, type ExportDeps } from "@bulkhead/tools/packages";
import { parseJsonText } from "../../edge/json-body.ts";
import { given } from "../../given.ts";

type ToolPorts = ToolDeps & ListToolsDeps & ExportDeps & EvidenceDeps;

/** Gives the use cases of tools and their versions their ports. */
export const wireTools = (ports: ToolPorts) => ({
  ...given(ports, { createTool, getTool, updateTool, putTool, deleteTool, moveTool }),
  ...given(ports, { listTools, showTool, showTools, checkDraft }),
  ...given(ports, { getVersion, listVersions, requireVersion, restoreVersion, decideVersion, readEvidence }),
  ...given({ ...ports, parseJson: parseJsonText }, { exportTools, importTools, listHashes }),
});

/** Starts a run of each version that comes to wait. One that is not accepted is on its record with the reason. */
export const tryOutProposals =
  (deps: RehearseProposalDeps): ToolDeps["rehearse"] =>
  (principal, proposal) =>
    rehearseProposal(deps, principal, proposal).catch((error: unknown) =>
      deps.report("a dry run of a version that waits was not accepted", error),
    );

export type Tools = ReturnType<typeof wireTools>;
