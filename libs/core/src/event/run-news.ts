import { DELIVERY_STATUSES } from "../delivery/delivery.ts";
import { EXECUTION_SOURCES, TERMINAL_STATUSES } from "../execution/execution.ts";
import { asRecord, readEventData, type EventData, type TenantEventField } from "./tenant-event.ts";

/**
 * `toolId` is absent for a tool that is not stored, `keyId` where a tool's call of another one starts, `parentId` for all
 * but those calls.
 */
const RUN = {
  executionId: "text",
  parentId: "text?",
  toolId: "text?",
  toolName: "text",
  toolVersion: "number",
  attempt: "number",
  source: EXECUTION_SOURCES,
  keyId: "text?",
  agentId: "text?",
} as const;

/** What is told live of a tenant's executions and their deliveries, with its fields. `durationMs` is from acceptance to the end. */
export const RUN_EVENTS = {
  "execution.started": RUN,
  "execution.ended": { ...RUN, status: TERMINAL_STATUSES, code: "text?", durationMs: "number" },
  /** A try of the callback that tells of an execution's end is over; `pending`: there is another one. */
  "delivery.tried": { executionId: "text", delivery: "number", status: DELIVERY_STATUSES },
} as const satisfies Record<string, Readonly<Record<string, TenantEventField>>>;

type Kinds = typeof RUN_EVENTS;

/** An execution's attempt has started, or the execution has ended, or its callback was tried; `at` is a time as ISO 8601 writes it. */
export type RunNews = {
  [Type in keyof Kinds]: { type: Type; at: string; data: EventData<Kinds[Type]> };
}[keyof Kinds];

/** News of executions were dropped: so many, where that is known. */
export interface RunNewsLoss {
  type: "execution.dropped";
  count?: number;
}

/** What of a tenant's executions is told while somebody follows, and kept nowhere. */
export interface LiveRunNews {
  /**
   * Tells it where the tenant has followers, anywhere; else `make` is not called. What comes faster than it can be told is
   * dropped and counted. Never throws.
   */
  tell(tenantId: string, make: () => RunNews): void;
  /**
   * Follows from when it resolves until `signal`. Never rejects: where others could not be told that somebody follows, they
   * are told again soon. A consumer that does not pull holds a bounded number, and loses the rest.
   */
  follow(tenantId: string, signal: AbortSignal): Promise<AsyncIterable<RunNews | RunNewsLoss>>;
}

/** News of the closed list with exactly its fields; null for anything else, of whatever shape. */
export function readRunNews(value: unknown): RunNews | null {
  const { type, at, data } = asRecord(value);
  if (typeof type !== "string" || !Object.hasOwn(RUN_EVENTS, type) || typeof at !== "string") return null;
  const read = readEventData(RUN_EVENTS[type as keyof Kinds], data);
  // The check above ensures this type.
  return read && ({ type, at, data: read } as RunNews);
}
