import { expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { simulate } from "./simulate.ts";

/** Seeds in which a mutant may show itself. */
const SEEDS_MAX = 1_500;

test.each(MUTANTS)("$name is caught", { timeout: 60_000 }, async ({ breaks, models, from = 1 }) => {
  for (let seed = from; seed < from + SEEDS_MAX; seed += 1) {
    const { broken } = await simulate(seed, models);
    if (broken.some(({ invariant }) => invariant === breaks)) return;
  }
  expect.fail(`none of ${SEEDS_MAX} seeds from ${from} on broke "${breaks}"`);
});
