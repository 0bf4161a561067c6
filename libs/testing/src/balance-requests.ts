import { once } from "node:events";
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

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
  const next = ({ url }: IncomingMessage): RequestOptions => ({
    ...targets[turn++ % targets.length],
    path: url,
  });
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) =>
    forward(next(incoming), incoming, outgoing),
  );
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    passUpgrade(next(incoming), incoming, socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
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

/** A web socket: both ends write what they like once the server has agreed; one that refuses says so in its answer. */
function passUpgrade(to: RequestOptions, incoming: IncomingMessage, socket: Duplex): void {
  const { method, rawHeaders } = incoming;
  const asked = ask({ ...to, method, headers: rawHeaders, agent: false });
  const leave = (): void => void socket.destroy();
  asked.once("upgrade", (answer, server, first) => {
    socket.write(headOf(answer));
    socket.write(first);
    server.once("error", leave).once("close", leave);
    socket.once("close", () => server.destroy());
    server.pipe(socket).pipe(server);
  });
  asked.once("response", (answer) => {
    socket.write(headOf(answer));
    answer.once("error", leave).pipe(socket);
  });
  asked.once("error", leave).end();
  socket.once("error", () => asked.destroy());
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
