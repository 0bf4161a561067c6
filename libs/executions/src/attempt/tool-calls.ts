import type {
  AskCapability,
  AttemptKey,
  ClaimedExecution,
  EffectAnswer,
  EgressSession,
  Permission,
  RunLimits,
  Usage,
} from "@bulkhead/core";
import type { TraceSpan } from "@bulkhead/process/telemetry";
import type { LateClaim } from "./late-claim.ts";
import type { Cover } from "../secrets/cover.ts";
import type { RunSecrets } from "../secrets/open-secrets.ts";

/** The calls of other tools that one run makes. Neither rejects. */
export interface ToolCalls {
  call(name: string, argumentsJson: string, signal: AbortSignal): Promise<EffectAnswer>;
  /** The tools that may be called, as JSON in the answer's body. */
  list(): Promise<EffectAnswer>;
  /** What it has used so far to ask called tools' own code whether they may run; it has no time of its own. */
  readonly asked: Usage;
  /** Resolves once everything that was called has ended; never rejects. */
  settled(): Promise<void>;
}

/** An attempt that this worker holds, as its run needs it. */
export interface HeldAttempt
  extends
    AttemptKey,
    Pick<
      ClaimedExecution,
      | "toolId"
      | "toolName"
      | "toolVersion"
      | "argumentsJson"
      | "context"
      | "scopeAgentId"
      | "madeBy"
      | "deadlineAt"
      | "byAgent"
      | "isAllowed"
      | "ceilings"
      | "approvals"
      | "retention"
      | "tenantRetention"
      | "applyDefaults"
      | "policyVersion"
      | "suspect"
      | "inlineTool"
    > {
  /**
   * When its lease was asked for, by this process's monotonic clock: it holds from then at the least. Null where
   * `claim` tells.
   */
  leaseFrom: number | null;
  /** The claim that is still to be made; null where it was made before. */
  claim: LateClaim | null;
  /** The stored tools whose calls led here, the first one first; null for one that is not stored. */
  callers: readonly (string | null)[];
  /** The secrets that its caller could reach; null where there is no caller. */
  callerSecrets: RunSecrets | null;
  /** Shared by all that the first tool's call leads to: the calls that were made so far. */
  tree: { calls: number };
  /** Fires when the caller wants no answer any more; null where there is no caller. */
  callerGone: AbortSignal | null;
  /** The step of the trace that it runs in. */
  span: TraceSpan;
  /** The attempt under which the queue holds a slot for it, if any. */
  slot: AttemptKey | null;
}

/** Counted from 1 at the first tool. */
export const depthOf = ({ callers }: Pick<HeldAttempt, "callers">): number => callers.length + 1;

/** What one run may reach, which the built-in tools that it calls reach for it. */
export interface Reach {
  permissions: readonly Permission[];
  /** Its own way out; null without the permission. */
  egress: EgressSession | null;
  allowedHosts: readonly string[] | null;
  /** An id for a request's body in that session, never given before. */
  nextBodyId(): number;
  ask: AskCapability;
}

/** Opens the calls of one run. */
export type OpenCalls = (
  caller: HeldAttempt,
  cover: Cover,
  limits: Pick<RunLimits, "nestedCalls">,
  reach: Reach,
) => ToolCalls;

/** A good answer, whose body is JSON for the tool. */
export const answerWith = (body: string): EffectAnswer => ({
  ok: true,
  head: "{}",
  body,
  bodyEncoding: "utf8",
});

export const refusal = (
  code: Extract<EffectAnswer, { ok: false }>["code"],
  message: string,
): Extract<EffectAnswer, { ok: false }> => ({ ok: false, code, message });
