import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "tick", "return args.n;", {
    parameters: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
  });
});

const PATH = "/api/v1/schedules";
const create = async (body: object) => {
  const made = await owner.post(PATH, { tool: "tick", ...body });
  if (made.status !== 201) throw new Error(`no schedule: ${JSON.stringify(made.body)}`);
  return made.body.data;
};
const read = async (id: string) => (await owner.get(`${PATH}/${id}`)).body.data;
interface Run {
  id: string;
  scheduleId?: string;
  status: string;
  source: string;
  resultBytes: number;
}
/** Plans far ahead: nothing comes of it by itself. */
const YEARLY = { cron: "0 0 1 1 *" };

// Each waits for ticks and has a tool or a schedule of its own, so they wait together.
describe.concurrent("schedules", () => {
  describe("a run that comes to nothing is told by the schedule", () => {
    test("while its tool is disabled; when it is gone, the schedule is paused until it has another one", async () => {
      const tool = await createTool(owner, "fickle", "return 1;");
      const { id } = await create({ tool: "fickle", everyMs: 1_000 });
      const seen = (code: string | undefined) =>
        until(async () => (await read(id)).lastError?.code === code, { what: `lastError ${code}` });
      await owner.post("/api/v1/custom-tools/fickle/disable");
      await seen("tool.not_active");
      await owner.post("/api/v1/custom-tools/fickle/enable");
      await seen(undefined);
      const gone = await owner.delete(`/api/v1/custom-tools/${tool.id}`);
      expect(gone.body.data).toEqual({ deleted: true, schedulesPaused: 1 });
      const reason = "Its tool was deleted.";
      const paused = { status: "paused", statusReason: reason, toolName: "fickle", nextRuns: [] };
      expect(await read(id)).toMatchObject(paused);
      const resumed = await owner.post(`${PATH}/${id}/resume`);
      expect([resumed.status, resumed.body.code]).toEqual([404, "tool.not_found"]);
      const given = await owner.patch(`${PATH}/${id}`, { tool: "tick" });
      expect(given.body.data).not.toHaveProperty("statusReason");
      const { body } = await owner.post(`${PATH}/${id}/resume`);
      expect(body.data).toMatchObject({ status: "active", toolName: "tick" });
      expect(body.data).not.toHaveProperty("statusReason");
      await owner.delete(`${PATH}/${id}`);
    });

    test("when the arguments no longer fit", async () => {
      await createTool(owner, "grows", "return 1;");
      const { id } = await create({ tool: "grows", everyMs: 1_000 });
      const parameters = { type: "object", properties: { must: { type: "string" } }, required: ["must"] };
      await owner.patch("/api/v1/custom-tools/grows", { parameters });
      await until(async () => (await read(id)).lastError?.code === "tool.arguments_invalid", {
        what: "the error",
      });
      await owner.delete(`${PATH}/${id}`);
    });
  });

  test("[R28] a schedule runs once a tick, pauses, resumes, and ends with its deletion", async () => {
    const runsOf = async (scheduleId: string): Promise<Run[]> =>
      (await owner.get("/api/v1/executions?tool=tick&limit=200")).body.data.executions.filter(
        (run: Run) => run.scheduleId === scheduleId,
      );
    const nRuns = (scheduleId: string, n: number) =>
      until(async () => (await runsOf(scheduleId)).length >= n, { what: `${n} runs`, timeoutMs: 60_000 });

    const { id, nextRuns } = await create({ everyMs: 1_000, arguments: { n: 7 }, name: "ticker" });
    const first = Date.parse(nextRuns[0]);
    expect(nextRuns.map((run: string) => Date.parse(run) - first)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    await nRuns(id, 3);

    const paused = (await owner.post(`${PATH}/${id}/pause`)).body.data;
    expect(paused).toMatchObject({ status: "paused", nextRuns: [] });
    const pausedAt = Date.now();
    const done = await until(
      async () => {
        const runs = await runsOf(id);
        return runs.every(({ status }) => status === "succeeded") ? runs : undefined;
      },
      { what: "the runs' ends" },
    );
    expect(done.map(({ source, resultBytes }) => [source, resultBytes])).toEqual(
      done.map(() => ["schedule", "7".length]),
    );
    // The ticks from the first one to the pause; a tick at its very moment may have been accepted beside it.
    expect(done.length).toBeLessThanOrEqual(Math.floor((pausedAt - first) / 1_000) + 1);
    const { lastExecutionId, lastRunAt } = (await owner.get(`${PATH}/${id}`)).body.data;
    expect((await runsOf(id)).map((run) => run.id)).toContain(lastExecutionId);
    expect(Date.parse(lastRunAt)).toBeGreaterThanOrEqual(first);

    const resumed = (await owner.post(`${PATH}/${id}/resume`)).body.data;
    expect(resumed.status).toBe("active");
    // On the same beat as before.
    expect((Date.parse(resumed.nextRuns[0]) - first) % 1_000).toBe(0);
    await nRuns(id, done.length + 1);

    expect((await owner.delete(`${PATH}/${id}`)).body.data).toEqual({ deleted: true });
    const left = (await runsOf(id)).length;
    expect((await owner.get(`${PATH}/${id}`)).status).toBe(404);
    // Another one's ticks show that time has gone on.
    const another = await create({ everyMs: 1_000 });
    await nRuns(another.id, 2);
    // A tick at the very moment of the deletion may have been accepted beside it.
    expect((await runsOf(id)).length).toBeLessThanOrEqual(left + 1);
    await owner.delete(`${PATH}/${another.id}`);
  });

  test("[R28] run now runs at once, paused or not, and leaves the plan as it is", async () => {
    const { id, nextRuns } = await create({ ...YEARLY, arguments: { n: 3 } });
    await owner.post(`${PATH}/${id}/pause`);
    for (const move of ["pause", "resume"]) {
      await owner.post(`${PATH}/${id}/${move}`);
      const { status, body } = await owner.post(`${PATH}/${id}/run`);
      expect(status).toBe(202);
      const { executionId, links } = body.data;
      await until(async () => (await owner.get(links.self)).body.data.status === "succeeded", {
        what: "its end",
      });
      expect((await owner.get(links.self)).body.data).toMatchObject({ scheduleId: id, result: 3 });
      expect(await read(id)).toMatchObject({ lastExecutionId: executionId, lastStatus: "succeeded" });
      const { executions } = (await owner.get(`/api/v1/executions?scheduleId=${id}`)).body.data;
      expect(executions[0].id).toBe(executionId);
      const all = executions.map(({ scheduleId }: { scheduleId: string }) => scheduleId);
      expect(new Set(all)).toEqual(new Set([id]));
    }
    expect((await owner.get("/api/v1/executions?scheduleId=sch_other")).body.data.executions).toEqual([]);
    expect((await read(id)).nextRuns).toEqual(nextRuns);
  });

  test("a run that is longer than its interval is alone, and the schedule tells what it left out", async () => {
    const tool = await createTool(
      owner,
      "sleeper",
      "await new Promise((done) => setTimeout(done, 2_500)); return 1;",
    );
    const runs = async (id: string): Promise<Run[]> =>
      (await owner.get("/api/v1/executions?tool=sleeper&limit=200")).body.data.executions.filter(
        ({ scheduleId }: Run) => scheduleId === id,
      );
    const open = (all: Run[]) => all.filter(({ status }) => status === "queued" || status === "running");
    const skips = await create({ tool: "sleeper", everyMs: 1_000 });
    expect(skips).toMatchObject({ overlap: "skip", skippedRuns: 0 });
    const queues = await create({ tool: "sleeper", everyMs: 1_000, overlap: "queue_one" });
    const cancels = await create({ tool: "sleeper", everyMs: 1_000, overlap: "cancel_previous" });
    let atOnceMax = 0;
    await until(
      async () => {
        const each = await Promise.all([skips, queues].map(({ id }) => runs(id)));
        atOnceMax = Math.max(atOnceMax, ...each.map((all) => open(all).length));
        return each.every((all) => all.filter(({ status }) => status === "succeeded").length >= 2);
      },
      { what: "two ends each", timeoutMs: 60_000 },
    );
    expect(atOnceMax).toBe(1);
    const { skippedRuns, lastSkippedAt } = await read(skips.id);
    expect(skippedRuns).toBeGreaterThan(0);
    expect(lastSkippedAt).toBeDefined();
    await until(async () => (await runs(cancels.id)).some(({ status }) => status === "cancelled"), {
      what: "a run that was cancelled",
    });
    expect(await owner.delete(`/api/v1/custom-tools/${tool.id}`)).toMatchObject({
      body: { data: { schedulesPaused: 3 } },
    });
  });
});
