import type { WorkerFacts } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { announceWorker, type AnnounceDeps } from "./announce-worker.ts";

const facts = { workerId: "wrk_a" } as WorkerFacts;

/** Announces to a directory with these methods and tells what was reported. */
function announcing(directory: Partial<AnnounceDeps["directory"]>, more: Partial<AnnounceDeps> = {}) {
  const reported: string[] = [];
  const whole = { announce: () => Promise.resolve("announced" as const), withdraw: () => Promise.resolve() };
  const announced = announceWorker({
    directory: { ...whole, ...directory },
    facts: () => Promise.resolve(facts),
    workerId: "wrk_a",
    report: (what, error) => void reported.push(`${what}: ${String(error)}`),
    ...more,
  });
  return { reported, close: async () => announced.close() };
}

test("a worker is announced at once for longer than a turn, and taken off the list at its end", async () => {
  const heard: unknown[] = [];
  const { close, reported } = announcing({
    announce: (said, ttlMs) => {
      heard.push([said.workerId, ttlMs > 3_000]);
      return Promise.resolve("announced");
    },
    withdraw: (workerId) => {
      heard.push(`without ${workerId}`);
      return Promise.resolve();
    },
  });
  await until(() => heard.length === 1, { what: "it was announced" });
  await close();
  expect(heard).toEqual([["wrk_a", true], "without wrk_a"]);
  expect(reported).toEqual([]);
});

const down = () => Promise.reject(new Error("down"));

test.each<[string, Partial<AnnounceDeps["directory"]>, Partial<AnnounceDeps>, string]>([
  ["is away", { announce: down }, {}, "announcing this worker failed: Error: down"],
  [
    "is full",
    { announce: () => Promise.resolve("full") },
    {},
    "announcing this worker failed: Error: the directory of workers is full",
  ],
  ["has nothing to hear yet", {}, { facts: down }, "announcing this worker failed: Error: down"],
])("a directory that %s is reported and disturbs nothing", async (_what, directory, more, expected) => {
  const { close, reported } = announcing(directory, more);
  await until(() => reported.length > 0, { what: "it was reported" });
  await close();
  expect(reported).toEqual([expected]);
});

test("a failed withdrawal is reported and does not stop the stop", async () => {
  const { close, reported } = announcing({ withdraw: down });
  await close();
  expect(reported).toEqual(["withdrawing this worker failed: Error: down"]);
});
