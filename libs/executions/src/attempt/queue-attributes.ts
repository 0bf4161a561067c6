/** What the spans on both sides of the queue say of it, under OpenTelemetry's names. */
export const QUEUE_ATTRIBUTES = {
  "messaging.system": "bullmq",
  "messaging.destination.name": "executions",
} as const;
