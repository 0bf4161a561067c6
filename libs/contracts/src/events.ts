import { EVENT_ID, RUN_EVENTS, TENANT_EVENTS, type TenantEventField } from "@bulkhead/core";
import { z } from "zod";
import { severalOf, timestamp } from "./fields.ts";

const resumeAfter = z
  .string()
  .regex(EVENT_ID, "must be the id of an event that this stream sent, such as 1-4")
  .optional();

/** How a stream is resumed; for every route that streams. */
export const ResumeHeaders = z.looseObject({
  "last-event-id": resumeAfter.describe("Go on from behind this event."),
});

/** The same for an EventSource that can't set the header when it begins. */
const ResumeQuery = z.strictObject({
  lastEventId: resumeAfter.describe("The same as the header Last-Event-ID, which takes precedence."),
});

const typesOf = <Kinds extends object>(kinds: Kinds) =>
  Object.keys(kinds) as [keyof Kinds & string, ...(keyof Kinds & string)[]];

const EVENT_TYPES = [...typesOf(TENANT_EVENTS), ...typesOf(RUN_EVENTS)] as const;
/** Characters of a word that is no type, as a refusal repeats it. */
const SAID_CHARS_MAX = 64;
const noType = (said: string): string =>
  `must be one of ${EVENT_TYPES.join(", ")}, not ${JSON.stringify(said.slice(0, SAID_CHARS_MAX))}`;

/** Of a tenant's stream. */
export const TenantEventsQuery = ResumeQuery.extend({
  types: severalOf(EVENT_TYPES, noType).describe(
    "Only events of these types: `types=approval.requested,execution.ended`, or the field several times. Left out: those of tools, approvals and who may use MCP servers.",
  ),
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

const dataOf = (fields: Readonly<Record<string, TenantEventField>>) => {
  const entries = Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]);
  return z.object({ at: timestamp, ...Object.fromEntries(entries) });
};

const kinds = Object.entries(TENANT_EVENTS).map(([type, fields]) =>
  z.object({ event: z.literal(type), id: eventId, data: dataOf(fields) }),
);

const runKinds = Object.entries(RUN_EVENTS).map(([type, fields]) =>
  z.object({ event: z.literal(type), data: dataOf(fields) }),
);

const dropped = z
  .object({ event: z.literal("execution.dropped"), data: z.object({ count: z.int().optional() }) })
  .describe("So many starts and ends of executions were dropped; without `count` some may have been.");

const gap = z
  .object({
    event: z.literal("events.gap"),
    id: eventId,
    data: z.object({ from: eventId, to: eventId }),
  })
  .describe("Events between these two ids may be lost.");

/** One event of `GET /events`, with the contents of its lines; `data` travels as JSON. Those of executions have no `id`. */
export const TenantEvent = z.union([...kinds, gap, ...runKinds, dropped]).meta({ id: "TenantEvent" });
