import { seeExecution } from "@bulkhead/executions";
import type { Frame } from "../edge/event-stream-reply.ts";
import type { Asker } from "./asker.ts";
import { CallNews } from "./call-news.ts";
import { callEventId, requestKey, type CallPlace } from "./event-ids.ts";
import { followCall } from "./follow-call.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { presentEnd } from "./present-end.ts";

/**
 * The rest of an answer to a call whose connection broke, from the execution's own events: whichever process began it. Throws
 * `execution.not_found` where it is not there for this key.
 */
export async function resumeCall(
  deps: McpDeps,
  asker: Asker,
  place: CallPlace,
): Promise<AsyncIterable<Frame>> {
  const { principal, exchange } = asker;
  const key = { tenantId: principal.tenantId, executionId: place.executionId };
  await seeExecution(deps, principal, key);
  exchange.place = place;
  return rest(deps, asker, place);
}

async function* rest(deps: McpDeps, asker: Asker, place: CallPlace): AsyncGenerator<Frame, void, undefined> {
  const { principal, exchange } = asker;
  const { executionId, requestId, progressToken } = place;
  const key = { tenantId: principal.tenantId, executionId };
  const news = new CallNews({ progressToken, logLevel: exchange.logLevel });
  const frame = (message: object): Frame => ({
    id: callEventId(place),
    event: "message",
    data: { jsonrpc: "2.0", ...message },
  });
  const events = followCall(deps, key, { after: place.after, signal: exchange.left, isHeld: false });
  for (;;) {
    const { done, value } = await events.next();
    if (done) {
      if (exchange.left.aborted) return;
      const result = await presentEnd(deps, asker, value, () => null);
      yield frame({ id: requestId, result });
      if (exchange.session) await deps.sessions.endCall(exchange.session, requestKey(requestId));
      return;
    }
    const told = value === "silence" ? news.heartbeat() : news.of(value);
    if (value !== "silence") place.after = value.id;
    if (told) yield frame(told);
  }
}
