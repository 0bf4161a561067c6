import type { McpRefusal } from "@bulkhead/core";

export type CallOutcome = "answered" | McpRefusal;

/** Hears how this process's servers are going, for metrics. */
export interface BridgeObserver {
  /** A lost or failed connection is tried again. */
  onReconnect(): void;
  /** A server is tried no more until a person asks. */
  onFailed(): void;
  onCall(outcome: CallOutcome): void;
}

/** Notes a failure that ends nothing; what it is about is told by ids and names alone. */
export type Report = (
  what: string,
  error: unknown,
  about?: Readonly<Record<string, string | number>>,
) => void;
