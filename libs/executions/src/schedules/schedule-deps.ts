import type {
  ApiKeyStore,
  AuditLog,
  CallContext,
  Clock,
  ExecutionStatus,
  IdempotencyKey,
  JsonObject,
  ScheduleStore,
  ScheduleTriggers,
  SchemaChecker,
  TenantPrincipal,
  Tool,
  ToolStore,
} from "@bulkhead/core";

/** Told of what went wrong without anybody waiting for it. */
export type Report = (what: string, error: unknown) => void;

/** A call that a schedule makes. */
export interface ScheduledCall {
  scheduleId: string;
  arguments: JsonObject;
  context: CallContext;
  timeoutMs: number;
  priority: number;
  /** Under which the call is accepted once; null where each one counts. */
  once: IdempotencyKey | null;
}

/** Accepts a call as any other of its tenant's; throws the same faults. A repeat is answered with the first one, as it is by now. */
export type SubmitScheduled = (
  principal: TenantPrincipal,
  tool: Tool,
  call: ScheduledCall,
) => Promise<{ executionId: string; status: ExecutionStatus; repeated: boolean }>;

/** Dependencies of the use cases that change schedules. */
export interface ScheduleDeps {
  schedules: ScheduleStore;
  tools: Pick<ToolStore, "find">;
  apiKeys: Pick<ApiKeyStore, "find">;
  schemas: Pick<SchemaChecker, "checkArguments">;
  triggers: Pick<ScheduleTriggers, "set" | "remove">;
  submitScheduled: SubmitScheduled;
  audit: AuditLog;
  clock: Clock;
  report: Report;
}
