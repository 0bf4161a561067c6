import { expect, test } from "vitest";
import { read } from "./support/files.ts";

const runbook = read("deploy/RUNBOOK.md");
const results = read("test/load/RESULTS.md");

/** A figure of the report, by what its row begins with. */
const measured = (row: string): number => {
  const [, figure = ""] = /^([\d,.]+) \|/.exec(results.split(`\n| ${row} | `)[1] ?? "") ?? [];
  return Number(figure.replaceAll(",", ""));
};
const [api, worker, sandboxes, redis, postgres, all] = (
  ["api", "worker", "sandboxes", "redis", "postgres", "all"] as const
).map((role) => measured(`Bulkhead: ${role}`)) as [number, number, number, number, number, number];

const hundredths = (value: number): string => (Math.round(value * 100) / 100).toFixed(2);
/** For 1,000 calls a second, with a third of the processors left free. */
const cores = (milliseconds: number): string => (1.5 * milliseconds).toFixed(1);

/** The last cell of the runbook's row that begins so. */
const cell = (row: string): string =>
  (runbook.split(`\n| ${row} `)[1] ?? "").split(" |\n")[0]?.split(" | ").at(-1) ?? "";

test("the sizing begins with what the report measured", () => {
  const each = [api, worker, sandboxes, redis, postgres].map(hundredths).join(", ");
  expect(cell("processor time of the API,")).toBe(`${each}: together ${all.toFixed(1)}`);
  const [, processes = ""] = /under load: sandboxes \((\d+) processes\)/.exec(results) ?? [];
  const mib = measured(`under load: sandboxes (${processes} processes)`) / Number(processes);
  expect(cell("memory of a sandbox process")).toBe(`${Math.round(mib)} MiB used; reckon with 100`);
  expect(runbook).toContain(`was ${measured("Bulkhead, 64 connections")} calls a second`);
});

test("what follows from the measured figures was reckoned with them", () => {
  expect(cell("cores of API processes")).toContain(`${cores(api)}: `);
  expect(cell("cores of workers with their sandboxes")).toContain(`${cores(worker + sandboxes)}: `);
  expect(cell("core of Redis")).toBe(`${hundredths(redis)}: two shards, ${hundredths(redis / 2)} each`);
  expect(cell("cores of PostgreSQL")).toContain(`${cores(postgres)}; `);
  expect(runbook).toContain(`1,000 a second is some ${Math.round(1.5 * all)} cores in all`);
});
