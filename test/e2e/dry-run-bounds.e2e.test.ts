import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const AUTOMATIC_MAX = 20;

const product = await sharedProduct();

const evidence = async (owner: Client, name: string, n: number) =>
  (await owner.get(`${TOOLS}/${name}/versions/${n}/evidence`)).body.data;
/** Once every dry run has ended. */
const settled = (owner: Client, name: string, n: number) =>
  until(
    async () => {
      const now = await evidence(owner, name, n);
      return now.running ? null : now;
    },
    // Twenty wait for one slot, for as long as they may.
    { what: "the dry runs", timeoutMs: 60_000 },
  );

/** A tenant whose only slot is taken until `free` is called: what it submits is queued. */
async function busyTenant() {
  const { owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
  // For longer than a dry run may wait.
  const wait = "await new Promise((resolve) => setTimeout(resolve, 100_000));";
  await createTool(owner, "blocker", wait, { limits: { wallMs: 110_000 } });
  const call = { arguments: {}, mode: "async", timeoutMs: 120_000 };
  const { body } = await owner.post(`${TOOLS}/blocker/execute`, call);
  const path = `/api/v1/executions/${body.data.executionId}`;
  const isRunning = async () => (await owner.get(path)).body.data.status === "running" || null;
  await until(isRunning, { what: "the blocker to run" });
  return { owner, free: () => owner.post(`${path}/cancel`) };
}

describe("dry runs that nobody asked for", () => {
  test("of a version are cancelled while they wait when a newer one takes its place", async () => {
    product.showLogsIfTestFails();
    const { owner, free } = await busyTenant();
    await createTool(owner, "changing", "return 1;", { createdBy: "llm" });
    const propose = (code: string) => owner.patch(`${TOOLS}/changing`, { code, limits: { wallMs: 40_000 } });
    await propose("return 2;");
    expect(await evidence(owner, "changing", 2)).toMatchObject({
      state: "pending",
      running: true,
      dryRuns: [{ status: "queued" }],
    });
    await propose("return 3;");
    expect(await evidence(owner, "changing", 2)).toMatchObject({
      state: "superseded",
      running: false,
      dryRuns: [
        {
          status: "cancelled",
          error: { code: "execution.cancelled", message: expect.stringContaining("newer version") },
        },
      ],
    });
    expect((await evidence(owner, "changing", 3)).dryRuns).toMatchObject([{ status: "queued" }]);
    await free();
    expect((await settled(owner, "changing", 3)).dryRuns).toMatchObject([{ status: "succeeded", result: 3 }]);
  });

  test.runIf(isNightly)(
    "are so many at a time; the evidence of the next says that it was not run, and how to ask for it",
    async () => {
      product.showLogsIfTestFails();
      const { owner, free } = await busyTenant();
      const made = { createdBy: "llm", permissions: ["shell"] };
      for (let n = 1; n <= AUTOMATIC_MAX + 1; n += 1)
        await createTool(owner, `tried_${n}`, `return ${n};`, made);
      const last = `tried_${AUTOMATIC_MAX + 1}`;
      expect((await evidence(owner, `tried_${AUTOMATIC_MAX}`, 1)).dryRuns).toMatchObject([
        { status: "queued" },
      ]);
      const refused = await evidence(owner, last, 1);
      expect(refused).toMatchObject({
        state: "pending",
        running: false,
        dryRuns: [{ status: "not_run", generated: true, error: { code: "evidence.busy" } }],
      });
      await free();
      // As the reason says, word for word.
      const [how, path] = /POST (\/\S+?)\.$/.exec(refused.dryRuns[0].error.message) ?? [];
      expect(how).toBeDefined();
      expect((await owner.post(path ?? "")).status).toBe(202);
      const ran = await settled(owner, last, 1);
      expect(ran.dryRuns).toMatchObject([
        { status: "not_run" },
        { status: "succeeded", result: AUTOMATIC_MAX + 1 },
      ]);
      for (let n = 1; n <= AUTOMATIC_MAX; n += 1) await settled(owner, `tried_${n}`, 1);
      await createTool(owner, "tried_at_last", "return 0;", made);
      expect((await settled(owner, "tried_at_last", 1)).dryRuns).toMatchObject([{ status: "succeeded" }]);
    },
  );
});
