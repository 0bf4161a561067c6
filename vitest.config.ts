import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const roots = ["apps", "libs", "test"];
const under = (pattern: string): string[] => roots.map((root) => `${root}/**/${pattern}`);

/** Four kinds of tests by file name; each is a project, so that `--project` picks it. */
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
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "integration",
          include: under("*.integration.test.ts"),
          globalSetup: ["libs/testing/src/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "system",
          include: under("*.{e2e,fault}.test.ts"),
          globalSetup: ["libs/testing/src/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "slow",
          include: under("*.slow.test.ts"),
          globalSetup: ["libs/testing/src/global-setup.ts"],
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
