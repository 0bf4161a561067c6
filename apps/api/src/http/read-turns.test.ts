import { until } from "@bulkhead/testing";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Principal } from "@bulkhead/domain";
import { useReadTurns } from "./read-turns.ts";

const HELD_MS_MAX = 300;

let app: FastifyInstance;
let url: string;
/** Requests that are being answered, and how to answer each. */
let begun: { name: string; answer: () => void }[];
/** Names of requests that have come, and of those whose connection was closed. */
let come: string[];
let gone: string[];

beforeEach(async () => {
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
  useReadTurns(app, HELD_MS_MAX);
  const handler = async (request: { query: unknown }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push({ name: (request.query as { name: string }).name, answer: resolve });
    await promise;
    return { ok: true };
  };
  app.get("/list", handler);
  app.post("/list", handler);
  app.get("/stream", { config: { isStream: true } }, handler);
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const { answer } of begun) answer();
  await app.close();
});

function send(name: string, { tenant = "ten_a", path = "list", method = "GET" } = {}) {
  const leaving = new AbortController();
  const headers: Record<string, string> = tenant === "" ? {} : { "x-tenant": tenant };
  const answered = fetch(`${url}/${path}?name=${name}`, { method, headers, signal: leaving.signal }).then(
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
async function twoOfA() {
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

test("writes, streams and the administrator take no turn", async () => {
  await twoOfA();
  send("write", { method: "POST" });
  send("stream", { path: "stream" });
  send("admin", { tenant: "" });
  await has("write", "stream", "admin");
});

test("who leaves while it waits is not begun, and who leaves while it is answered gives its turn back", async () => {
  const [first] = await twoOfA();
  const third = send("third");
  const fourth = send("fourth");
  await until(() => come.includes("fourth") && come.includes("third"), { what: "all have come" });
  third.leave();
  expect(await third.answered).toBe("left");
  await until(() => gone.includes("third"), { what: "it is known that the third has left" });
  first?.leave();
  await has("fourth");
  expect(names()).not.toContain("third");
  answer("fourth");
  expect(await fourth.answered).toBe(200);
});

test("an answer that takes long holds a turn for no longer than it may", async () => {
  await twoOfA();
  send("third");
  await has("third");
});
