import { TooManyProcessesError, type McpServerKey } from "@bulkhead/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  BROWSER_MS_MAX,
  BROWSERS_MAX,
  GIVES_WAY_MS,
  IDLE_MS_MAX,
  TENANT_BROWSERS_MAX,
  WAITING_MAX,
} from "../built-in/browser/bounds.ts";
import type { BrowserAction } from "./actions.ts";
import { BrowserMissingError } from "./browser-process.ts";
import { ScriptedBrowser } from "./fixtures/scripted-browser.ts";
import { HeldBrowsers } from "./held-browsers.ts";

const OPEN: BrowserAction = { action: "open", url: "https://a.example/" };
const CLICK: BrowserAction = { action: "click", ref: "e1" };
const WAY = { egress: null, nextBodyId: () => 1 };
const NEVER = new AbortController().signal;
const keyOf = (name = "ann", tenantId = "ten_a"): McpServerKey => ({ tenantId, name });

let started: ScriptedBrowser[];
let gone: string[];
let held: HeldBrowsers;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  [started, gone] = [[], []];
  held = new HeldBrowsers({
    start: async () => {
      const browser = new ScriptedBrowser();
      started.push(browser);
      return browser;
    },
    onGone: ({ name }) => gone.push(name),
  });
});
afterEach(async () => {
  await held.close();
  vi.useRealTimers();
});

const act = (action: BrowserAction, key = keyOf(), signal = NEVER) => held.act(key, action, WAY, signal);
const open = (...names: string[]) => Promise.all(names.map((name) => act(OPEN, keyOf(name))));

test("a browser is begun by what opens a page alone, and kept for its asker", async () => {
  expect(await act(CLICK)).toMatchObject({
    ok: false,
    code: "conflict",
    message: "No page is open. Open one first.",
  });
  await open("ann", "bob");
  await act(CLICK);
  expect(started.map(({ asked }) => asked)).toEqual([["open", "click"], ["open"]]);
});

test("one acts at a time in a browser, in the order of asking, and too many that wait are refused", async () => {
  await open("ann");
  const letGo = started[0]?.hold();
  const all = Array.from({ length: WAITING_MAX + 2 }, (_, n) =>
    act(n % 2 === 0 ? CLICK : { action: "back" }),
  );
  expect(await all.at(-1)).toMatchObject({ ok: false, code: "capability_limit" });
  letGo?.();
  expect((await Promise.all(all.slice(0, -1))).every(({ ok }) => ok)).toBe(true);
  expect(started[0]?.asked.slice(1, 5)).toEqual(["click", "back", "click", "back"]);
  expect(started[0]?.atOnce).toBe(1);
});

test("an action that is given up before its turn leaves the browser, and those behind it their turn", async () => {
  await open("ann");
  const letGo = started[0]?.hold();
  const [first, stop] = [act(CLICK), new AbortController()];
  const second = act(CLICK, keyOf(), stop.signal);
  const third = act({ action: "back" });
  stop.abort();
  expect(await second).toMatchObject({ ok: false, code: "aborted" });
  letGo?.();
  expect([(await first).ok, (await third).ok]).toEqual([true, true]);
  expect(started[0]?.asked).toEqual(["open", "click", "back"]);
});

test("one that is given up in its midst takes the browser with it, and the next one is told why", async () => {
  await open("ann");
  started[0]?.hold();
  const stop = new AbortController();
  const given = act(CLICK, keyOf(), stop.signal);
  await vi.advanceTimersByTimeAsync(1);
  stop.abort();
  expect(await given).toMatchObject({ ok: false });
  expect(await act(CLICK)).toMatchObject({
    message: "No page is open any more: the browser was ended, since its call was given up. Open one first.",
  });
  expect(gone).toEqual(["ann"]);
});

test("a browser ends when nobody asks for long, and after its longest time however much it is asked", async () => {
  await open("ann");
  await vi.advanceTimersByTimeAsync(IDLE_MS_MAX - 1);
  expect((await act(CLICK)).ok).toBe(true);
  await vi.advanceTimersByTimeAsync(IDLE_MS_MAX);
  expect(await act(CLICK)).toMatchObject({
    message: expect.stringMatching(/nobody had asked for anything for 5 minutes/),
  });
  await open("ann");
  for (let ms = 0; ms < BROWSER_MS_MAX; ms += IDLE_MS_MAX / 2) {
    await vi.advanceTimersByTimeAsync(IDLE_MS_MAX / 2);
    await act(CLICK);
  }
  expect(await act(CLICK)).toMatchObject({ message: expect.stringMatching(/30 minutes at most/) });
});

test("one more of a tenant's takes the place of one that nobody used for a while, or is refused", async () => {
  const names = Array.from({ length: TENANT_BROWSERS_MAX }, (_, n) => `user ${n}`);
  await open(...names);
  expect(await act(OPEN)).toMatchObject({
    code: "capability_limit",
    message: expect.stringMatching(/tenant has 4/),
  });
  await vi.advanceTimersByTimeAsync(GIVES_WAY_MS);
  await act(CLICK, keyOf("user 0"));
  expect((await act(OPEN)).ok).toBe(true);
  expect(gone).toEqual(["user 1"]);
});

test("a worker has so many at most, and no tenant's makes way for another's", async () => {
  const others = Array.from({ length: BROWSERS_MAX }, (_, n) => keyOf(`user ${n}`, `ten_${n % 4}`));
  for (const key of others) expect((await act(OPEN, key)).ok).toBe(true);
  await vi.advanceTimersByTimeAsync(GIVES_WAY_MS);
  expect(await act(OPEN)).toMatchObject({
    code: "capability_limit",
    message: expect.stringMatching(/worker has 8/),
  });
  held.endTenant("ten_1");
  await vi.advanceTimersByTimeAsync(1);
  expect((await act(OPEN)).ok).toBe(true);
});

test("who closes the last page ends the browser, and one that breaks off is begun anew by opening", async () => {
  await open("ann");
  await act({ action: "close" });
  expect(gone).toEqual(["ann"]);
  await open("ann");
  started[1]?.end("It needed more than 1024 MiB of memory.");
  await vi.advanceTimersByTimeAsync(1);
  expect(await act(CLICK)).toMatchObject({ message: expect.stringMatching(/needed more than 1024 MiB/) });
  expect((await act(OPEN)).ok).toBe(true);
  expect(started).toHaveLength(3);
});

test("no room for one more process on the worker is a limit", async () => {
  const cause = new TooManyProcessesError("The tenant has 8 servers' processes on this worker.");
  const start = () =>
    Promise.reject(new BrowserMissingError("The browser can't be started here.", { cause }));
  held = new HeldBrowsers({ start, onGone: ({ name }) => gone.push(name) });
  expect(await act(OPEN)).toMatchObject({ code: "capability_limit" });
});

test("a machine that can't start one says so, and is asked again the next time", async () => {
  let isMissing = true;
  held = new HeldBrowsers({
    start: async () => {
      if (isMissing) throw new BrowserMissingError("The browser can't be started here: no layers.");
      return new ScriptedBrowser();
    },
    onGone: ({ name }) => gone.push(name),
  });
  expect(await act(OPEN)).toMatchObject({
    code: "capability_denied",
    message: expect.stringMatching(/no layers/),
  });
  isMissing = false;
  await vi.advanceTimersByTimeAsync(1);
  expect((await act(OPEN)).ok).toBe(true);
});

test("one that is starting is ended at once, and whoever waits for it is told why", async () => {
  const signals: AbortSignal[] = [];
  held = new HeldBrowsers({
    start: (_, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new BrowserMissingError("It did not start.")));
      });
    },
    onGone: ({ name }) => gone.push(name),
  });
  const opening = act(OPEN);
  await held.close();
  expect(await opening).toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/the browser was ended, since its worker was stopped/),
  });
  expect([signals.length, gone]).toEqual([1, ["ann"]]);
});

test("nothing is left of one that is closed, and none is begun any more", async () => {
  await open("ann", "bob");
  await held.close();
  await Promise.all(started.map(({ ended }) => ended));
  expect(held.keys()).toEqual([]);
  expect(await act(OPEN)).toMatchObject({
    code: "capability_limit",
    message: expect.stringMatching(/about to stop/),
  });
});
