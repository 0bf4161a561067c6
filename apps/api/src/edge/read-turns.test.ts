import { connect } from "node:net";
import { until } from "@bulkhead/testing";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { Principal } from "@bulkhead/core";
import { useReadTurns } from "./read-turns.ts";

const BOUNDS = { atOnce: 2, waitMsMax: 60_000, heldMsMax: 60_000 };

/** More than the sockets of both sides take. */
const LARGE_CHARS = 64 * 1024 * 1024;

let app: FastifyInstance;
let url: string;
/** Requests that are being answered, and how to answer each. */
let begun: { name: string; answer: () => void }[];
/** Names of requests that have come, and of those whose connection was closed. */
let come: string[];
let gone: string[];

const listen = async (bounds = BOUNDS): Promise<void> => {
  [begun, come, gone] = [[], [], []];
  app = fastify({ forceCloseConnections: true });
  app.decorateRequest("principal");
  app.addHook("onRequest", (request, reply, done) => {
    const { name } = request.query as { name: string };
    come.push(name);
    reply.raw.once("close", () => gone.push(name));
    const tenantId = request.headers["x-tenant"];
    request.principal = (tenantId ? { role: "owner", tenantId } : { role: "admin" }) as Principal;
    done();
  });
  useReadTurns(app, bounds);
  const handler = async (request: { query: unknown }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push({ name: (request.query as { name: string }).name, answer: resolve });
    await promise;
    return { ok: true };
  };
  app.get("/list", { config: { isLarge: true } }, handler);
  app.get("/large", { config: { isLarge: true } }, async (request) => {
    await handler(request);
    return "x".repeat(LARGE_CHARS);
  });
  app.get("/one", handler);
  url = await app.listen({ port: 0, host: "127.0.0.1" });
};
afterEach(async () => {
  for (const { answer } of begun) answer();
  await app.close();
});

function send(name: string, { tenant = "ten_a", path = "list" } = {}) {
  const leaving = new AbortController();
  const headers: Record<string, string> = tenant === "" ? {} : { "x-tenant": tenant };
  const answered = fetch(`${url}/${path}?name=${name}`, { headers, signal: leaving.signal }).then(
    ({ status }) => status,
    () => "left",
  );
  return { answered, leave: () => leaving.abort() };
}
const names = (): string[] => begun.map(({ name }) => name);
const has = (...wanted: string[]) =>
  until(() => wanted.every((name) => names().includes(name)), { what: `${wanted.join(", ")} began` });
const answer = (name: string): void => begun.find((one) => one.name === name)?.answer();

/** Two of tenant a's are being answered. */
async function twoOfA(bounds = BOUNDS) {
  await listen(bounds);
  const two = [send("first"), send("second")];
  await has("first", "second");
  return two;
}

test("of a tenant's reads two are answered at a time, the others in their order", async () => {
  const [first] = await twoOfA();
  const third = send("third");
  const other = send("of another", { tenant: "ten_b" });
  await has("of another");
  expect(names()).not.toContain("third");
  answer("first");
  expect(await first?.answered).toBe(200);
  await has("third");
  answer("third");
  expect(await third.answered).toBe(200);
  answer("of another");
  expect(await other.answered).toBe(200);
});

test("small reads and the administrator take no turn", async () => {
  await twoOfA();
  send("small", { path: "one" });
  send("admin", { tenant: "" });
  await has("small", "admin");
});

test("who leaves while it waits is not begun", async () => {
  const [first] = await twoOfA();
  const third = send("third");
  const fourth = send("fourth");
  await until(() => come.includes("fourth") && come.includes("third"), { what: "all have come" });
  third.leave();
  expect(await third.answered).toBe("left");
  await until(() => gone.includes("third"), { what: "it is known that the third has left" });
  answer("first");
  expect(await first?.answered).toBe(200);
  await has("fourth");
  expect(names()).not.toContain("third");
  answer("fourth");
  expect(await fourth.answered).toBe(200);
});

test("who leaves while it is answered holds its turn until the work for it is done", async () => {
  const [first] = await twoOfA();
  send("third");
  first?.leave();
  await until(() => gone.includes("first") && come.includes("third"), {
    what: "it is known that the first has left",
  });
  send("of another", { tenant: "ten_b" });
  await has("of another");
  expect(names()).not.toContain("third");
  answer("first");
  await has("third");
});

test("a reader that takes its answer slowly holds its turn for no longer than it may", async () => {
  await listen({ ...BOUNDS, heldMsMax: 100 });
  const { port } = new URL(url);
  const sockets = ["first", "second"].map((name) => {
    const socket = connect(Number(port), "127.0.0.1");
    // It never reads.
    socket.pause().write(`GET /large?name=${name} HTTP/1.1\r\nhost: a\r\nx-tenant: ten_a\r\n\r\n`);
    return socket;
  });
  await has("first", "second");
  answer("first");
  answer("second");
  send("third");
  await has("third");
  expect(gone).toEqual([]);
  for (const socket of sockets) socket.destroy();
});

test("whose turn has not come in time is refused by name", async () => {
  await twoOfA({ ...BOUNDS, waitMsMax: 100 });
  const refused = await fetch(`${url}/list?name=third`, { headers: { "x-tenant": "ten_a" } });
  expect(await refused.json()).toMatchObject({ code: "reads.busy", statusCode: 429 });
  expect(names()).toEqual(["first", "second"]);
});
