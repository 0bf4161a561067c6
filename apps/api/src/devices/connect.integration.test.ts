import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { acceptDevices } from "./connect.ts";
import { newDevice } from "./fixtures/scripted-socket.ts";

const HANDSHAKE = [
  "GET /api/v1/devices/connect HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  `Authorization: Bearer bhd_${"a".repeat(43)}`,
  "\r\n",
].join("\r\n");
const TAKEN = { allowed: true, limit: 2, remaining: 1, resetMs: 0, retryAfterMs: 0, changeMark: null };

test("a device that never answers a close has its place for a moment only", async () => {
  const server = createServer();
  const closed = Promise.withResolvers<number>();
  acceptDevices({ server } as FastifyInstance, {
    devices: { findByToken: async () => newDevice() },
    rateLimiter: { take: async () => TAKEN },
    hub: {
      isFull: false,
      accept: async (_device, socket) => {
        socket.on("close", closed.resolve);
        socket.close(1008, "replaced");
      },
    },
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const peer = connect((server.address() as AddressInfo).port, "127.0.0.1").resume();
  peer.write(HANDSHAKE);
  // Nobody has answered: the code of a connection that broke.
  expect(await closed.promise).toBe(1006);
  peer.destroy();
  server.close();
}, 10_000);
