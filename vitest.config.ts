import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const roots = ["apps", "libs", "test"];
const under = (pattern: string): string[] => roots.map((root) => `${root}/**/${pattern}`);

const GLOBAL_SETUP = "libs/testing/src/global-setup.ts";

/** Four kinds of tests by file name, and one of them twice; each is a project, so that `--project` picks it. */
export default defineConfig({
  test: {
    // Most files wait for real processes more than they compute: one at a time would leave two cores idle.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          name: "unit",
          include: under("*.test.ts"),
          exclude: ["**/node_modules/**", ...under("*.{integration,e2e,fault,slow}.test.ts")],
          // They take milliseconds; a machine that does much else at a time may not give them those.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "integration",
          include: under("*.integration.test.ts"),
          globalSetup: [GLOBAL_SETUP],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: "system",
          include: under("*.{e2e,fault}.test.ts"),
          globalSetup: [GLOBAL_SETUP, "libs/testing/src/one-process-setup.ts"],
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
      {
        // The same end-to-end tests once more: on a Redis Cluster, and where a file shares a product, on several APIs and workers.
        test: {
          name: "many",
          include: ["test/e2e/*.e2e.test.ts"],
          env: { BULKHEAD_TEST_REDIS: "cluster" },
          // By themselves, behind those that judge a product under faults: they take all processors.
          sequence: { groupOrder: 1 },
          globalSetup: [GLOBAL_SETUP, "libs/testing/src/many-processes-setup.ts"],
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: "slow",
          include: under("*.slow.test.ts"),
          globalSetup: [GLOBAL_SETUP],
          testTimeout: 600_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
