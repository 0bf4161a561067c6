import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { runSession, type SessionEvent } from "./device-session.ts";

let server: WebSocketServer;
let url: string;
let leaving: AbortController;
let events: SessionEvent[];

beforeEach(async () => {
  [leaving, events] = [new AbortController(), []];
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  url = `http://127.0.0.1:${portOf(server)}`;
});
afterEach(() => {
  leaving.abort();
  for (const client of server.clients) client.terminate();
  server.close();
});

const portOf = (listens: { address(): unknown }): number => (listens.address() as AddressInfo).port;
const WAIT = {
  name: "wait",
  description: "",
  parameters: {},
  run: ["sleep", "60"],
  timeoutMs: 60_000,
  cwd: "/",
  output: "text",
} as const;

const session = (to = url) =>
  runSession({
    url: to,
    token: "bhd_x",
    commands: [WAIT],
    env: process.env,
    signal: leaving.signal,
    tell: (event) => void events.push(event),
  });
const connected = async (): Promise<WebSocket> => (await once(server, "connection"))[0] as WebSocket;
const invoke = (id: string) =>
  JSON.stringify({ type: "invoke", id, command: "wait", arguments: {}, timeoutMs: 60_000 });

test("a connection was kept where the server has said something, and not where it ended it at once", async () => {
  const refused = session();
  (await connected()).close(1013, "not now");
  expect(await refused).toEqual({ ended: "lost", why: "not now", wasKept: false, retryAfterMs: null });
  const kept = session();
  const socket = await connected();
  socket.ping();
  await once(socket, "pong");
  socket.close(1001, "the server stops");
  expect(await kept).toMatchObject({ ended: "lost", wasKept: true });
});

test.each([
  ["another connection of the device has come", "device.replaced"],
  ["the commands could not be kept: commands.0: is none", "device.commands_refused"],
])("trying again can't help where %s", async (why, code) => {
  const ended = session();
  (await connected()).close(1008, why);
  expect(await ended).toEqual({ ended: "refused", code, why });
});

test("so many commands run at one time, and all end with the connection", async () => {
  const ended = session();
  const socket = await connected();
  for (let n = 1; n <= 17; n += 1) socket.send(invoke(`i${n}`));
  const said: { type: string; id: string; error?: string }[] = [];
  socket.on("message", (data: Buffer) => void said.push(JSON.parse(data.toString())));
  await expect
    .poll(() => said, { timeout: 10_000 })
    .toContainEqual({
      type: "result",
      id: "i17",
      ok: false,
      error: "This device runs 16 commands already.",
    });
  socket.terminate();
  expect(await ended).toMatchObject({ ended: "lost" });
  expect(events.filter(({ type }) => type === "ended")).toHaveLength(17);
});

test("whoever leaves waits but a moment for a server that answers no close", async () => {
  // The handshake comes from a real server, and nothing after it does.
  const deaf = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => {
      const real = connect(portOf(server), "127.0.0.1");
      real.write(request);
      real.once("data", (answer) => void socket.write(answer));
    });
  });
  await once(deaf.listen(0, "127.0.0.1"), "listening");
  const ended = session(`http://127.0.0.1:${portOf(deaf)}`);
  await expect.poll(() => events, { timeout: 10_000 }).toContainEqual({ type: "connected" });
  leaving.abort();
  expect(await ended).toEqual({ ended: "left" });
  deaf.close();
}, 15_000);
