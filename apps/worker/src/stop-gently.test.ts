import { expect, test } from "vitest";
import { stopGently } from "./stop-gently.ts";

function world(drained: Promise<void>) {
  const told: unknown[] = [];
  const deps = {
    consumer: { drain: () => drained },
    running: { size: 1, stopAll: (reason: string) => void told.push(reason) },
    report: (what: string, _error: unknown, about: unknown) => void told.push(what, about),
  };
  return { deps, told };
}

test("what has ended in time needs nothing, and is not reported", async () => {
  const { deps, told } = world(Promise.resolve());
  await stopGently(deps, 1_000);
  expect(told).toEqual(["shutdown"]);
});

test("attempts that nobody takes back don't keep a worker, and are told", async () => {
  const { deps, told } = world(new Promise(() => undefined));
  await stopGently(deps, 1, 1);
  expect(told).toEqual(["shutdown", "this worker stops although not all was handed back", { running: 1 }]);
});
