import type { EgressBroker, McpLauncher, McpServer } from "@bulkhead/core";
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { RESUME_MS_MAX, RESUME_MS_MIN } from "./bounds.ts";
import { BridgeError } from "./bridge-error.ts";
import { egressFetch } from "./egress-fetch.ts";
import type { OpenedValues } from "./open-values.ts";
import { ProcessTransport } from "./process-transport.ts";

export interface TransportDeps {
  egress: Pick<EgressBroker, "open">;
  launcher: McpLauncher;
}

/** The way to a server. A process is started with it; over HTTP nothing is asked yet. */
export async function openTransport(
  { egress, launcher }: TransportDeps,
  server: McpServer,
  { headers, placed, env }: OpenedValues,
  hooks: { onLost(error: Error): void; bytesMax(): number },
): Promise<Transport> {
  const { tenantId, transport, command, args } = server;
  if (transport === "stdio") {
    if (command === null) throw new BridgeError("the server has no command: give it one");
    return new ProcessTransport(await launcher.launch({ tenantId, command, args, env }));
  }
  const url = server.url === null ? null : URL.parse(server.url);
  if (url === null) throw new BridgeError("the server has no URL: give it one");
  const onStreamEnd = (error: Error | null): void => {
    // The former transport has one stream for everything. The present one opens it again by itself.
    if (transport === "sse") hooks.onLost(error ?? new BridgeError("the server ended the stream"));
  };
  const fetch = egressFetch({
    egress,
    tenantId,
    url,
    headers,
    secrets: placed,
    bytesMax: () => hooks.bytesMax(),
    onStreamEnd,
  });
  return transport === "sse"
    ? new SSEClientTransport(url, { fetch })
    : new StreamableHTTPClientTransport(url, { fetch, reconnectionScheduler: askAgain });
}

/** A stream that its server ends is asked for again when the server says, which may be at once, but for these bounds. */
function askAgain(reconnect: () => void, saidMs: number): () => void {
  const timer = setTimeout(reconnect, Math.min(Math.max(saidMs, RESUME_MS_MIN), RESUME_MS_MAX));
  return () => clearTimeout(timer);
}
