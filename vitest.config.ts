import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";
import { NODE_COMPILE_CACHE } from "./libs/testing/src/compiled-code.ts";
import { LongestFirst } from "./libs/testing/src/longest-first.ts";

const roots = ["apps", "libs", "test"];
const under = (pattern: string): string[] => roots.map((root) => `${root}/**/${pattern}`);

const GUEST = "libs/sandbox/src/guest/**/*.test.ts";
const NO_UNITS = ["**/node_modules/**", ...under("*.{integration,e2e,nightly}.test.ts")];

const GLOBAL_SETUP = "libs/testing/src/global-setup.ts";
const ONE_PRODUCT = "libs/testing/src/one-process-setup.ts";
const FILES_IN_TURN = "libs/testing/src/files-in-turn.ts";

/** What `--mode nightly` adds: everything is tried, with chance that begins elsewhere each time. */
function nightlyEnv(): Record<string, string> {
  const seed = process.env["BULKHEAD_SEED"] ?? String(randomInt(2 ** 31));
  console.log(`Random cases begin at seed ${seed}; BULKHEAD_SEED=${seed} before the command repeats them.`);
  return { BULKHEAD_NIGHTLY: "1", BULKHEAD_SEED: seed };
}

/** What a test waits for comes when the machine has time for it: a page on two busy cores after more than the usual second. */
const WAITS = { poll: { timeout: 60_000 } };

/** Six projects for `--project`: units, those of the guest, integration, system (end-to-end), nightly, many. */
export default defineConfig(({ mode }) => {
  const env = mode === "nightly" ? nightlyEnv() : {};
  const compiledEnv = { ...env, NODE_COMPILE_CACHE };
  return {
    test: {
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          test: {
            name: "unit",
            include: under("*.test.ts"),
            exclude: [...NO_UNITS, GUEST],
            env,
            // A worker takes one file after the other: loading the modules anew for each costs four times what its tests do.
            pool: "threads",
            isolate: false,
            // Node loads them as it loads the product: Vite's way to the same costs a quarter more.
            experimental: { viteModuleRunner: false },
            maxWorkers: 2,
            setupFiles: [FILES_IN_TURN],
            // They take milliseconds; a machine that does much else at a time may not give them those.
            testTimeout: 60_000,
          },
        },
        {
          // The sandbox's guest takes the language's objects as they are when it is loaded: each file begins anew.
          test: {
            name: "unit-guest",
            include: [GUEST],
            exclude: NO_UNITS,
            env,
            pool: "threads",
            maxWorkers: 2,
            setupFiles: [FILES_IN_TURN],
            testTimeout: 60_000,
          },
        },
        {
          test: {
            name: "integration",
            expect: WAITS,
            experimental: { viteModuleRunner: false },
            include: under("*.integration.test.ts"),
            env: compiledEnv,
            isolate: false,
            // Most files wait for real processes more than they compute: one at a time would leave two cores idle.
            maxWorkers: 4,
            sequence: { groupOrder: 1 },
            globalSetup: [GLOBAL_SETUP],
            setupFiles: [FILES_IN_TURN],
            testTimeout: 120_000,
            hookTimeout: 180_000,
          },
        },
        {
          test: {
            name: "system",
            expect: WAITS,
            experimental: { viteModuleRunner: false },
            include: under("*.e2e.test.ts"),
            env: compiledEnv,
            isolate: false,
            maxWorkers: 4,
            sequence: { groupOrder: 1 },
            globalSetup: [GLOBAL_SETUP, ONE_PRODUCT],
            setupFiles: [FILES_IN_TURN],
            testTimeout: 240_000,
            hookTimeout: 180_000,
          },
        },
        {
          test: {
            name: "nightly",
            expect: WAITS,
            include: under("*.nightly.test.ts"),
            env,
            maxWorkers: 2,
            sequence: { groupOrder: 2 },
            globalSetup: [GLOBAL_SETUP, ONE_PRODUCT],
            setupFiles: [FILES_IN_TURN],
            testTimeout: 600_000,
            hookTimeout: 180_000,
          },
        },
        {
          // The end-to-end tests once more: on a Redis Cluster, and where a file shares a product, on several APIs and workers.
          test: {
            name: "many",
            expect: WAITS,
            include: ["test/e2e/*.e2e.test.ts"],
            env: { ...env, BULKHEAD_TEST_REDIS: "cluster" },
            maxWorkers: 3,
            // By themselves, behind those that judge a product under faults: they take all processors.
            sequence: { groupOrder: 3 },
            globalSetup: [GLOBAL_SETUP, "libs/testing/src/many-processes-setup.ts"],
            testTimeout: 240_000,
            hookTimeout: 180_000,
          },
        },
      ],
    },
  };
});
