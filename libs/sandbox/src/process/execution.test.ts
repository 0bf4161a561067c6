import { expect, it, vi } from "vitest";
import { Execution } from "./execution.ts";
import type { FreshContext } from "./fresh-context.ts";
import type { WarmIsolate } from "./warm-isolate.ts";

// `boot.cjs` passes it to the program; null stands for a system that has no such file.
vi.hoisted(() => Reflect.set(globalThis, "statm", null));

const LIMITS = { cpuMs: 60_000, wallMs: 60_000, memoryMib: 64, resultBytes: 1, logBytes: 1, bytesOut: 0 };

/** A run whose guest is the test: it sees each entry, and says when the guest yields. */
function openRun() {
  const entered: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const bridge: FreshContext["bridge"] = {
    post: () => undefined,
    ask: () => "null",
    askWorker: () => Promise.resolve("null"),
  };
  const enter = {
    apply: (_: unknown, [name, id]: unknown[]): Promise<void> => {
      entered.push(name === "answered" ? `answered ${String(id)}` : String(name));
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
    release: () => undefined,
  };
  const isolate = {
    isDisposed: false,
    tool: () => ({ script: { runSync: () => ({ derefInto: () => null }) }, globals: {} }),
    heapMib: () => 0,
    dispose: () => undefined,
  };
  const frame = { type: "run", executionId: "run", isolateKey: "run", code: "", network: false } as const;
  const execution = new Execution(
    { ...frame, argumentsJson: "{}", contextJson: "{}", configJson: "{}", limits: LIMITS },
    isolate as unknown as WarmIsolate,
    { context: { release: () => undefined }, enter, bridge, asksWorker: false } as unknown as FreshContext,
    () => undefined,
  );
  const ended = execution.run();
  return {
    entered,
    answer: (id: number) =>
      execution.answered(id, { ok: true, head: "{}", body: null, bodyEncoding: "utf8" }),
    /** Ends the entry by its number, from 0, and lets all that follows from it happen. */
    end: async (entry: number, error?: Error) => {
      if (error) ends[entry]?.reject(error);
      else ends[entry]?.resolve();
      await new Promise(setImmediate);
    },
    close: async () => {
      bridge.post("returned", 0, "1", "");
      for (let entry = 0; entry < ends.length; entry++) {
        ends[entry]?.resolve();
        await new Promise(setImmediate);
      }
      return ended;
    },
  };
}

it("lets nothing in beside the first entry, since that may be the one whose rejection begins the watch", async () => {
  const run = openRun();
  run.answer(1);
  run.answer(2);
  expect(run.entered).toEqual(["call"]);
  await run.end(0);
  expect(run.entered).toEqual(["call", "answered 1"]);
  expect(await run.close()).toBe("clean");
  expect(run.entered).toEqual(["call", "answered 1", "answered 2"]);
});

it("lets in what waited before anything that comes once the guest watches", async () => {
  const run = openRun();
  for (const id of [1, 2, 3]) run.answer(id);
  await run.end(0, new Error("nobody caught it"));
  run.answer(4);
  expect(await run.close()).toBe("clean");
  expect(run.entered).toEqual([
    "call",
    "watch",
    "answered 1",
    "answered 2",
    "answered 3",
    "answered 4",
    "uncaught",
  ]);
});
