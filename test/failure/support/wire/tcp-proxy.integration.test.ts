import { leakCheck, until } from "@bulkhead/testing";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

leakCheck();

let echo: Server;
let proxy: TcpProxy;
let arrived: string;

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      arrived += chunk.toString();
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  proxy = await openTcpProxy({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
});
afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});
beforeEach(() => {
  proxy.heal();
  arrived = "";
});

/** A connection that remembers what it heard. */
async function dial(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(proxy.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, heard: () => text };
}

const hears = (heard: () => string, text: string) => until(() => heard() === text, { what: `hears ${text}` });

test("passes everything both ways while all is well, and ends when one side does", async () => {
  const { socket, heard } = await dial();
  socket.write("hello");
  await hears(heard, "hello");
  socket.end();
  await until(() => proxy.connections === 0, { what: "the connection is gone" });
});

test("a delay keeps the order, also of what comes once it is over", async () => {
  const { socket, heard } = await dial();
  proxy.delay(60);
  for (const letter of "abcdef") socket.write(letter);
  expect(heard()).toBe("");
  await dial().then(({ socket: other }) => other.destroy());
  proxy.heal();
  socket.write("g");
  await hears(heard, "abcdefg");
  socket.destroy();
});

test("a cut breaks what is there and what comes, until it heals", async () => {
  const { socket } = await dial();
  proxy.cut();
  await once(socket, "close");
  const { socket: second } = await dial();
  await once(second, "close");
  proxy.heal();
  const { socket: third, heard } = await dial();
  third.write("again");
  await hears(heard, "again");
  third.destroy();
});

test("half-open tells nobody that bytes are lost, and breaks the connection when it heals", async () => {
  const { socket, heard } = await dial();
  proxy.halfOpen();
  socket.write("lost");
  const { socket: witness } = await dial();
  expect([heard(), arrived, socket.destroyed]).toEqual(["", "", false]);
  proxy.heal();
  await once(socket, "close");
  expect(arrived).toBe("");
  witness.destroy();
});

test("a stall delivers everything late and in order", async () => {
  const { socket, heard } = await dial();
  proxy.stall();
  socket.write("first ");
  await dial().then(({ socket: other }) => other.destroy());
  socket.write("second");
  expect(arrived).toBe("");
  proxy.heal();
  await hears(heard, "first second");
  socket.destroy();
});

test("a hold swallows from the text on, also where it lies across two chunks", async () => {
  const { socket, heard } = await dial();
  const held = proxy.hold({ text: "needle", toward: "server" });
  socket.write("hay nee");
  await hears(heard, "hay nee");
  socket.write("dle and more");
  await held;
  expect(arrived).toBe("hay nee");
  const { socket: other, heard: otherHears } = await dial();
  other.write("passes");
  await hears(otherHears, "passes");
  other.destroy();
  socket.destroy();
});

test("a hold toward the client lets the request through and swallows its answer", async () => {
  const { socket, heard } = await dial();
  const held = proxy.hold({ text: "done", toward: "client" });
  socket.write("done");
  await held;
  expect([arrived, heard()]).toEqual(["done", ""]);
  socket.destroy();
});
