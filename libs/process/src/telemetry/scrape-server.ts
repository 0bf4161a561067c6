import { listenRefusal } from "../settings/listen-refusal.ts";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScrapeServerInput {
  host: string;
  port: number;
  /** The metrics as Prometheus text. */
  scrape: () => Promise<string>;
  onError: (error: unknown) => void;
}

export interface ScrapeServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Scrapers that may be connected at one time. */
const CONNECTIONS_MAX = 32;
/** How long a request may take to arrive; milliseconds. */
const REQUEST_MS_MAX = 5_000;
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Serves `GET /metrics` and nothing else. Throws a SettingsError when it can't listen. */
export async function openScrapeServer(input: ScrapeServerInput): Promise<ScrapeServer> {
  const { host, port, scrape, onError } = input;
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (path !== "/metrics") return end(response, 404, "Metrics are at /metrics.\n");
    if (request.method !== "GET") return end(response, 405, "Only GET is served here.\n", { allow: "GET" });
    scrape().then(
      (text) => end(response, 200, text, { "content-type": CONTENT_TYPE }),
      (error: unknown) => {
        onError(error);
        end(response, 500, "The metrics could not be read; the log says why.\n");
      },
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, host, port);
  server.on("error", onError);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${own}/metrics`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function end(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (cause) {
    const names = { hostName: "METRICS_HOST", portName: "METRICS_PORT" };
    throw listenRefusal({ ...names, host, port }, cause as NodeJS.ErrnoException);
  }
}
