import { EVENT_ID, TENANT_EVENTS, type TenantEventField } from "@bulkhead/core";
import { z } from "zod";
import { timestamp } from "./fields.ts";

const resumeAfter = z
  .string()
  .regex(EVENT_ID, "must be the id of an event that this stream sent, such as 1-4")
  .optional();

/** How a stream is resumed; for every route that streams. */
export const ResumeHeaders = z.looseObject({
  "last-event-id": resumeAfter.describe("Go on from behind this event."),
});

/** The same for an EventSource that can't set the header when it begins. */
export const ResumeQuery = z.strictObject({
  lastEventId: resumeAfter.describe("The same as the header Last-Event-ID, which takes precedence."),
});

/** Of an execution's stream, which an access token may follow. */
export const FollowQuery = ResumeQuery.extend({
  access_token: z
    .string()
    .optional()
    .describe(
      "An access token, for an EventSource, which sends no header. A key or token in the header Authorization takes precedence.",
    ),
});

/** The event from behind which a reader goes on; undefined for one that begins. */
export const resumePoint = ({
  headers,
  query,
}: {
  headers: z.output<typeof ResumeHeaders>;
  query: z.output<typeof ResumeQuery>;
}): string | undefined => headers["last-event-id"] ?? query.lastEventId;

const eventId = z.string().regex(EVENT_ID);

const fieldOf = (field: TenantEventField): z.ZodType => {
  if (field === "text") return z.string();
  if (field === "text?") return z.string().optional();
  return field === "number" ? z.int() : z.enum(field);
};

const kinds = Object.entries(TENANT_EVENTS).map(([type, fields]) => {
  const entries = Object.entries<TenantEventField>(fields).map(([name, field]) => [name, fieldOf(field)]);
  return z.object({
    event: z.literal(type),
    id: eventId,
    data: z.object({ at: timestamp, ...Object.fromEntries(entries) }),
  });
});

const gap = z
  .object({
    event: z.literal("events.gap"),
    id: eventId,
    data: z.object({ from: eventId, to: eventId }),
  })
  .describe("Events between these two ids may be lost.");

/** One event of `GET /events`, with the contents of its three lines; `data` travels as JSON. */
export const TenantEvent = z.union([...kinds, gap]).meta({ id: "TenantEvent" });
