import { once } from "node:events";
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Hands each request to the next of these servers, as a load balancer does: two requests of one connection don't meet the
 * same one. Bodies pass as they come, in both directions; who goes away on one side is let go on the other.
 */
export async function balanceRequests(
  urls: readonly string[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const to = urls[turn % urls.length];
    turn += 1;
    forward(`${to}${incoming.url}`, agent, incoming, outgoing);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(url: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, rawHeaders } = incoming;
  const asked = ask(url, { method, headers: rawHeaders, agent });
  asked.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.once("error", () => outgoing.destroy());
  });
  // A server that answers before it has read all of a body may close behind its answer, which counts.
  asked.on("error", () => {
    if (!outgoing.headersSent) outgoing.destroy();
  });
  outgoing.once("close", () => asked.destroy());
  incoming.pipe(asked);
}
