import type { CapabilityWay, EgressOpening, EgressSession, EgressUse } from "@bulkhead/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BROWSERS_MAX } from "../built-in/browser/bounds.ts";
import type { BrowserAction } from "./actions.ts";
import { Browsers } from "./browsers.ts";
import { MemoryRoutes } from "./fixtures/memory-routes.ts";
import { ScriptedBrowser } from "./fixtures/scripted-browser.ts";

const OPEN: BrowserAction = { action: "open", url: "https://a.example/" };
const CLICK: BrowserAction = { action: "click", ref: "e1" };
const ANN = { tenantId: "ten_a", agentId: "one", userId: "ann" };
const NEVER = new AbortController().signal;
const NONE: EgressUse = { networkRequests: 0, bytesIn: 0, bytesOut: 0 };

let routes: MemoryRoutes;
let opened: EgressOpening[];
let closed: number;
let started: Map<string, ScriptedBrowser[]>;
let workers: Browsers[];
let reported: string[];
/** Workers that say they can start a browser. */
let starters: string[];
const session = (more: Partial<EgressSession> = {}): EgressSession => ({
  fetch: async () => ({ ok: false, code: "failed", message: "" }),
  read: async () => ({ ok: false, code: "failed", message: "" }),
  requests: 3,
  bytesIn: 20,
  bytesOut: 10,
  left: NONE,
  charge: () => undefined,
  withSecrets: () => session(more),
  close: () => void (closed += 1),
  ...more,
});

/** A run's way out, and what it was charged. */
function wayOf(left: EgressUse = { networkRequests: 7, bytesIn: 70, bytesOut: 60 }) {
  const charged: EgressUse[] = [];
  const egress = session({ left, charge: (used) => void charged.push(used) });
  return {
    charged,
    way: { egress, allowedHosts: ["a.example"], nextBodyId: () => 1 } satisfies CapabilityWay,
  };
}

/** `canStart` false: its machine has no Chromium. */
async function workerOf(self: string, canStart = true): Promise<Browsers> {
  const own: ScriptedBrowser[] = [];
  started.set(self, own);
  const worker = await Browsers.open({
    routes: routes.of(self),
    lookMs: 20,
    egress: {
      open: (opening) => {
        opened.push(opening);
        return session();
      },
    },
    starters: () => starters,
    start: canStart
      ? async () => {
          own.push(new ScriptedBrowser());
          return own.at(-1) as ScriptedBrowser;
        }
      : null,
    report: (what) => reported.push(what),
  });
  workers.push(worker);
  return worker;
}

beforeEach(() => {
  [routes, started] = [new MemoryRoutes(), new Map()];
  [opened, workers, reported, starters, closed] = [[], [], [], [], 0];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  expect(routes.leases.size).toBe(0);
});

test("what another worker is asked is done where the browser is, within what is left to the run and at its bill", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  expect((await here.act(ANN, OPEN, wayOf().way, NEVER)).ok).toBe(true);
  const { way, charged } = wayOf();
  expect(await there.act(ANN, CLICK, way, NEVER)).toMatchObject({ ok: true, result: { page: "p1" } });
  expect(started.get("here")?.[0]?.asked).toEqual(["open", "click"]);
  expect(started.get("there")).toEqual([]);
  expect(opened).toMatchObject([
    {
      tenantId: "ten_a",
      allowedHosts: ["a.example"],
      secrets: [],
      limits: { networkRequests: 7, bytesIn: 70 },
    },
  ]);
  expect(charged).toEqual([{ networkRequests: 3, bytesIn: 20, bytesOut: 10 }]);
});

test("nobody else's browser is ever reached: another user, agent or tenant has none", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  for (const other of [
    { userId: "bob" },
    { userId: null },
    { agentId: "two" },
    { agentId: null },
    { tenantId: "ten_b" },
  ])
    for (const worker of [here, there])
      expect(await worker.act({ ...ANN, ...other }, CLICK, wayOf().way, NEVER)).toMatchObject({
        ok: false,
        code: "conflict",
      });
});

test("what a page sends has nothing of the run's secrets put in", async () => {
  const here = await workerOf("here");
  const placed: unknown[] = [];
  const { way } = wayOf();
  const egress = {
    ...way.egress,
    withSecrets: (secrets: readonly unknown[]) => (placed.push(secrets), session()),
  };
  await here.act(ANN, OPEN, { ...way, egress }, NEVER);
  expect([placed, closed]).toEqual([[[]], 1]);
});

test("after its end a browser's place is free for any worker", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  await there.act(ANN, { action: "close" }, wayOf().way, NEVER);
  expect(routes.leases.size).toBe(0);
  expect((await there.act(ANN, OPEN, wayOf().way, NEVER)).ok).toBe(true);
  expect(started.get("there")).toHaveLength(1);
});

test("a browser that is opened while another one is closed has a place of its own", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  const letGo = started.get("here")?.[0]?.hold();
  const closing = here.act(ANN, { action: "close" }, wayOf().way, NEVER);
  const opening = here.act(ANN, OPEN, wayOf().way, NEVER);
  letGo?.();
  expect([(await closing).ok, (await opening).ok]).toEqual([true, true]);
  expect([...routes.leases.values()]).toEqual(["here"]);
  expect(await there.act(ANN, CLICK, wayOf().way, NEVER)).toMatchObject({ ok: true });
  expect(started.get("here")).toHaveLength(2);
});

test("one that was given up is given up where it is done", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  started.get("here")?.[0]?.hold();
  const stop = new AbortController();
  const { way, charged } = wayOf();
  const asked = there.act(ANN, CLICK, way, stop.signal);
  await expect.poll(() => started.get("here")?.[0]?.asked.length).toBe(2);
  stop.abort();
  expect(await asked).toMatchObject({ ok: false, code: "aborted" });
  await started.get("here")?.[0]?.ended;
  // At the bill of the run that gave it up.
  expect(charged).toEqual([{ networkRequests: 3, bytesIn: 20, bytesOut: 10 }]);
});

test("one that is given up while its worker is gone is waited for no longer than the worker is", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  routes.listeners.delete("here");
  const stop = new AbortController();
  const { way, charged } = wayOf();
  const asked = there.act(ANN, CLICK, way, stop.signal);
  await expect.poll(() => routes.sent.length).toBe(1);
  stop.abort();
  routes.leases.clear();
  expect(await asked).toMatchObject({ ok: false, code: "aborted" });
  expect(charged).toEqual([]);
});

test("a worker that stops tells those whose actions it breaks off, and what there is to pay", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  started.get("here")?.[0]?.hold();
  const { way, charged } = wayOf();
  const asked = there.act(ANN, CLICK, way, NEVER);
  await expect.poll(() => started.get("here")?.[0]?.asked.length).toBe(2);
  const sentBefore = routes.sent.length;
  await here.close();
  expect(routes.sent.slice(sentBefore)).toEqual([expect.stringContaining('"type":"answer"')]);
  expect(await asked).toMatchObject({ ok: false, message: expect.stringMatching(/Open the page again/) });
  expect(charged).toHaveLength(1);
});

test("one of a run that is given up before its turn is not asked, and the browser stays", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  const letGo = started.get("here")?.[0]?.hold();
  const [{ way }, stop] = [wayOf(), new AbortController()];
  const first = there.act(ANN, CLICK, way, NEVER);
  const second = there.act(ANN, CLICK, way, stop.signal);
  const third = there.act(ANN, CLICK, way, NEVER);
  await expect.poll(() => started.get("here")?.[0]?.asked.length).toBe(2);
  stop.abort();
  expect(await second).toMatchObject({ ok: false, code: "aborted" });
  letGo?.();
  expect([(await first).ok, (await third).ok]).toEqual([true, true]);
  expect(started.get("here")?.[0]).toMatchObject({ asked: ["open", "click", "click"], atOnce: 1 });
});

test("what was done, and could not be told, is done no second time", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  routes.unsent = "click";
  const { way, charged } = wayOf();
  expect(await there.act(ANN, CLICK, way, NEVER)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/may have been done/),
  });
  expect(started.get("here")?.[0]?.asked).toEqual(["open", "click"]);
  expect([charged.length, reported.length]).toEqual([1, 1]);
});

test("an end that is looked at before its answer has come is answered as what it was", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  await here.act(ANN, OPEN, wayOf().way, NEVER);
  const [browser] = started.get("here") ?? [];
  Object.assign(browser ?? {}, { kill: () => undefined });
  // Nothing is left of it once another worker has seen that its place is free.
  routes.onLook = () => void (routes.leases.size === 0 && browser?.end(null));
  expect(await there.act(ANN, { action: "close" }, wayOf().way, NEVER)).toMatchObject({ ok: true });
});

test("where the worker is gone that had it, an open begins another one, and all else is told", async () => {
  const there = await workerOf("there");
  const [key] = await (async () => {
    const lost = await workerOf("lost");
    await lost.act(ANN, OPEN, wayOf().way, NEVER);
    return [...routes.leases.keys()];
  })();
  routes.listeners.delete("lost");
  const click = there.act(ANN, CLICK, wayOf().way, NEVER);
  const open = there.act(ANN, OPEN, wayOf().way, NEVER);
  routes.leases.delete(key ?? "");
  expect(await click).toMatchObject({
    ok: false,
    message: expect.stringMatching(/gone.*Open the page again/),
  });
  expect((await open).ok).toBe(true);
  expect(started.get("there")).toHaveLength(1);
});

test("a worker without a Chromium begins a browser in one that has it, and uses it there", async () => {
  const [bare, able] = [await workerOf("bare", false), await workerOf("able")];
  expect(bare.canBeHad).toBe(false);
  starters = ["able"];
  expect([bare.canBeHad, able.canBeHad]).toEqual([true, true]);
  expect(await bare.act(ANN, CLICK, wayOf().way, NEVER)).toMatchObject({ code: "conflict" });
  const { way, charged } = wayOf();
  expect(await bare.act(ANN, OPEN, way, NEVER)).toMatchObject({ ok: true });
  expect(await bare.act(ANN, CLICK, way, NEVER)).toMatchObject({ ok: true });
  expect([...routes.leases.values()]).toEqual(["able"]);
  expect(started.get("able")?.[0]?.asked).toEqual(["open", "click"]);
  expect(charged).toHaveLength(2);
});

test("where nobody can start one an open says so, and one that is listed but gone is passed over", async () => {
  const bare = await workerOf("bare", false);
  const none = {
    ok: false,
    code: "capability_denied",
    message: expect.stringMatching(/^No worker that can/),
  };
  expect(await bare.act(ANN, OPEN, wayOf().way, NEVER)).toEqual(none);
  starters = ["lost"];
  expect(await bare.act(ANN, OPEN, wayOf().way, NEVER)).toEqual(none);
  await workerOf("able");
  starters = ["lost", "able"];
  expect(await bare.act(ANN, OPEN, wayOf().way, NEVER)).toMatchObject({ ok: true });
});

test("an open that finds no room begins a browser where there is some, and says so where there is none", async () => {
  const [here, there] = [await workerOf("here"), await workerOf("there")];
  starters = ["there"];
  for (let n = 0; n < BROWSERS_MAX; n += 1)
    await here.act({ ...ANN, tenantId: `ten_${n}` }, OPEN, wayOf().way, NEVER);
  expect(await here.act(ANN, OPEN, wayOf().way, NEVER)).toMatchObject({ ok: true });
  expect(await here.act(ANN, CLICK, wayOf().way, NEVER)).toMatchObject({ ok: true });
  expect(started.get("there")?.[0]?.asked).toEqual(["open", "click"]);
  for (let n = 1; n < BROWSERS_MAX; n += 1)
    await there.act({ ...ANN, tenantId: `ten_there_${n}` }, OPEN, wayOf().way, NEVER);
  expect(await here.act({ ...ANN, userId: "bob" }, OPEN, wayOf().way, NEVER)).toMatchObject({
    ok: false,
    code: "capability_limit",
    message: expect.stringMatching(/^This worker has 8 browsers/),
  });
});
