import type { WorkerFacts } from "@bulkhead/core";
import { expect, test } from "vitest";
import { presentWorker, summarizeLayers } from "./present-system.ts";

const worker = (layers: Record<string, boolean>): WorkerFacts => ({
  workerId: "wrk_a",
  host: "engine-room",
  pid: 1,
  startedAt: new Date(0),
  version: "0.1.0",
  nodeVersion: "26",
  v8Version: "14",
  isolatedVmVersion: "7",
  nodeSnapshot: true,
  slots: 1,
  running: 0,
  sandboxProcesses: { starting: 0, blank: 0, idle: 0, running: 0 },
  sandboxWaiting: 0,
  sandboxLayers: Object.entries(layers).map(([layer, inForce]) => ({ layer, inForce, detail: "" })),
  engines: [],
});

test.each([
  ["no worker", [], []],
  [
    "one worker",
    [{ landlock: true, own_uid: false }],
    [
      { layer: "landlock", inForce: true, workers: 1 },
      { layer: "own_uid", inForce: false, workers: 0 },
    ],
  ],
  [
    "workers that differ",
    [{ landlock: true }, { landlock: false }],
    [{ layer: "landlock", inForce: false, workers: 1 }],
  ],
  [
    "a worker that doesn't know a layer",
    [{ landlock: true, environment: true }, { environment: true }],
    [
      { layer: "landlock", inForce: false, workers: 1 },
      { layer: "environment", inForce: true, workers: 2 },
    ],
  ],
])("a layer is in force when every worker has it: %s", (_what, layers, expected) => {
  expect(summarizeLayers(layers.map(worker))).toEqual(expected);
});

test("a worker is shown under its id with its start as a timestamp", () => {
  expect(presentWorker(worker({}))).toMatchObject({ id: "wrk_a", startedAt: "1970-01-01T00:00:00.000Z" });
});
