import { requirementsOf, type TenantPrincipal, type Tool, type ToolVersion, Fault } from "@bulkhead/core";
import { followDecision } from "../../bridged/follow-version.ts";
import { keepServices } from "../keep-services.ts";
import { getTool } from "../read-tools.ts";
import { changedMeanwhile, requireSeen, type SeenAs } from "../seen-state.ts";
import { tellChange } from "../tell-change.ts";
import type { ToolDeps } from "../tool-deps.ts";
import { requireVersion } from "../../versions/read-versions.ts";
import { approvedByRejection, capabilitiesIn, deedOf } from "./capabilities.ts";
import { waitingVersionOf } from "./proposal.ts";
import { tellVersion } from "./tell-version.ts";

/** A person's decision, and the state of the tool that the person has seen; undefined parts are as they are. */
export interface Decision {
  to: "approved" | "rejected";
  version?: number | undefined;
  /** The hash of the waiting version. */
  contentHash?: string | undefined;
  /** Why it is rejected. */
  reason?: string | undefined;
  seen: SeenAs;
}

type DecideDeps = Pick<ToolDeps, "tools" | "bus" | "tenantEvents" | "audit" | "toolServices">;

/**
 * Decides about the waiting version as it is read here: if approved, it alone runs from now on. Throws `tool.not_found`,
 * `tool.version_not_found`, `tool.not_pending`, `tool.precondition_failed` if it is not the one that the caller has seen,
 * and `tool.changed` if another change came between, or may have come before the decision.
 */
export async function decideVersion(
  deps: DecideDeps,
  principal: TenantPrincipal,
  ref: string,
  { to, version: asked, contentHash, reason, seen }: Decision,
): Promise<Tool> {
  const before = await getTool(deps, principal, ref);
  requireSeen(before, seen);
  const waiting = waitingVersionOf(before);
  const version = await requireVersion(deps, before, asked ?? waiting ?? before.version);
  if (version.version !== waiting) throw notPending(before, version, asked);
  if (contentHash !== undefined && contentHash !== version.contentHash) throw otherContent(version);
  const isNamed = asked !== undefined || contentHash !== undefined || seen !== null;
  if (to === "approved" && !isNamed) await requireOnlyProposal(deps, before, version);
  const runs = to === "approved" ? version : before;
  const capabilities = capabilitiesIn(version);
  const after = await deps.tools.decide(principal.tenantId, before.id, before.revision, {
    version: waiting,
    to,
    by: principal.keyId,
    reason: reason ?? null,
    approved: to === "approved" ? capabilities : approvedByRejection(before),
    requirements: requirementsOf(runs.services, before),
    ...followDecision(before, version, to),
  });
  if (!after) throw changedMeanwhile(seen);
  await deps.bus.publish({ type: "forget", kind: "tool", id: after.id, tenantId: after.tenantId });
  // The entry has its capabilities, since it outlives the tool.
  const details = {
    decidedVersion: waiting,
    contentHash: version.contentHash,
    ...deedOf(capabilities),
    ...(reason === undefined ? {} : { reasonGiven: true }),
  };
  // If nobody had approved the tool yet, the version and the tool are decided together.
  if (before.pendingVersion === null)
    await tellChange(deps, principal, to, { before, after, details, reason });
  else await tellVersion(deps, principal, to, { before, after, version, details, reason });
  await keepServices(deps, principal, { before, after });
  return after;
}

/** A request that names no version may mean an older one than the waiting one, unless that one replaced none. */
async function requireOnlyProposal(
  deps: Pick<ToolDeps, "tools">,
  tool: Tool,
  { version, contentHash }: ToolVersion,
): Promise<void> {
  // Every version has the number after the one before it.
  const last = await deps.tools.findVersion(tool.tenantId, tool.id, version - 1);
  if (last?.state !== "superseded") return;
  throw new Fault("tool.changed", {
    detail: `Version ${version} waits, and took the place of version ${last.version}. Look at it, then say which one is meant: by its contentHash (${contentHash}), with If-Match, or with POST /api/v1/custom-tools/${tool.id}/versions/${version}/approve.`,
  });
}

function notPending(tool: Tool, { version, state }: ToolVersion, asked: number | undefined): Fault {
  const detail =
    asked === undefined
      ? `The tool is ${tool.status}, and no version of it waits for approval.`
      : `Version ${version} of the tool is ${state}; only one that is pending can be decided about.`;
  return new Fault("tool.not_pending", { detail });
}

const otherContent = ({ version, contentHash }: ToolVersion) =>
  new Fault("tool.precondition_failed", {
    detail: `The version that waits is ${version} with the content hash ${contentHash}; look at it, then decide anew.`,
  });
