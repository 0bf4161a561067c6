import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Duplex } from "node:stream";
import type { Forward } from "./forward.ts";
import type { Notes } from "./notes.ts";

const LOOPBACK = "127.0.0.1";
/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16;
const NOT_WEB = "only http and https are let out, and no web sockets";

interface ProxyInput {
  port: number;
  /** For all hosts; Chromium is told to trust this key. */
  key: string;
  cert: string;
  forward: Forward;
  notes: Notes;
}

/**
 * The proxy that Chromium is told to use for everything. It ends TLS, so that every request is seen as it is, and hands
 * each to the worker.
 */
export async function openProxy({ port, key, cert, forward, notes }: ProxyInput): Promise<void> {
  const refuse = (what: string, socket: Duplex): void => {
    notes.refused(what, NOT_WEB);
    socket.destroy();
  };
  const takeSecure = (request: IncomingMessage, response: ServerResponse): void =>
    void forward.take(`https://${request.headers.host ?? ""}${request.url ?? ""}`, request, response);
  // As many headers as Chromium sends; the forward has a bound of its own for each request.
  const secure = createSecureServer({ key, cert, maxHeaderSize: 256 * 1_024 }, takeSecure);
  secure.on("upgrade", (request, socket: Duplex) =>
    refuse(`wss://${request.headers.host ?? ""}${request.url ?? ""}`, socket),
  );
  const takePlain = (request: IncomingMessage, response: ServerResponse): void =>
    void forward.take(request.url ?? "", request, response);
  const proxy = createServer({ maxHeaderSize: 256 * 1_024 }, takePlain);
  proxy.on("upgrade", (request, socket: Duplex) => refuse(request.url ?? "", socket));
  proxy.on("connect", ({ url }: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first: Buffer) => {
      if (first[0] !== HANDSHAKE) return refuse(`${url}`, socket);
      socket.pause();
      socket.unshift(first);
      secure.emit("connection", socket);
    });
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
  });
  for (const server of [proxy, secure]) {
    server.on("clientError", (_: Error, socket: Duplex) => socket.destroy());
    // Chromium keeps its connections as it likes; nobody else is here.
    server.requestTimeout = 0;
    server.keepAliveTimeout = 0;
    server.headersTimeout = 0;
  }
  await new Promise<void>((resolve, reject) => {
    proxy.once("error", reject);
    proxy.listen(port, LOOPBACK, resolve);
  });
}

/** The proxy, as Chromium is told of it. */
export const proxyUrl = (port: number): string => `http://${LOOPBACK}:${port}`;
