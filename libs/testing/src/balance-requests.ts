import { once } from "node:events";
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Hands each request to the next of these servers, as a load balancer does: two requests of one connection don't meet the
 * same one. Bodies pass as they come, in both directions; when one side goes away, so does the other.
 */
export async function balanceRequests(
  urls: readonly string[],
): Promise<{ url: string; close: () => Promise<void> }> {
  // A path goes on as it was written, with its dots.
  const targets = urls.map((url) => new URL(url)).map(({ hostname, port }) => ({ hostname, port }));
  let turn = 0;
  // Idle connections are the client's to close: the servers' own headers, which are passed on, promise it a longer time
  // than ours.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const to = targets[turn % targets.length];
    turn += 1;
    forward({ ...to, path: incoming.url }, incoming, outgoing);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(to: RequestOptions, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, rawHeaders } = incoming;
  // A connection for each request: one that is kept may be closed by its server just when the next request is sent.
  const asked = ask({ ...to, method, headers: rawHeaders, agent: false });
  asked.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.once("error", () => outgoing.destroy());
  });
  // A server that answers before it has read all of a body may close after its answer, which counts.
  asked.on("error", () => {
    if (!outgoing.headersSent) outgoing.destroy();
  });
  outgoing.once("close", () => {
    // A client that still sends a body is read to its end, or it would get a reset instead of the answer.
    incoming.unpipe(asked).resume();
    asked.destroy();
  });
  incoming.pipe(asked);
}
