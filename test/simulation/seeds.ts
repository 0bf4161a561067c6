import { isNightly, SEED } from "@bulkhead/testing";
import type { Run } from "./simulate.ts";

/** How many, and the first of them. */
const [SEEDS_DEFAULT, FIRST] = isNightly ? [20_000, SEED] : [30, 1];
const MS_PER_SEED_MAX = 200;
/** Facts of the broken execution that a failure shows, the last ones. */
const TRACE_MAX = 60;

/** One seed (`SIMULATION_SEED`), so many from the first on (`SIMULATION_SEEDS`), or 30 that are always the same; at night 20,000 others. */
export function seedsAskedFor(env: NodeJS.ProcessEnv): { seeds: number[]; timeoutMs: number } {
  const { SIMULATION_SEED: one, SIMULATION_SEEDS: many } = env;
  const count = Number(many ?? SEEDS_DEFAULT);
  const seeds = one === undefined ? Array.from({ length: count }, (_, n) => FIRST + n) : [Number(one)];
  return { seeds, timeoutMs: 60_000 + seeds.length * MS_PER_SEED_MAX };
}

/** What is broken, what happened to whom it concerns, and how to see it again. */
export function tellRun({ seed, broken, world }: Run): string {
  const { facts } = world.history;
  const [began] = facts;
  const ids = broken.flatMap(({ how }) => how.match(/exe_[0-9a-f]+/g) ?? []);
  const concerned = facts.filter((fact) => {
    if ("executionId" in fact) return ids.length === 0 || ids.includes(fact.executionId);
    return fact.kind === "mishap" || fact.kind === "died" || fact.kind === "emptied";
  });
  const lines = concerned.slice(-TRACE_MAX).map(({ at, ...fact }) => {
    const ms = Math.round(at - (began?.at ?? 0));
    return `  ${String(ms).padStart(7)} ms  ${JSON.stringify(fact)}`;
  });
  const breaches = broken.map(({ invariant, how }) => `- ${invariant}: ${how}`);
  return [`seed ${seed} (again: SIMULATION_SEED=${seed})`, ...breaches, ...lines].join("\n");
}
