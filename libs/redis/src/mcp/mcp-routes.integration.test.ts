import { MCP_LEASE_MS, MCP_MESSAGE_BYTES_MAX, type McpRoutes, newTenantId } from "@bulkhead/core";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { beforeEach, expect, test } from "vitest";
import { openTenantRemnants } from "../stream/tenant-remnants.ts";
import { twoProcesses } from "./fixtures/two-processes.ts";
import { openMcpRoutes } from "./mcp-routes.ts";

leakCheck();

const { server, errors, stops, on, redis } = twoProcesses();
let here: McpRoutes;
let there: McpRoutes;

beforeEach(() => {
  [here, there] = [openMcpRoutes(on(0), { self: "here" }), openMcpRoutes(on(1), { self: "there" })];
});

const keyOf = (name = "files", tenantId = "ten_a") => ({ tenantId, name });
const KEY = keyOf();
const MIB = 1024 * 1024;

/** What the process hears from here on, by its first characters. */
async function heard(routes: McpRoutes): Promise<string[]> {
  const messages: string[] = [];
  stops.push(await routes.listen((message) => messages.push(message.slice(0, 16))));
  return messages;
}

test("of many who take a server at once one holds it, and all are told who", async () => {
  const taken = await Promise.all(
    Array.from({ length: 20 }, (_, n) => openMcpRoutes(on(n % 2), { self: `worker-${n}` }).take(KEY)),
  );
  expect(new Set(taken).size).toBe(1);
  expect(await there.holderOf(KEY)).toBe(taken[0]);
});

test("a server of one tenant, or of one name, is no other's", async () => {
  expect(await here.take(KEY)).toBe("here");
  expect([await there.holderOf(keyOf("files", "ten_b")), await there.holderOf(keyOf("mail"))]).toEqual([
    null,
    null,
  ]);
  expect(await there.take(keyOf("mail"))).toBe("there");
});

test("whoever holds a server and takes it again holds it on", async () => {
  await here.take(KEY);
  await redis().pexpire("bh:mcp-lease:{ten_a}:files", 1_000);
  expect([await here.take(KEY), await there.take(KEY)]).toEqual(["here", "here"]);
  expect(await redis().pttl("bh:mcp-lease:{ten_a}:files")).toBeGreaterThan(1_000);
});

test("a holder renews what it holds, and is told what it holds no more", async () => {
  const [own, gone, others] = [keyOf("own"), keyOf("gone"), keyOf("others", "ten_b")];
  for (const held of [own, gone]) await here.take(held);
  await there.take(others);
  await redis().pexpire("bh:mcp-lease:{ten_a}:own", 1_000);
  await redis().pexpire("bh:mcp-lease:{ten_b}:others", 1_000);
  await redis().del("bh:mcp-lease:{ten_a}:gone");
  expect(await here.renew([own, gone, others])).toEqual([gone, others]);
  const left = await redis().pttl("bh:mcp-lease:{ten_a}:own");
  expect(left).toBeGreaterThan(1_000);
  expect(left).toBeLessThanOrEqual(MCP_LEASE_MS);
  expect(await redis().pttl("bh:mcp-lease:{ten_b}:others")).toBeLessThanOrEqual(1_000);
  expect([await here.holderOf(gone), await here.holderOf(others)]).toEqual([null, "there"]);
  expect(await here.renew([])).toEqual([]);
});

test("a server whose holder has fallen silent is taken by another, and is lost to the first", async () => {
  const silent = openMcpRoutes(on(0), { self: "silent", leaseMs: 50 });
  await silent.take(KEY);
  await until(async () => (await there.take(KEY)) === "there", { what: "another has taken it" });
  expect(await silent.renew([KEY])).toEqual([KEY]);
  await silent.release(KEY);
  expect(await silent.take(KEY)).toBe("there");
});

test("only the holder gives a server back, and then anyone may take it", async () => {
  await here.take(KEY);
  await there.release(KEY);
  expect(await there.holderOf(KEY)).toBe("here");
  await here.release(KEY);
  await here.release(KEY);
  expect(await there.holderOf(KEY)).toBeNull();
  expect(await there.take(KEY)).toBe("there");
});

test("messages are heard in order, by the process that they are for and no other", async () => {
  const [own, others] = [await heard(here), await heard(there)];
  const sent = Array.from({ length: 200 }, (_, n) => `${n}`);
  for (const message of sent) void there.send("here", message);
  await here.send("there", "for you ☎");
  await until(() => own.length === sent.length && others.length === 1, { what: "all is heard" });
  expect([own, others]).toEqual([sent, ["for you ☎"]]);
});

test("large ones are heard among small ones, in order", async () => {
  const own = await heard(here);
  const names = ["small 1", "large 1", "large 2", "small 2"];
  for (const name of names) await there.send("here", name.padEnd(name.startsWith("large") ? MIB : 0));
  await until(() => own.length === names.length, { what: "all is heard" });
  expect(own.map((message) => message.trim())).toEqual(names);
});

test("a message that is too large is refused by that name, counted in bytes", async () => {
  const own = await heard(here);
  expect(await there.send("here", "é".repeat(MCP_MESSAGE_BYTES_MAX / 2 + 1))).toBe("too_large");
  expect(await there.send("here", "next")).toBe("sent");
  await until(() => own.length > 0, { what: "the next is heard" });
  expect(own).toEqual(["next"]);
});

test("what is sent before a process listens waits for it, for as long as a lease", async () => {
  await here.send("there", "early");
  for (const key of await redis().keys("*")) {
    const left = await redis().pttl(key);
    expect(left, key).toBeGreaterThan(0);
    expect(left, key).toBeLessThanOrEqual(MCP_LEASE_MS);
  }
  const others = await heard(there);
  await until(() => others.length > 0, { what: "it is heard" });
  expect(others).toEqual(["early"]);
});

test.runIf(isNightly)("a process that takes nothing is sent so much and no more", async () => {
  const large = "x".repeat(MIB - 64);
  for (let n = 0; n < 64; n += 1) expect(await here.send("there", large)).toBe("sent");
  await expect(here.send("there", "")).rejects.toMatchObject({ code: "service.unavailable" });
  const others = await heard(there);
  await until(() => others.length === 64, { what: "it has taken them" });
  expect(await here.send("there", "again")).toBe("sent");
  await until(() => others.at(-1) === "again", { what: "it hears again" });
});

test("who has stopped listening hears nothing, may listen again, and two at a time are a mistake", async () => {
  const first = await heard(here);
  await expect(here.listen(() => undefined)).rejects.toThrow("one listens at a time");
  stops.pop()?.();
  await there.send("here", "later");
  const second = await heard(here);
  await until(() => second.length > 0, { what: "the second one hears" });
  expect([first, second]).toEqual([[], ["later"]]);
});

test("a listener that fails keeps nothing from the next message", async () => {
  const messages: string[] = [];
  const listen = (message: string): void => {
    if (message === "bad") throw new Error("listener broke");
    messages.push(message);
  };
  stops.push(await here.listen(listen));
  for (const message of ["bad", "good"]) await there.send("here", message);
  await until(() => messages.length > 0, { what: "the next one is heard" });
  expect(messages).toEqual(["good"]);
  expect(errors).toContainEqual(new Error("listener broke"));
});

test("nothing stays in Redis of what was given back and heard", async () => {
  const own = await heard(here);
  await here.take(KEY);
  await there.send("here", "one");
  await until(() => own.length > 0, { what: "it is heard" });
  await here.release(KEY);
  await until(async () => (await redis().dbsize()) === 0, { what: "no key is left" });
});

test("a tenant that is deleted leaves no lease behind, and whoever held it is told", async () => {
  const [key, other] = [keyOf("files", newTenantId()), keyOf("files", newTenantId())];
  for (const held of [key, other]) await here.take(held);
  await openTenantRemnants(on(1)).clear(key.tenantId, new AbortController().signal);
  expect(await here.renew([key, other])).toEqual([key]);
});

test("a message that was sent while its process was cut off is heard once it is back", async () => {
  const own = await heard(here);
  await redis().call("CLIENT", "KILL", "TYPE", "pubsub");
  await there.send("here", "meanwhile");
  await until(() => own.length > 0, { what: "it is heard" });
  expect(own).toEqual(["meanwhile"]);
});

test("while Redis is away all of it says so, and it goes on when Redis is back", async () => {
  const own = await heard(here);
  await server().kill();
  const calls = [
    () => there.take(KEY),
    () => there.holderOf(KEY),
    () => there.renew([KEY]),
    () => there.release(KEY),
    () => there.send("here", "lost"),
    () => there.listen(() => undefined),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "service.unavailable" });
  await server().restartEmpty();
  await until(() => there.send("here", "back").then(() => true), { what: "sending works again" });
  await until(() => own.includes("back"), { what: "it is heard" });
  expect(await until(() => there.take(KEY), { what: "taking works again" })).toBe("there");
  await heard(there);
});
