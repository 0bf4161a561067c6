import { requireTenant } from "@bulkhead/tenants";
import { ResumeHeaders, resumePoint, TenantEvent, TenantEventsQuery } from "@bulkhead/contracts";
import {
  isForPeople,
  RUN_EVENTS,
  type RunNews,
  type RunNewsLoss,
  seesNews,
  type SignalBus,
  type TenantEvent as News,
  type TenantEvents,
  type TenantEventsGap,
  type TenantPrincipal,
} from "@bulkhead/core";
import type { z } from "zod";
import type { FastifyReply, FastifyRequest } from "fastify";
import { watchKey } from "../../edge/authentication.ts";
import { headersOfAnswer } from "../../edge/answer-headers.ts";
import { sendEventStream, type Frame } from "../../edge/event-stream-reply.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { StreamSlots } from "../../edge/stream-slots.ts";
import { mergeEvents } from "./merge-events.ts";

export interface EventRouteDeps {
  tenantEvents: Pick<TenantEvents, "position" | "follow" | "runs">;
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
        summary:
          "Follow the tenant's tools, approvals, executions and what people set up as server-sent events; resume with Last-Event-ID",
        headers: ResumeHeaders,
        querystring: TenantEventsQuery,
        response: {
          ...answers({}),
          200: {
            description:
              "The events from behind Last-Event-ID, without it from now on. It has no last one. What an execution does is told by its own stream, `GET /api/v1/executions/{id}/events`, and its end by its callback. What people set up (schedules, services and their entries, devices, MCP servers and how they are going, policy, settings, API keys, scrub rules) is told under the names of the audit log to who asks for it by `types`, and never to an agent's key. An agent's key is told of the tenant's tools, its own agent's, and what was asked for it.\n\n`execution.started` (of each attempt) and `execution.ended` (once) come where `types` asks for them, also of nested calls (`parentId`) and dry runs (`source`). They are told live only, at most about 640 a second from each process; a short run's both come at its end. They have no id and no resume brings them again: a reader that was away lists the executions. So does `delivery.tried`, for each try of an execution's callback. What is dropped, as more came or the reader was slow, is told as `execution.dropped`, to an agent's key without its count; some of what happens while Redis is away is lost, and a process that has just started may tell nothing for some seconds.",
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
        await streamTenant(deps, request, reply, { principal, after, types: request.query.types });
      });
    },
  );
}

interface Asked {
  principal: TenantPrincipal;
  after: string;
  types: z.output<typeof TenantEventsQuery>["types"];
}

async function streamTenant(
  { tenantEvents, signals, stopping }: EventRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { principal, after, types }: Asked,
): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const unsubscribe = watchKey(signals, request, stop);
  const timer = setTimeout(stop, TENANT_STREAM_MS_MAX);
  try {
    const { tenantId } = principal;
    const signal = AbortSignal.any([controller.signal, stopping.streams]);
    const runs = types?.some(isOfRuns) ? [await tenantEvents.runs.follow(tenantId, signal)] : [];
    // A reader that asks for nothing of the log is told of no gap in it either.
    const log = types?.every(isOfRuns) ? [] : [tenantEvents.follow(tenantId, after, signal)];
    if (reply.raw.destroyed) return;
    const events = mergeEvents<Told>([...log, ...runs], stop);
    const frames = startingBehind(after, events, { principal, types });
    await sendEventStream(reply, frames, (frame) => frame, controller);
  } finally {
    clearTimeout(timer);
    unsubscribe();
    stop();
  }
}

type Told = News | TenantEventsGap | RunNews | RunNewsLoss;

const isOfRuns = (type: string): type is RunNews["type"] => Object.hasOwn(RUN_EVENTS, type);

/**
 * Yields what the key sees and asked for. A reader that is cut off before its first event can resume too: the first frame
 * tells from where. An event that is passed over tells nothing, not even its id; after a resume from an earlier one it is
 * passed over again.
 */
async function* startingBehind(
  after: string,
  events: AsyncIterable<Told>,
  { principal, types }: Pick<Asked, "principal" | "types">,
): AsyncGenerator<Frame, void, undefined> {
  yield { id: after };
  for await (const event of events) {
    if (event.type === "execution.dropped") yield lossFrameOf(event, principal);
    else if (event.type === "events.gap") yield tenantFrameOf(event);
    else if (!(types?.includes(event.type) ?? !isForPeople(event.type))) continue;
    else if (!("id" in event)) {
      const { type, at, data } = event;
      const agentId = "agentId" in data ? (data.agentId ?? null) : null;
      // Without an id of its own a frame leaves the reader where it stands in the log.
      if (seesNews(principal, { type, agentId })) yield { event: type, at, data: { at, ...data } };
    } else if (seesNews(principal, event)) yield tenantFrameOf(event);
  }
}

/** An agent is not told how much others do. */
const lossFrameOf = ({ type, count }: RunNewsLoss, { role }: TenantPrincipal): Frame => ({
  event: type,
  data: count === undefined || role === "agent" ? {} : { count },
});

/** An event of a tenant as a server-sent one. */
function tenantFrameOf(event: News | TenantEventsGap): Frame {
  const { type, id } = event;
  if (type === "events.gap") return { id, event: type, data: { from: event.from, to: event.to } };
  return { id, event: type, at: event.at, data: { at: event.at, ...event.data } };
}
