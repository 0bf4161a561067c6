import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Tells of a connection whether a request that came whole on it has no whole answer yet. */
export type IsAnswering = (socket: Duplex) => boolean;

/** Watches every request of the server from here on. */
export function watchAnswers(server: Server): IsAnswering {
  const open = new WeakMap<Duplex, Set<IncomingMessage>>();
  server.on("request", (request, response) => {
    const { socket } = request;
    const requests = open.get(socket) ?? new Set();
    open.set(socket, requests.add(request));
    response.once("close", () => requests.delete(request));
  });
  return (socket) => [...(open.get(socket) ?? [])].some(({ complete }) => complete);
}
