import { hashApiKey, requireTenant } from "@bulkhead/access";
import { ResumeHeaders, TenantEvent } from "@bulkhead/contracts";
import type { SignalBus, TenantEvents } from "@bulkhead/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendEventStream, type Frame } from "../http/event-stream-reply.ts";
import { answers, type ApiScope } from "../http/route-schema.ts";
import { StreamSlots } from "../http/stream-slots.ts";
import { tenantFrameOf } from "../present/present-tenant-event.ts";

export interface EventRouteDeps {
  tenantEvents: Pick<TenantEvents, "position" | "follow">;
  /** Tells of keys that are gone. */
  signals: Pick<SignalBus, "subscribe">;
  /** Fires when this process stops. */
  stopping: { streams: AbortSignal };
}

/** Streams that a tenant may have open in one API process: people who look at an inbox, with some tabs each. */
const TENANT_STREAMS_MAX = 100;
/** Then a stream is closed, and its reader resumes with its key: so no key is believed for longer. Milliseconds. */
const TENANT_STREAM_MS_MAX = 10 * 60_000;

/** What happens in a tenant, for whoever watches it. */
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
        summary: "Follow what happens in the tenant as server-sent events; resume with Last-Event-ID",
        headers: ResumeHeaders,
        response: {
          ...answers({}),
          200: {
            description: "The events from behind Last-Event-ID, without it from now on. It has no last one.",
            content: { "text/event-stream": { schema: TenantEvent } },
          },
        },
      },
    },
    async (request, reply) => {
      const { tenantId } = requireTenant(request.principal, "events.read");
      await slots.holding(tenantId, async () => {
        // Settled before the answer begins: whoever has its status misses nothing that happens from then on.
        const after = request.headers["last-event-id"] ?? (await deps.tenantEvents.position(tenantId));
        await streamTenant(deps, request, reply, tenantId, after);
      });
    },
  );
}

async function streamTenant(
  { tenantEvents, signals, stopping }: EventRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  tenantId: string,
  after: string,
): Promise<void> {
  const controller = new AbortController();
  // The header has passed authentication: its last word is the key, and signals name keys by their hash.
  const keyHash = hashApiKey(request.headers.authorization?.split(" ").at(-1) ?? "");
  const unsubscribe = signals.subscribe((signal) => {
    if (signal.type === "forget" && signal.kind === "key" && signal.id === keyHash) controller.abort();
  });
  const timer = setTimeout(() => controller.abort(), TENANT_STREAM_MS_MAX);
  try {
    const signal = AbortSignal.any([controller.signal, stopping.streams]);
    const frames = startingBehind(after, tenantEvents.follow(tenantId, after, signal));
    await sendEventStream(reply, frames, (frame) => frame, controller);
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

/** A reader that is cut off before its first event resumes too: it is told at once from where. */
async function* startingBehind(
  after: string,
  events: ReturnType<TenantEvents["follow"]>,
): AsyncGenerator<Frame, void, undefined> {
  yield { id: after };
  for await (const event of events) yield tenantFrameOf(event);
}
