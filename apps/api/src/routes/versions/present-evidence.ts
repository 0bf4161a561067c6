import { VersionEvidence, shownAs } from "@bulkhead/contracts";
import { isTerminal, type DryRun } from "@bulkhead/core";
import type { Evidence } from "@bulkhead/tools";
import { presentDiff } from "./present-version.ts";

/** Shows what a person needs for a decision about a version. */
export const presentEvidence = ({
  version,
  review,
  capabilities,
  revealedServices,
  packages,
  diff,
  dryRuns,
  seen,
}: Evidence) => ({
  version: version.version,
  state: version.state,
  contentHash: version.contentHash,
  capabilities,
  revealedServices,
  packages,
  grown: review?.grown ?? [],
  diff: diff === null ? undefined : presentDiff(diff.from, version, diff.changes),
  seen,
  running: dryRuns.some(({ status }) => status !== "not_run" && !isTerminal(status)),
  dryRuns: dryRuns.map(presentDryRun),
  requestedBy: review?.proposedBy
    ? {
        keyId: review.proposedBy.keyId,
        agentId: review.proposedBy.agentId ?? undefined,
        conversationId: review.proposedBy.conversationId ?? undefined,
      }
    : undefined,
  requestedAt: review?.proposedAt.toISOString(),
  decidedBy: review?.decidedBy ?? undefined,
  decidedAt: review?.decidedAt?.toISOString(),
  reason: review?.reason ?? undefined,
});

const presentDryRun = (run: DryRun) =>
  shownAs(VersionEvidence.shape.dryRuns.element, run, {
    argumentsLeftOut: run.arguments === null ? true : undefined,
    result: run.status === "succeeded" ? run.result : undefined,
    truncated: run.truncated || undefined,
  });
