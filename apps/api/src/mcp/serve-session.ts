import {
  Fault,
  MCP_CALLS_MAX,
  MCP_KEY_SESSIONS_MAX,
  MCP_SESSIONS_MAX,
  type McpSessionKey,
} from "@bulkhead/core";
import { requireAction } from "@bulkhead/tenants";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { randomUUID } from "node:crypto";
import type { Asker, Exchange } from "./asker.ts";
import { readLevel } from "./call-news.ts";
import { callEventId, callOf, requestKey, type CallPlace } from "./event-ids.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { buildServer, SESSION_REVISIONS } from "./mcp-server.ts";
import { asRecord, idOf } from "./rpc-errors.ts";

const SESSION_HEADER = "mcp-session-id";
/** Between two signs of life of a silent stream; milliseconds. */
const KEEP_ALIVE_MS = 10_000;
/** Characters of a request's id and of a progress token. */
const ID_CHARS_MAX = 200;
/** A tenant that has too many sessions may look again after this. */
const SESSION_RETRY_SECONDS = 60;
const CALL_RETRY_SECONDS = 1;

const HOLDERS = {
  too_many_of_tenant: `This tenant has ${MCP_SESSIONS_MAX}`,
  too_many_of_key: `This key has ${MCP_KEY_SESSIONS_MAX}`,
};

/** Calls that are answered at once, without a stream. */
const ANSWERED_AT_ONCE = ["search_tools", "describe_tools"];

/**
 * Serves one request of a revision with sessions. The session lives in Redis and the call in its execution, so that any API
 * process serves any request of it; a client that loses its connection goes on by `Last-Event-ID`.
 */
export async function serveSession(
  deps: McpDeps,
  asker: Asker,
  request: Request,
  body: unknown,
): Promise<Response> {
  if (Array.isArray(body))
    throw new Fault("request.invalid", { detail: "Send one message in a request; batches are not served." });
  const { method, params } = asRecord(body);
  if (method === "initialize") return initialize(deps, asker, request, body);
  const key = sessionOf(asker, request.headers);
  if (method === "notifications/cancelled")
    return cancelCall(deps, asker, key, asRecord(params)["requestId"]);
  const { exchange } = asker;
  exchange.session = key;
  exchange.place = method === "tools/call" ? placeOf(asker, body) : null;
  await useSession(deps, exchange, key);
  return answer(deps, asker, request, body);
}

/** The session that a request names. Throws `request.invalid` where it names none. */
export function sessionOf({ principal }: Pick<Asker, "principal">, headers: Headers): McpSessionKey {
  const sessionId = headers.get(SESSION_HEADER);
  if (sessionId === null)
    throw new Fault("request.invalid", {
      detail: "The header Mcp-Session-Id is missing; the answer to initialize has it.",
      errors: [{ path: SESSION_HEADER, message: "must be there" }],
    });
  const { tenantId, keyId } = principal;
  return { tenantId, keyId, sessionId };
}

async function initialize(deps: McpDeps, asker: Asker, request: Request, body: unknown): Promise<Response> {
  const { tenantId, keyId } = asker.principal;
  const sessionId = randomUUID();
  const key = { tenantId, keyId, sessionId };
  const opening = await deps.sessions.open(key);
  asker.metrics.session(opening === "opened" ? "opened" : "refused");
  if (opening !== "opened")
    throw new Fault("mcp.too_many_sessions", {
      detail: `${HOLDERS[opening]} MCP sessions open, the most there may be; close some (DELETE), or wait until idle ones end.`,
      retryAfterSeconds: SESSION_RETRY_SECONDS,
    });
  const response = await answer(deps, asker, request, body);
  if (response.ok) response.headers.set(SESSION_HEADER, sessionId);
  else await deps.sessions.close(key);
  return response;
}

/** Keeps the session alive. Throws `mcp.session_not_found`, or `mcp.too_many_calls` for a call that is one too many. */
async function useSession(
  { sessions }: Pick<McpDeps, "sessions">,
  exchange: Exchange,
  key: McpSessionKey,
): Promise<void> {
  const { place } = exchange;
  const touched = await sessions.touch(key, place && callOf(place));
  if (touched === null) throw noSuchSession();
  if (!touched.admitted)
    throw new Fault("mcp.too_many_calls", {
      detail: `${MCP_CALLS_MAX} calls of this session have no answer yet; wait for some, or cancel them.`,
      retryAfterSeconds: CALL_RETRY_SECONDS,
    });
  exchange.logLevel = readLevel(touched.logLevel);
}

/** Of a call that came to no tool, as one whose arguments are no object, the session knows nothing when it is answered. */
export async function forgetUnserved(
  { sessions, report }: Pick<McpDeps, "sessions" | "report">,
  { session, place, isServed }: Exchange,
): Promise<void> {
  if (session === null || place === null || isServed) return;
  try {
    await sessions.endCall(session, requestKey(place.requestId));
  } catch (error) {
    report("forgetting a call of an MCP session failed", error);
  }
}

export const noSuchSession = (): Fault =>
  new Fault("mcp.session_not_found", { detail: "There is no such session; initialize a new one." });

/** Null for a call that is answered at once. Throws `request.invalid` for ids that are too long. */
function placeOf({ executionId }: Asker, body: unknown): CallPlace | null {
  const requestId = idOf(body);
  const { name, _meta } = asRecord(asRecord(body)["params"]);
  if (requestId === null || ANSWERED_AT_ONCE.includes(String(name))) return null;
  const token = asRecord(_meta)["progressToken"];
  const progressToken = typeof token === "string" || typeof token === "number" ? token : null;
  for (const id of [requestId, progressToken])
    if (String(id).length > ID_CHARS_MAX)
      throw new Fault("request.invalid", { detail: `An id may have ${ID_CHARS_MAX} characters at most.` });
  return { requestId, progressToken, executionId, after: null };
}

/** Has the protocol's own transport answer: a call by a stream whose events have ids, all else by one document. */
async function answer(deps: McpDeps, asker: Asker, request: Request, body: unknown): Promise<Response> {
  const { exchange } = asker;
  const { place } = exchange;
  const transport = new WebStandardStreamableHTTPServerTransport({
    keepAliveMs: KEEP_ALIVE_MS,
    supportedProtocolVersions: SESSION_REVISIONS,
    ...(place === null
      ? { enableJsonResponse: true }
      : { eventStore: { storeEvent: async () => callEventId(place), replayEventsAfter: notHere } }),
  });
  const server = buildServer(deps, asker);
  await server.connect(transport);
  const end = (): void => void server.close();
  exchange.breakOff = end;
  exchange.left.addEventListener("abort", end, { once: true });
  return transport.handleRequest(request, { parsedBody: body });
}

/** `resume-call.ts` does it, from the execution's own events. */
const notHere = (): Promise<string> => Promise.reject(new Error("streams are resumed elsewhere"));

/** Cancels the execution of a call that goes on, wherever it is served. */
async function cancelCall(
  { sessions, cancelExecution }: Pick<McpDeps, "sessions" | "cancelExecution">,
  { asks, principal }: Asker,
  key: McpSessionKey,
  requestId: unknown,
): Promise<Response> {
  requireAction(asks, "executions.run");
  if ((await sessions.touch(key, null)) === null) throw noSuchSession();
  const request = typeof requestId === "string" || typeof requestId === "number" ? requestKey(requestId) : "";
  const executionId = await sessions.findCall(key, request);
  if (executionId !== null) {
    // First, so that the answer, which the client doesn't wait for any more, is not sent.
    await sessions.endCall(key, request);
    await cancelExecution(principal, { tenantId: key.tenantId, executionId }).catch((error: unknown) => {
      // It may have ended by itself meanwhile, or not have begun.
      if (!(error instanceof Fault) || error.status >= 500) throw error;
    });
  }
  return new Response(null, { status: 202 });
}
