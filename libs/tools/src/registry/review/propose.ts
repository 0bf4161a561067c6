import {
  contentHash,
  type AuditDetails,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
} from "@bulkhead/core";
import { tellChange } from "../tell-change.ts";
import type { ToolDeps } from "../tool-deps.ts";
import { waitingVersionOf } from "./proposal.ts";
import { tellVersion } from "./tell-version.ts";

interface Proposed {
  before: Tool;
  after: Tool;
  definition: ToolDefinition;
  details: AuditDetails;
}

/** Records and announces a version that waits for a person, and starts a dry run for its reviewers. */
export async function propose(
  deps: Pick<ToolDeps, "bus" | "tenantEvents" | "audit" | "rehearse">,
  principal: TenantPrincipal,
  { before, after, definition, details }: Proposed,
): Promise<void> {
  const hash = contentHash(definition);
  const number = waitingVersionOf(after);
  // If nobody has approved the tool yet, the change is one of the tool itself.
  if (after.pendingVersion === null) await tellChange(deps, principal, "updated", { before, after, details });
  else {
    const version = { version: after.pendingVersion, contentHash: hash };
    const proposed = { ...details, proposedVersion: after.pendingVersion, contentHash: hash };
    await tellVersion(deps, principal, "proposed", { before, after, version, details: proposed });
  }
  if (number !== null) await deps.rehearse(principal, { tool: after, version: number, definition });
}
