import { describe } from "vitest";

// Read when a file's product starts its stores: three masters, and the dispatcher in four shards.
process.env["BULKHEAD_TEST_REDIS"] = "cluster";

/**
 * What is promised of one Redis holds on a cluster: these files of the end-to-end tests, which kill and empty their Redis
 * too, each with a product and a cluster of its own, one after the other.
 */
const FILES = {
  "executions: sync, stream, batch, cancel": () => import("../e2e/admission.e2e.test.ts"),
  "resuming a stream, also where the log is lost": () => import("../e2e/resume.e2e.test.ts"),
  "idempotency keys": () => import("../e2e/idempotency.e2e.test.ts"),
  schedules: () => import("../e2e/schedules.e2e.test.ts"),
  callbacks: () => import("../e2e/callbacks.e2e.test.ts"),
  "rate limits, also while Redis is away": () => import("../e2e/request-limits.e2e.test.ts"),
  "nested calls": () => import("../e2e/nested-calls.e2e.test.ts"),
  "tenant events": () => import("../e2e/tenant-events.e2e.test.ts"),
  "system and readiness": () => import("../e2e/system.e2e.test.ts"),
};

for (const [what, load] of Object.entries(FILES)) {
  // A file's own hooks and tests are registered inside of its suite.
  describe(`on a Redis Cluster: ${what}`, async () => {
    await load();
  });
}
