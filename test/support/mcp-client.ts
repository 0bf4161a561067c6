import { openSse, type SseEvent } from "@bulkhead/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** Both revisions that the endpoint speaks, by how the official client asks for them. */
export const REVISIONS = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", "auto"],
] as const;

/** The official client at the endpoint of one API; it closes with the running test. */
export async function connectMcp(
  { url }: { url: string },
  { key }: { key: string | null },
  mode: "legacy" | "auto",
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** A stream of an answer, of which the test takes as much as it likes. */
interface Stream {
  /** The next event that is meant; those before it are passed over. */
  next(isMeant: (event: SseEvent) => boolean): Promise<SseEvent>;
  close(): Promise<void>;
}

/** Speaks the sessionful revision by hand: where a client would hide from which process what came. */
export class RawMcp {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  sessionId: string;

  constructor(url: string, key: string | null, sessionId = "") {
    this.#url = `${url}/mcp`;
    this.#headers = { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" };
    this.sessionId = sessionId;
  }

  async initialize(): Promise<void> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: { ...this.#headers, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
    });
    if (!answer.ok) throw new Error(`no session: ${await answer.text()}`);
    this.sessionId = answer.headers.get("mcp-session-id") ?? "";
  }

  post(message: object): Promise<Stream> {
    return this.#open({ headers: this.#all(), body: { jsonrpc: "2.0", ...message } });
  }

  get(lastEventId?: string | null): Promise<Stream> {
    const after = lastEventId ? { "last-event-id": lastEventId } : {};
    return this.#open({ headers: { ...this.#all(), ...after } });
  }

  delete(): Promise<Response> {
    return fetch(this.#url, { method: "DELETE", headers: this.#all() });
  }

  #all(): Record<string, string> {
    return { ...this.#headers, "mcp-session-id": this.sessionId, "mcp-protocol-version": "2025-11-25" };
  }

  async #open(how: Parameters<typeof openSse>[1]): Promise<Stream> {
    const reader = await openSse(this.#url, how);
    return {
      next: async (isMeant) => {
        for (;;) {
          const event = await reader.next();
          if (event === null) throw new Error("the stream ended");
          if (isMeant(event)) return event;
        }
      },
      close: () => reader.close(),
    };
  }
}
