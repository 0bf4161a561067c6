import type { DraftDeps } from "@bulkhead/agents";
import { recordedOf } from "@bulkhead/contracts";
import {
  DRY_RUN_TIMEOUT_MS,
  newTraceId,
  servicesOf,
  valueOf,
  type Clock,
  type EventStream,
} from "@bulkhead/core";
import { nextExecutionId, PLAIN_CALL } from "@bulkhead/executions";
import { checkLimits } from "@bulkhead/tools";
import type { Calls } from "../executions/wire-executions.ts";

export interface TryOutDeps extends Pick<Calls, "submitDryRun" | "waitForEnd"> {
  stream: Pick<EventStream, "watchEnd">;
  clock: Clock;
}

/** Runs a draft's example in the sandbox, with the answers that the example records and nothing else of the outside. */
export const tryOutDraft =
  ({ submitDryRun, waitForEnd, stream, clock }: TryOutDeps): DraftDeps["tryOut"] =>
  async (principal, { request, example }, compiled, signal) => {
    const executionId = nextExecutionId(clock);
    const key = { tenantId: principal.tenantId, executionId };
    const watch = stream.watchEnd(key);
    try {
      const recorded = recordedOf({
        fetch: example.fetch ?? [],
        calls: example.calls ?? [],
        commands: example.commands ?? [],
      });
      const submitted = submitDryRun(principal, {
        ...PLAIN_CALL,
        source: "dry_run",
        executionId,
        parameters: request.parameters,
        applyDefaults: request.applyDefaults,
        inlineTool: {
          code: compiled ?? request.code,
          permissions: request.permissions,
          outputSchema: request.outputSchema,
          limits: checkLimits({}, principal),
          allowedHosts: request.allowedHosts,
          services: [],
          rehearsal: { services: servicesOf(request), recorded },
        },
        toolName: request.name,
        arguments: example.arguments,
        context: {},
        timeoutMs: DRY_RUN_TIMEOUT_MS,
        traceId: newTraceId(),
      });
      const [{ deadlineAt }] = await Promise.all([submitted, watch.ready]);
      const ended = await waitForEnd(key, deadlineAt, watch, signal);
      if (ended === null) return null;
      const { result, error } = ended;
      return {
        executionId,
        result: valueOf(result),
        errorCode: error?.code ?? null,
        message: error?.message ?? null,
      };
    } finally {
      watch.close();
    }
  };
