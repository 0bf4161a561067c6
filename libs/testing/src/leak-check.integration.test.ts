import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { leftBehind, look } from "./leak-check.ts";
import { until } from "./until.ts";

test("a child process that still runs is found by its number, also when Node does not wait for it", async () => {
  const before = await look();
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  child.unref();
  expect(leftBehind(before, await look())).toContain(`child process ${child.pid}`);
  const closed = once(child, "close");
  child.kill();
  await closed;
  expect(leftBehind(before, await look())).toEqual([]);
});

test("a timer that still runs is found", async () => {
  const before = await look();
  // Several timers, since the test runner has its own, and one of those may end meanwhile.
  const timers = Array.from({ length: 9 }, () => setTimeout(() => undefined, 60_000));
  expect(leftBehind(before, await look()).join()).toContain(" × Timeout");
  for (const timer of timers) clearTimeout(timer);
});

test("a server that listens and a connection that is open are found", async () => {
  const before = await look();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  await once(socket, "connect");
  await accepted;
  const found = leftBehind(before, await look()).join();
  expect(found).toContain("TCPServerWrap");
  expect(found).toContain("TCPSocketWrap");
  const closed = once(server, "close");
  socket.destroy();
  server.close();
  await closed;
  await until(async () => leftBehind(before, await look()).length === 0, { what: "all is closed" });
});
