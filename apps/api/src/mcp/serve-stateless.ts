import { createMcpHandler, type ServerEvent } from "@modelcontextprotocol/server";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { buildServer } from "./mcp-server.ts";
import { asRecord } from "./rpc-errors.ts";
import { changedTools, markTools, type ListWatch } from "./tool-list.ts";

/** Between two signs of life of a silent stream; milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/** Serves one request of revision 2026-07-28, which has no sessions: a client that leaves has cancelled. */
export async function serveStateless(
  deps: McpDeps,
  asker: Asker,
  request: Request,
  body: unknown,
): Promise<Response> {
  const { principal, view, exchange } = asker;
  // Settled before the answer begins: a change behind it is told.
  const since =
    asRecord(body)["method"] === "subscriptions/listen" ? await markTools(deps, principal, view) : "";
  const handler = createMcpHandler(() => buildServer(deps, asker), {
    legacy: "reject",
    keepAliveMs: KEEP_ALIVE_MS,
    bus: {
      publish: () => undefined,
      subscribe: (listener) => {
        const over = new AbortController();
        void tellChanges(deps, asker, { since, signal: over.signal }, listener).catch((error: unknown) => {
          deps.report("telling an MCP client that its tools changed failed", error);
          // A stream that tells nothing any more would pass for one where nothing changes: its client begins anew.
          stop();
        });
        return () => over.abort();
      },
    },
  });
  const stop = (): void => void handler.close();
  deps.stopping.streams.addEventListener("abort", stop, { once: true });
  // By what lives as long as the answer does: a request's own signal goes with the request.
  exchange.left.addEventListener("abort", () => deps.stopping.streams.removeEventListener("abort", stop), {
    once: true,
  });
  return handler.fetch(request, { parsedBody: body });
}

async function tellChanges(
  deps: McpDeps,
  { principal, view, now }: Asker,
  how: Pick<ListWatch, "since" | "signal">,
  listener: (event: ServerEvent) => void,
): Promise<void> {
  for await (const _ of changedTools(deps, principal, view, { ...how, now }))
    listener({ kind: "tools_list_changed" });
}
