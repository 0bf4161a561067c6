import { expect, test } from "vitest";
import { seedsAskedFor, tellRun } from "./seeds.ts";
import { simulate } from "./simulate.ts";

const { seeds, timeoutMs } = seedsAskedFor(process.env);

test("equal seeds give equal runs", async () => {
  const [first, second] = [await simulate(7), await simulate(7)];
  expect(second.world.history.facts).toEqual(first.world.history.facts);
});

test(
  `[L8] every invariant holds in ${seeds.length} worlds`,
  async () => {
    let steps = 0;
    let deaths = 0;
    let executions = 0;
    for (const seed of seeds) {
      const run = await simulate(seed);
      if (run.broken.length > 0) expect.fail(tellRun(run));
      steps += run.steps;
      deaths += run.deaths;
      executions += run.executions;
    }
    process.stdout.write(
      `simulated ${seeds.length} seeds: ${executions} executions, ${steps} steps, ${deaths} deaths of processes\n`,
    );
    expect(executions).toBeGreaterThan(seeds.length);
  },
  timeoutMs,
);
