import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { apiBeside, sharedProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";

// A balancer would read a body before it asks, and close behind the answer by its own rules.
const url = await apiBeside();
const { adminKey } = await sharedProduct();

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, " ");
/** Behind a head: time enough for the API to answer and close. */
const LATE_MS = 50;

const write = (socket: Socket, bytes: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));

/** What a client hears that sends a body of 1 MiB late, on a connection of its own, and reads only then. */
async function hearLate(line: string, headers: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket.pause(), "connect");
  // What is written and read tells of it too.
  socket.on("error", () => undefined);
  const host = `Host: ${hostname}`;
  await write(
    socket,
    [line, host, `Content-Length: ${MIB}`, "Connection: close", ...headers, "", ""].join("\r\n"),
  );
  await setTimeout(LATE_MS);
  for (let sent = 0; sent < MIB; sent += PIECE.length) await write(socket, PIECE);
  let said = "";
  for await (const part of socket.setEncoding("utf8")) said += String(part);
  return said;
}

const CREATE = "POST /api/v1/tenants HTTP/1.1";

test.each([
  ["without a key", CREATE, () => [], 401, "auth.required"],
  ["of another type", CREATE, (key: string) => [key, "Content-Type: text/plain"], 415, "unsupported_media"],
  ["where no route is", "PUT /nowhere HTTP/1.1", () => ["Content-Type: text/plain"], 404, "route.not_found"],
  ["behind too large a head", CREATE, () => [`x: ${"x".repeat(40_000)}`], 431, "headers_too_large"],
])("a body that comes behind its answer does not take the answer along: %s", async (...of) => {
  const [, line, headersOf, status, code] = of;
  const said = await hearLate(line, headersOf(`Authorization: Bearer ${adminKey}`));
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(said).toContain(code);
});
