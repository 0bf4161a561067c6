import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BODY_BYTES_MAX } from "@bulkhead/contracts";

/** Bounds for the rest of a body that was answered before it had come whole: it is read and thrown away. */
interface DrainBounds {
  /** Twice what a body may have, so that the sender of a legal one reads the answer. */
  bytesMax: number;
  /** The bound for a body that was refused for its size: its sender has to be told so too. */
  tooLargeBytesMax: number;
  /** Counts from the answer on: a slower sender has had that long to read it. */
  msMax: number;
}

export const DRAIN_BOUNDS: DrainBounds = {
  bytesMax: 2 * BODY_BYTES_MAX,
  tooLargeBytesMax: 32 * BODY_BYTES_MAX,
  msMax: 5_000,
};

/**
 * Reads on within the bounds, and cuts the connection off beyond them, wherever this server answers a request whose body is
 * still under way. By itself, Node closes a connection right behind its last answer: what comes later is met by a reset,
 * which takes the answer along unless the client has read it already; and it reads on without a bound where it doesn't close.
 */
export function drainBodies(server: Server, bounds: DrainBounds = DRAIN_BOUNDS): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // Before Node's own listener, which closes.
    response.prependOnceListener("finish", () => {
      if (request.complete || request.socket.destroyed) return;
      const bytesMax = response.statusCode === 413 ? bounds.tooLargeBytesMax : bounds.bytesMax;
      drain(request, request.socket, bytesMax, bounds.msMax);
    });
  });
}

/**
 * Does so on a bare socket that sent no request: nothing on it is read as HTTP from here on, and an answer that is still under
 * way on it has until `msMax` to end.
 */
export function drainBroken(socket: Socket, { bytesMax, msMax }: DrainBounds): void {
  // The parser would call each further chunk another broken request.
  socket.removeAllListeners("data");
  drain(socket, socket, bytesMax, msMax);
}

/** Reads `rest` to its end; meanwhile, closing the socket tells the client that nothing more is said, and waits for that end. */
function drain(rest: IncomingMessage | Socket, socket: Socket, bytesMax: number, msMax: number): void {
  const close = socket.destroySoon.bind(socket);
  let closes = false;
  socket.destroySoon = () => {
    closes = true;
    socket.end();
  };
  let left = bytesMax;
  const timer = setTimeout(() => socket.destroy(), msMax);
  const count = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  };
  const settle = (): void => {
    clearTimeout(timer);
    rest.off("data", count).off("end", settle);
    socket.off("close", settle);
    socket.destroySoon = close;
    if (closes) close();
  };
  rest.on("data", count).once("end", settle);
  // A request that was answered is not told that its connection is gone.
  socket.once("close", settle);
  rest.resume();
}
