import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort, until } from "@bulkhead/testing";

/** The program of the reference server that uses all of the protocol. */
export const EVERYTHING = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);

export interface StartedServer {
  url: string;
  close(): Promise<void>;
}

/** The reference server over HTTP, as its users start it. */
export async function startEverything(mode: "streamableHttp" | "sse"): Promise<StartedServer> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, mode], {
    env: { PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => /(running|listening) on port/.test(said), { what: `${mode} listens` });
  return {
    url: `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`,
    close: async () => {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

interface Message {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: unknown; protocolVersion?: string };
}

/** A server of one's own, whose tools are whatever they are said to be, and what it was asked. */
export class SmallServer implements StartedServer {
  url = "";
  tools: object[] = [];
  /** Answers a call. */
  onCall: (args: unknown) => object = () => ({ content: [{ type: "text", text: "done" }] });
  readonly calls: unknown[] = [];
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.headers.push(request.headers);
    if (request.method === "POST") void this.#post(request, response);
    else response.writeHead(405).end();
  });

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, ...message } = (await json(request)) as Message;
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...this.#answer(message) }));
  }

  #answer({ method, params }: Omit<Message, "id">): object {
    if (method === "initialize") {
      const { protocolVersion } = params ?? {};
      const serverInfo = { name: "small", version: "1" };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    if (method === "ping") return { result: {} };
    if (method === "tools/list") return { result: { tools: this.tools } };
    if (method !== "tools/call") return { error: { code: -32_601, message: "Method not found" } };
    this.calls.push(params?.arguments);
    return { result: this.onCall(params?.arguments) };
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
