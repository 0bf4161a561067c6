import { Fault, type Principal, type Signal } from "@bulkhead/core";
import type { FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchKey } from "./authentication.ts";

const DAY_MS = 86_400_000;
let known: Pick<Principal, "goodUntil"> | null;
/** What the next look waits for before it answers what was known when it began. */
let held: Promise<void>;
let listeners: Set<(signal: Signal) => void>;
let ended: number;
let unwatch: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  known = {};
  held = Promise.resolve();
  listeners = new Set();
  ended = 0;
});
afterEach(() => {
  unwatch();
  expect([listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
  vi.useRealTimers();
});

async function watch(): Promise<void> {
  const whoSent = async () => {
    const [seen, answered] = [known, held];
    await answered;
    if (seen === null) throw new Fault("auth.invalid_key");
    return seen;
  };
  const request = { principal: { keyId: "key_1" }, server: { whoSent } } as unknown as FastifyRequest;
  const subscribe = (listener: (signal: Signal) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  unwatch = watchKey({ subscribe }, request, () => void (ended += 1));
  await vi.advanceTimersByTimeAsync(0);
}

async function hear(id: string): Promise<void> {
  for (const listener of listeners) listener({ type: "forget", kind: "key", id });
  await vi.advanceTimersByTimeAsync(0);
}

test("what is open ends once its key is gone, and not with another's", async () => {
  await watch();
  known = null;
  await hear("key_2");
  expect(ended).toBe(0);
  await hear("key_1");
  expect(ended).toBe(1);
});

test("a key that was gone before anyone listened is seen to be", async () => {
  known = null;
  await watch();
  expect(ended).toBe(1);
});

test("what has an end of its own ends then", async () => {
  known = { goodUntil: new Date(5_000) };
  await watch();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(1);
});

test("a secret that was put aside meanwhile goes on until its time is over", async () => {
  await watch();
  known = { goodUntil: new Date(5_000) };
  await hear("key_1");
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toBe(1);
});

test("a look at a slow database, which a later one overtook, doesn't undo what that one saw", async () => {
  const slow = Promise.withResolvers<void>();
  held = slow.promise;
  await watch();
  known = { goodUntil: new Date(5_000) };
  held = Promise.resolve();
  await hear("key_1");
  slow.resolve();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toBe(1);
});

test("an end that is years away ends nothing today", async () => {
  known = { goodUntil: new Date(3_660 * DAY_MS) };
  await watch();
  await vi.advanceTimersByTimeAsync(20 * DAY_MS);
  expect(ended).toBe(0);
});

test("a watch that has ended tells nothing more", async () => {
  await watch();
  known = null;
  const [listener] = listeners;
  unwatch();
  listener?.({ type: "forget", kind: "key", id: "key_1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toBe(0);
});
