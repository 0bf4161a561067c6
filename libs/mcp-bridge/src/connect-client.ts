import type { McpServer } from "@bulkhead/core";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { BridgeError } from "./bridge-error.ts";
import { LEAST_LEVEL } from "./send-call.ts";

/** A client that can do nothing for a server: it has no roots, no model, and nobody whom a server could ask. */
export function buildClient(
  version: string,
  { transport }: Pick<McpServer, "transport">,
  onListChanged: () => void,
): Client {
  return new Client(
    { name: "bulkhead", version },
    {
      capabilities: {},
      // Only over streamable HTTP a server can be asked which revision it speaks without being harmed by the question.
      ...(transport === "streamable-http" ? { versionNegotiation: { mode: "auto" } } : {}),
      inputRequired: { autoFulfill: false },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
    },
  );
}

/** Shakes hands within `connectMs`, or until the signal fires. Where it rejects, nothing is left of the transport. */
export async function connectClient(
  client: Client,
  transport: Transport,
  connectMs: number,
  signal: AbortSignal,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const onAbort = (): void => late.reject(new BridgeError("the connection was given up"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const words = `the server let itself be waited for longer than ${connectMs} ms`;
  const timer = setTimeout(() => late.reject(new BridgeError(words)), connectMs);
  // The client's own bound is behind ours, whose words are plainer.
  const shaken = shakeHands(client, transport, 2 * connectMs, signal);
  shaken.catch(() => undefined);
  try {
    // A former transport's client waits for its first event without a bound of its own.
    await Promise.race([shaken, late.promise]);
  } catch (error) {
    await transport.close();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

async function shakeHands(
  client: Client,
  transport: Transport,
  timeout: number,
  signal: AbortSignal,
): Promise<void> {
  await client.connect(transport, { timeout, signal });
  // In the stateless revision each request says which lines it wants.
  if (client.getServerCapabilities()?.logging !== undefined && client.getProtocolEra() === "legacy")
    await client.setLoggingLevel(LEAST_LEVEL, { timeout, signal });
}
