import type { TenantEvent, TenantEventsGap } from "@bulkhead/core";
import type { Frame } from "../../edge/event-stream-reply.ts";

/** An event of a tenant as a server-sent one. */
export function tenantFrameOf(event: TenantEvent | TenantEventsGap): Frame {
  const { type, id } = event;
  if (type === "events.gap") return { id, event: type, data: { from: event.from, to: event.to } };
  return { id, event: type, at: event.at, data: { at: event.at, ...event.data } };
}
