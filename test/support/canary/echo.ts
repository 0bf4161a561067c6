import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as an upstream sees it. */
interface Echoed {
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An upstream on loopback that says all it is told: in its status line, a header and its body. */
export interface Echo {
  readonly url: string;
  /** As a service allows it. */
  readonly host: string;
  readonly seen: readonly Echoed[];
  close(): Promise<void>;
}

export async function openEcho(): Promise<Echo> {
  const seen: Echoed[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await text(request);
      const { headers } = request;
      seen.push({ url: new URL(request.url ?? "/", "http://echo/"), headers, body });
      const key = headers["x-key"];
      if (typeof key === "string") response.setHeader("x-echo", key);
      response.end(JSON.stringify({ url: request.url, headers, body }));
    };
    void answer();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
