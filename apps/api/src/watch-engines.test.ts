import type { EngineFact } from "@bulkhead/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchEngines } from "./watch-engines.ts";

test("a browser is offered while a worker has one, and stays as it was known while nobody can tell", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let engines: EngineFact[] | null = [{ engine: "browser", available: false, detail: "" }];
  const reported: string[] = [];
  const here = await watchEngines({
    directory: {
      list: async () => {
        if (engines === null) throw new Error("away");
        return [{ engines }] as never;
      },
    },
    report: (what) => void reported.push(what),
  });
  onTestFinished(() => here.close());
  const { builtIns } = here;
  const isOffered = (): boolean[] => [
    here.hasEngine("browser"),
    builtIns.some(({ name }) => name === "browser"),
  ];
  expect(here.workersHave("speech")).toBe(false);
  expect(isOffered()).toEqual([false, false]);
  expect([here.hasEngine("files"), builtIns.some(({ name }) => name === "read_file")]).toEqual([true, true]);
  engines = [...engines, ...["browser", "speech"].map((engine) => ({ engine, available: true, detail: "" }))];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(isOffered()).toEqual([true, true]);
  engines = null;
  await vi.advanceTimersByTimeAsync(3_000);
  expect([isOffered(), reported]).toEqual([[true, true], ["the engines of workers are not known"]]);
  expect(here.workersHave("speech")).toBe(true);
  engines = [];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(isOffered()).toEqual([false, false]);
});
