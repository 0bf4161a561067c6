import { requireTenant } from "@bulkhead/tenants";
import { ResumeHeaders, resumePoint, ResumeQuery, TenantEvent } from "@bulkhead/contracts";
import {
  seesNews,
  type SignalBus,
  type TenantEvent as News,
  type TenantEvents,
  type TenantEventsGap,
  type TenantPrincipal,
} from "@bulkhead/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { watchKey } from "../../edge/authentication.ts";
import { headersOfAnswer } from "../../edge/answer-headers.ts";
import { sendEventStream, type Frame } from "../../edge/event-stream-reply.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { StreamSlots } from "../../edge/stream-slots.ts";

export interface EventRouteDeps {
  tenantEvents: Pick<TenantEvents, "position" | "follow">;
  /** Tells of keys that are gone. */
  signals: Pick<SignalBus, "subscribe">;
  /** Fires when this process stops. */
  stopping: { streams: AbortSignal };
}

/** Streams that a tenant may have open in one API process: people who look at an inbox, with some tabs each. */
const TENANT_STREAMS_MAX = 100;
/** A stream is closed after so many milliseconds and resumed with its key, so that no key is believed for longer. */
const TENANT_STREAM_MS_MAX = 10 * 60_000;

/** Tells what happens in a tenant as it happens. */
export function eventRoutes(app: ApiScope, deps: EventRouteDeps): void {
  const slots = new StreamSlots(TENANT_STREAMS_MAX);
  app.get(
    "/events",
    {
      // It would hold a stream that nobody reads.
      exposeHeadRoute: false,
      config: { action: "events.read" },
      schema: {
        tags: ["events"],
        summary: "Follow the tenant's tools and approvals as server-sent events; resume with Last-Event-ID",
        headers: ResumeHeaders,
        querystring: ResumeQuery,
        response: {
          ...answers({}),
          200: {
            description:
              "The events from behind Last-Event-ID, without it from now on. It has no last one. What an execution does is told by its own stream, `GET /api/v1/executions/{id}/events`, and its end by its callback. An agent's key is told of the tenant's tools, its own agent's, and what was asked for it.",
            headers: headersOfAnswer("200", undefined),
            content: { "text/event-stream": { schema: TenantEvent } },
          },
        },
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "events.read");
      const { tenantId } = principal;
      await slots.holding(tenantId, async () => {
        // Settled before the answer begins: whoever has its status misses nothing that happens from then on.
        const after = resumePoint(request) ?? (await deps.tenantEvents.position(tenantId));
        await streamTenant(deps, request, reply, principal, after);
      });
    },
  );
}

async function streamTenant(
  { tenantEvents, signals, stopping }: EventRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  principal: TenantPrincipal,
  after: string,
): Promise<void> {
  const controller = new AbortController();
  const unsubscribe = watchKey(signals, request, () => controller.abort());
  const timer = setTimeout(() => controller.abort(), TENANT_STREAM_MS_MAX);
  try {
    const signal = AbortSignal.any([controller.signal, stopping.streams]);
    const events = tenantEvents.follow(principal.tenantId, after, signal);
    const frames = startingBehind(after, events, principal);
    await sendEventStream(reply, frames, (frame) => frame, controller);
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

/**
 * Yields what the key sees. A reader that is cut off before its first event can resume too: the first frame tells from where.
 * An event that is passed over tells nothing, not even its id; after a resume from an earlier one it is passed over again.
 */
async function* startingBehind(
  after: string,
  events: ReturnType<TenantEvents["follow"]>,
  principal: TenantPrincipal,
): AsyncGenerator<Frame, void, undefined> {
  yield { id: after };
  for await (const event of events)
    if (event.type === "events.gap" || seesNews(principal, event)) yield tenantFrameOf(event);
}

/** An event of a tenant as a server-sent one. */
function tenantFrameOf(event: News | TenantEventsGap): Frame {
  const { type, id } = event;
  if (type === "events.gap") return { id, event: type, data: { from: event.from, to: event.to } };
  return { id, event: type, at: event.at, data: { at: event.at, ...event.data } };
}
