import { beforeEach, expect, test } from "vitest";
import { TenantTurns } from "./turns.ts";

const STAYS = new AbortController().signal;

/** Names of what was begun, in this order, and what ends each. */
let begun: string[];
let ends: Map<string, () => void>;
beforeEach(() => {
  begun = [];
  ends = new Map();
});

/** A question such as `b2`, of the tenant `b`. */
const ask = (turns: TenantTurns, name: string, signal = STAYS): Promise<string | null> =>
  turns.take(name.slice(0, 1), signal, async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  });

/** Ends it, and lets the next begin. */
async function end(name: string, asked: Promise<string | null> | undefined): Promise<void> {
  ends.get(name)?.();
  expect(await asked).toBe(name);
  await Promise.resolve();
}

test("a flood of one tenant is refused, and keeps another's question waiting for one of its own at most", async () => {
  const turns = new TenantTurns({ atOnceMax: 1, waitingPerTenantMax: 2, tenantsWaitingMax: 9 });
  const asked = Object.fromEntries(["a1", "a2", "a3"].map((name) => [name, ask(turns, name)]));
  for (let more = 0; more < 45; more += 1)
    await expect(ask(turns, "a4")).rejects.toMatchObject({ code: "usage.busy", retryAfterSeconds: 5 });
  asked["b1"] = ask(turns, "b1");
  expect(begun).toEqual(["a1"]);
  for (const name of ["a1", "b1", "a2"]) await end(name, asked[name]);
  expect(begun).toEqual(["a1", "b1", "a2", "a3"]);
  await end("a3", asked["a3"]);
});

test("tenants take turns, each with its own in their order, and nobody who comes later gets ahead", async () => {
  const turns = new TenantTurns({ atOnceMax: 1, waitingPerTenantMax: 2, tenantsWaitingMax: 9 });
  const names = ["a1", "a2", "a3", "b1", "b2", "c1"];
  const asked = Object.fromEntries(names.map((name) => [name, ask(turns, name)]));
  await end("a1", asked["a1"]);
  asked["d1"] = ask(turns, "d1");
  const order = ["b1", "c1", "a2", "d1", "b2", "a3"];
  for (const name of order) await end(name, asked[name]);
  expect(begun).toEqual(["a1", ...order]);
});

test("a free place is not for a tenant of which one runs", async () => {
  const turns = new TenantTurns({ atOnceMax: 2, waitingPerTenantMax: 2, tenantsWaitingMax: 9 });
  const asked = Object.fromEntries(["a1", "a2", "b1", "c1"].map((name) => [name, ask(turns, name)]));
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1", asked["b1"]);
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("c1", asked["c1"]);
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("a1", asked["a1"]);
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  await end("a2", asked["a2"]);
});

test("who left while waiting is not served, and makes room for another", async () => {
  const turns = new TenantTurns({ atOnceMax: 1, waitingPerTenantMax: 1, tenantsWaitingMax: 1 });
  const running = ask(turns, "a1");
  const left = new AbortController();
  const dropped = ask(turns, "a2", left.signal);
  await expect(ask(turns, "a3")).rejects.toMatchObject({ code: "usage.busy" });
  await expect(ask(turns, "b1")).rejects.toMatchObject({ code: "service.unavailable" });
  left.abort();
  expect(await dropped).toBeNull();
  expect(await ask(turns, "a4", left.signal)).toBeNull();
  const other = ask(turns, "b1");
  await end("a1", running);
  await end("b1", other);
  expect(begun).toEqual(["a1", "b1"]);
});

test("what fails gives its place on, and who is done leaves nothing behind", async () => {
  const turns = new TenantTurns({ atOnceMax: 1, waitingPerTenantMax: 1, tenantsWaitingMax: 1 });
  const broken = turns.take("a", STAYS, () => Promise.reject(new Error("broken")));
  const next = turns.take("a", STAYS, async () => "next");
  await expect(broken).rejects.toThrow("broken");
  expect(await next).toBe("next");
  const both = ["a", "b"].map((tenantId) => turns.take(tenantId, STAYS, async () => tenantId));
  expect(await Promise.all(both)).toEqual(["a", "b"]);
});
