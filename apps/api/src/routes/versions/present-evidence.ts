import { isTerminal, type DryRun } from "@bulkhead/core";
import type { Evidence } from "@bulkhead/tools";
import { presentDiff } from "./present-version.ts";

/** What a person goes by who decides about a version. */
export const presentEvidence = ({
  version,
  review,
  capabilities,
  revealedServices,
  diff,
  dryRuns,
  seen,
}: Evidence) => ({
  version: version.version,
  state: version.state,
  contentHash: version.contentHash,
  capabilities,
  revealedServices,
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
});

const presentDryRun = (run: DryRun) => ({
  executionId: run.executionId,
  arguments: run.arguments ?? undefined,
  argumentsLeftOut: run.arguments === null ? (true as const) : undefined,
  generated: run.generated,
  status: run.status,
  result: run.status === "succeeded" ? run.result : undefined,
  truncated: run.truncated ? (true as const) : undefined,
  error: run.error ?? undefined,
  effects: run.effects,
  createdAt: run.createdAt.toISOString(),
});
