import { Fault } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { EventEmitter, once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { answerBrokenRequest } from "./broken-request.ts";
import { DRAIN_BOUNDS, drainBodies } from "./drain-body.ts";
import { useMetrics } from "./http-metrics.ts";
import { frameworkErrors, useProblems } from "./problems.ts";
import { UNCHECKED_HEADS, useHeadChecks } from "./request-head.ts";

const MIB = 1024 * 1024;
const BODY_BYTES_MAX = 2 * MIB;
/** Behind an answer: time enough for a server to close. */
const LATE_MS = 50;
const PIECE = Buffer.alloc(64 * 1024, " ");

let close: (() => Promise<unknown>) | null = null;
afterEach(() => close?.());

/** A server whose only routes refuse, or answer what they never read; `told` says when an answer has been handed over. */
async function serve(bounds = { ...DRAIN_BOUNDS, msMax: 60_000 }) {
  const told = new EventEmitter();
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    frameworkErrors,
    clientErrorHandler: (error, socket) => {
      answerBrokenRequest({ metrics: app.metrics, isAnswering: () => false }, error, socket, bounds);
      told.emit("answer");
    },
    http: UNCHECKED_HEADS,
  });
  app.server.on("request", (_request, response) => response.once("finish", () => told.emit("answer")));
  drainBodies(app.server, bounds);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, _body, done) => done(null));
  useMetrics(app, NO_METER);
  useProblems(app);
  useHeadChecks(app);
  const refuse = (): Promise<never> => Promise.reject(new Fault("auth.required"));
  app.post("/locked", { onRequest: refuse }, () => ({}));
  app.post("/open", () => ({ read: true }));
  app.get("/open", () => ({ read: false }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  close = () => app.close();
  /** Both ends of a connection; a client that keeps its own side open, whatever the server does. */
  const open = async (): Promise<{ socket: Socket; end: Socket }> => {
    const accepted = once(app.server, "connection");
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    // Nothing is read ahead: what came before a reset is lost with it.
    socket.pause();
    // What is written and read tells of it too.
    socket.on("error", () => undefined);
    const [end] = (await accepted) as [Socket];
    return { socket, end };
  };
  return { told, open };
}

/** Resolves when all of it was taken, rejects when the connection broke on the way. */
const write = (socket: Socket, bytes: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));

async function writeBody(socket: Socket, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += PIECE.length)
    await write(socket, PIECE.subarray(0, Math.min(PIECE.length, bytes - sent)));
}

/** All that was said until the connection closed. */
async function readAll(socket: Socket): Promise<string> {
  let said = "";
  for await (const part of socket.setEncoding("utf8")) said += String(part);
  return said;
}

const JSON_TYPE = "Content-Type: application/json";
const head = (line: string, bytes: number, ...headers: string[]): string =>
  [line, "Host: a", `Content-Length: ${bytes}`, ...headers, "", ""].join("\r\n");

test.each([
  ["415 of a type", "POST /open HTTP/1.1", ["Content-Type: text/plain"], MIB, 415],
  ["413 of a length", "POST /open HTTP/1.1", [JSON_TYPE], 10 * MIB, 413],
  ["401", "POST /locked HTTP/1.1", [JSON_TYPE], BODY_BYTES_MAX, 401],
  ["401 to HTTP/1.0", "POST /locked HTTP/1.0", [JSON_TYPE], MIB, 401],
  ["401 to who waits for 100", "POST /locked HTTP/1.1", [JSON_TYPE, "Expect: 100-continue"], MIB, 401],
  ["417 of an expectation", "POST /open HTTP/1.1", [JSON_TYPE, "Expect: foo"], MIB, 417],
  ["400 of an address", "POST /%zz HTTP/1.1", [JSON_TYPE], MIB, 400],
  ["404", "POST /nowhere HTTP/1.1", ["Content-Type: text/plain"], MIB, 404],
  ["200 of a route that reads no body", "GET /open HTTP/1.1", [], MIB, 200],
  ["431 of what is no request", "POST /open HTTP/1.1", [`x: ${"x".repeat(40_000)}`], MIB, 431],
  ["400 of what is no request", "BOGUS /open HTTP/9", [], MIB, 400],
])(
  "who reads only when the body is sent gets the connection's last answer: %s",
  async (_which, line, headers, bytes, status) => {
    const { told, open } = await serve();
    const { socket } = await open();
    const answered = once(told, "answer");
    await write(socket, head(line, bytes, "Connection: close", ...headers));
    await answered;
    await setTimeout(LATE_MS);
    await writeBody(socket, bytes);
    const said = await readAll(socket);
    expect(said.replace("HTTP/1.1 100 Continue\r\n\r\n", "")).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(said).toMatch(/\}$/);
  },
);

test.each([
  ["a body", "POST /nowhere HTTP/1.1", "Content-Type: text/plain"],
  ["the body of a connection's last request", "GET /open HTTP/1.1", "Connection: close"],
  ["what follows no request", "BOGUS /open HTTP/9", "Connection: close"],
])("more than the bound of %s is not read: the connection is cut", async (_which, line, header) => {
  const { told, open } = await serve({ ...DRAIN_BOUNDS, bytesMax: MIB, msMax: 60_000 });
  const { socket, end } = await open();
  const answered = once(told, "answer");
  await write(socket, head(line, 64 * MIB, header));
  await answered;
  await setTimeout(LATE_MS);
  await writeBody(socket, MIB);
  expect(end.destroyed).toBe(false);
  await expect(writeBody(socket, 63 * MIB)).rejects.toThrow();
  if (!end.closed) await once(end, "close");
});

test.each([
  ["a body", "POST /locked HTTP/1.1", JSON_TYPE],
  ["the body of a connection's last request", "POST /locked HTTP/1.1", "Connection: close"],
  ["what follows no request", "BOGUS /open HTTP/9", "Connection: close"],
])("%s that never comes is waited for until the bound, and no longer", async (_which, line, header) => {
  const msMax = 200;
  const { told, open } = await serve({ ...DRAIN_BOUNDS, msMax });
  const { socket, end } = await open();
  const answered = once(told, "answer");
  // Not later: the bound runs from the answer on, behind which this process may be stopped before it looks.
  const since = performance.now();
  await write(socket, head(line, MIB, header));
  await answered;
  const closed = once(end, "close");
  await write(socket, PIECE);
  await closed;
  expect(performance.now() - since).toBeGreaterThan(msMax / 2);
});

test("nothing that follows a connection's last request is run", async () => {
  const { told, open } = await serve();
  const { socket } = await open();
  const answered = once(told, "answer");
  await write(socket, head("POST /locked HTTP/1.1", MIB, "Connection: close"));
  await answered;
  await setTimeout(LATE_MS);
  await writeBody(socket, MIB - 1);
  await write(socket, ` ${head("POST /open HTTP/1.1", 0)}`);
  expect((await readAll(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
});

test.runIf(isNightly)(
  "behind a refused body the connection takes the next request, and nothing cuts it later",
  async () => {
    // The body has to come within it, on a busy machine too.
    const msMax = 3_000;
    const { told, open } = await serve({ ...DRAIN_BOUNDS, msMax });
    const { socket } = await open();
    const refused = once(told, "answer");
    await write(socket, head("POST /open HTTP/1.1", BODY_BYTES_MAX + 1, JSON_TYPE));
    await refused;
    await writeBody(socket, BODY_BYTES_MAX + 1);
    await setTimeout(msMax + 500);
    await write(socket, "GET /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const said = await readAll(socket);
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
  },
);
