import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { until } from "@bulkhead/testing";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { acceptDevices, type DeviceSocketDeps } from "./connect.ts";
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

let closes: (() => void)[] = [];
let logged: string[] = [];
afterEach(() => {
  for (const close of closes) close();
  [closes, logged] = [[], []];
});

async function listen(deps: Pick<DeviceSocketDeps, "hub" | "handshakes">, found = async () => newDevice()) {
  const server = createServer();
  const app = {
    server,
    log: { error: (_about: object, code: string) => logged.push(code) },
    metrics: { refused: () => undefined },
  } as unknown as FastifyInstance;
  const rateLimiter = { take: async () => TAKEN };
  const devices = { findByToken: found, nextConnection: async () => "1" };
  acceptDevices(app, { ...deps, devices, rateLimiter });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const peer = () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(HANDSHAKE);
    closes.push(() => socket.destroy());
    return socket;
  };
  closes.push(() => server.close());
  return { peer, refusal: async () => JSON.parse((await text(peer())).split("\r\n\r\n")[1] ?? "") };
}

const FULL = { isFull: true, accept: () => expect.unreachable("there is no room") };

test("a device that never answers a close has its place for a moment only", async () => {
  const closed = Promise.withResolvers<number>();
  const { peer } = await listen({
    hub: {
      isFull: false,
      accept: async (_connecting, socket) => {
        socket.on("close", closed.resolve);
        socket.close(1008, "replaced");
      },
    },
  });
  peer().resume();
  // Nobody has answered: the code of a connection that broke.
  expect(await closed.promise).toBe(1006);
}, 10_000);

test("a process without room says so to devices; a stranger hears that its token is none", async () => {
  const { refusal } = await listen({ hub: FULL });
  expect(await refusal()).toMatchObject({ status: 503, code: "device.no_room" });
  const { refusal: ofStranger } = await listen({ hub: FULL }, async () => null as never);
  expect(await ofStranger()).toMatchObject({ status: 401, code: "device.token_invalid" });
});

test("so many tokens are looked up at one time, each for so long; one whose look-up goes on keeps its place", async () => {
  let looked = 0;
  const { resolve: end, promise } = Promise.withResolvers<ReturnType<typeof newDevice>>();
  const { peer, refusal } = await listen({ hub: FULL, handshakes: { max: 2, ms: 60_000 } }, () => {
    looked += 1;
    return promise;
  });
  const kept = [peer(), peer()].map((one) => text(one));
  await until(() => looked === 2, { what: "both are looked up" });
  expect(await refusal()).toMatchObject({ status: 503, code: "device.no_room" });
  expect(looked).toBe(2);
  end(newDevice());
  await Promise.all(kept);
  expect(await refusal()).toMatchObject({
    code: "device.no_room",
    detail: expect.stringContaining("takes no more"),
  });
});

test("a look-up that never ends is given up", async () => {
  const never = () => new Promise<never>(() => undefined);
  const { refusal } = await listen({ hub: FULL, handshakes: { max: 1, ms: 10 } }, never);
  expect(await refusal()).toMatchObject({ status: 503, code: "service.unavailable" });
  expect(logged).toEqual(["service.unavailable"]);
});
