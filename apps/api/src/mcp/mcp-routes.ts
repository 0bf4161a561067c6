import { MCP_SESSIONS_MAX } from "@bulkhead/core";
import { nextExecutionId } from "@bulkhead/executions";
import { requireTenant } from "@bulkhead/tenants";
import { isLegacyRequest } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { watchKey } from "../edge/authentication.ts";
import { callOriginOf } from "../edge/call-origin.ts";
import { drained, sendEventStream, type Frame } from "../edge/event-stream-reply.ts";
import { requireParts } from "../edge/json-body.ts";
import type { ApiScope } from "../edge/route-schema.ts";
import { StreamSlots } from "../edge/stream-slots.ts";
import { invalidField } from "../edge/validate.ts";
import { requireHost } from "./allowed-hosts.ts";
import { asModel, type Asker } from "./asker.ts";
import { ALL_LEVELS, readLevel } from "./call-news.ts";
import { listEventId, readEventId } from "./event-ids.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { resumeCall } from "./resume-call.ts";
import { asRecord, sendRpcError } from "./rpc-errors.ts";
import { forgetUnserved, noSuchSession, serveSession, sessionOf } from "./serve-session.ts";
import { serveStateless } from "./serve-stateless.ts";
import { changedTools, markTools } from "./tool-list.ts";
import { VIEWS, type View } from "./views.ts";

const config = { action: "tools.read" } as const;
const McpQuery = z.strictObject({ view: z.enum(VIEWS).optional() });
/** `mcp-reference.ts` describes it. */
const schema = { hide: true, querystring: McpQuery };

/** Requests, streams of changes among them, that a tenant may have open in one API process. */
const REQUESTS_MAX = 5 * MCP_SESSIONS_MAX;
/**
 * Names, objects and lists of one message: the protocol's library looks at them again and again, up to 9 µs for each in one
 * step.
 */
const MESSAGE_PARTS_MAX = 20_000;

/** The door for agents: Model Context Protocol by Streamable HTTP, with sessions (2025-11-25) and without (2026-07-28). */
export function mcpRoutes(app: ApiScope, given: Omit<McpDeps, "slots" | "findExecution">): void {
  const deps: McpDeps = {
    ...given,
    findExecution: (key) => given.executions.find(key),
    slots: new StreamSlots(REQUESTS_MAX),
  };
  app.setErrorHandler(sendRpcError);
  app.addHook("onRequest", async (request) => requireHost(deps.hosts, request));

  app.post("/mcp", { config, schema: { ...schema, body: z.unknown() } }, async (request, reply) =>
    deps.slots.holding(tenantOf(request), async () => {
      const { body } = request;
      requireParts(request.bodyParts, MESSAGE_PARTS_MAX);
      const web = webRequest(request);
      const isSessionful = await isLegacyRequest(web, body);
      const { asker, leave } = askerOf(deps, request, reply, request.query.view, !isSessionful);
      const asked = new Request(web, { signal: asker.exchange.left });
      const serve = isSessionful ? serveSession : serveStateless;
      const answered = new Promise((resolve) => reply.raw.once("close", resolve));
      // A stream of changes may stay open for days: not behind a key that is gone.
      const isStream = asRecord(body)["method"] === "subscriptions/listen";
      const unwatch = isStream ? watchKey(deps.signals, request, leave) : null;
      try {
        await reply.send(await serve(deps, asker, asked, body));
        await answered;
      } finally {
        unwatch?.();
        await forgetUnserved(deps, asker.exchange);
      }
    }),
  );

  app.get("/mcp", { config, schema, exposeHeadRoute: false }, async (request, reply) => {
    const { asker, leave } = askerOf(deps, request, reply, request.query.view, false);
    const frames = await resumed(deps, asker, webRequest(request));
    const unwatch = watchKey(deps.signals, request, leave);
    const controller = new AbortController();
    asker.exchange.left.addEventListener("abort", () => controller.abort(), { once: true });
    try {
      await deps.slots.holding(tenantOf(request), () =>
        sendEventStream(reply, frames, (frame) => frame, controller),
      );
    } finally {
      unwatch();
    }
  });

  app.delete("/mcp", { config, schema }, async (request, reply) => {
    const key = sessionOf(
      { principal: asModel(requireTenant(request.principal, config.action)) },
      webRequest(request).headers,
    );
    if (!(await deps.sessions.close(key))) throw noSuchSession();
    reply.server.metrics.mcp.session("closed");
    return reply.status(204).send();
  });
}

const tenantOf = (request: FastifyRequest): string =>
  requireTenant(request.principal, config.action).tenantId;

function askerOf(
  { clock, stopping }: Pick<McpDeps, "clock" | "stopping">,
  request: FastifyRequest,
  reply: FastifyReply,
  view: View | undefined,
  leavingCancels: boolean,
): { asker: Asker; leave: () => void } {
  const left = new AbortController();
  const leave = (): void => left.abort();
  // Clients with a session come back to another process; the others get what there is within the grace.
  const stops = leavingCancels ? stopping.waits : stopping.streams;
  if (stops.aborted) leave();
  stops.addEventListener("abort", leave, { once: true });
  reply.raw.once("close", () => {
    stops.removeEventListener("abort", leave);
    leave();
  });
  const asker: Asker = {
    asks: request.principal,
    principal: asModel(requireTenant(request.principal, config.action)),
    now: async () => asModel(requireTenant(await request.server.whoAsks(request), config.action)),
    view,
    executionId: nextExecutionId(clock),
    metrics: reply.server.metrics.mcp,
    origin: { ...callOriginOf(request), source: "mcp" },
    exchange: {
      left: left.signal,
      leavingCancels,
      logLevel: null,
      elapsedMs: () => reply.elapsedTime,
      session: null,
      place: null,
      isServed: false,
      room: async () => reply.raw.writableNeedDrain && drained(reply.raw),
      breakOff: () => undefined,
    },
  };
  return { asker, leave };
}

/** What a client that opens a stream hears: the rest of a call that was cut off, or that its tools changed. */
async function resumed(deps: McpDeps, asker: Asker, { headers }: Request): Promise<AsyncIterable<Frame>> {
  const { exchange, principal, view } = asker;
  const session = sessionOf(asker, headers);
  const touched = await deps.sessions.touch(session, null);
  if (touched === null) throw noSuchSession();
  exchange.session = session;
  exchange.logLevel = readLevel(touched.logLevel) ?? ALL_LEVELS;
  const said = headers.get("last-event-id");
  const place = said === null ? null : readEventId(said);
  if (said !== null && place === null)
    throw invalidField("last-event-id", "must be an id that this endpoint gave", "The header");
  if (place !== null && "requestId" in place) return resumeCall(deps, asker, place);
  const since = place?.mark ?? (await markTools(deps, principal, view));
  return changes(deps, asker, since);
}

async function* changes(deps: McpDeps, asker: Asker, since: string): AsyncGenerator<Frame, void, undefined> {
  const { principal, view, exchange, now } = asker;
  const alive = async () => !exchange.session || (await deps.sessions.touch(exchange.session, null)) !== null;
  yield { id: listEventId({ mark: since }), isEmpty: true };
  for await (const mark of changedTools(deps, principal, view, { since, signal: exchange.left, alive, now }))
    yield {
      id: listEventId({ mark }),
      event: "message",
      data: { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
    };
}

/** The request as the protocol's library takes one; its body is parsed already. */
function webRequest({ method, headers, url }: FastifyRequest): Request {
  const named = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return new Request(new URL(url, "http://mcp.invalid"), { method, headers: new Headers(named) });
}
