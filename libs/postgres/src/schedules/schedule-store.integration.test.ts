import {
  newApiKeyId,
  newScheduleId,
  SCHEDULE_TOOL_DELETED,
  scopeOfAgent,
  type NewSchedule,
  type Schedule,
  type ToolScope,
} from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { ALL_TOOLS, sampleExecution, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

let tenantId = "";

beforeEach(async () => {
  tenantId = (await database.tenants.create(sampleTenant())).id;
});

const inSeconds = (...seconds: number[]) =>
  seconds.map((second) => new Date(Date.UTC(2099, 0, 1) + second * 1_000));

const sample = (fields: Partial<NewSchedule> = {}): NewSchedule => ({
  scheduleId: newScheduleId(),
  tenantId,
  name: null,
  toolId: "tool_0000000000000000",
  toolName: "sample",
  arguments: { b: 1, a: "\u0000" },
  context: { userId: "u" },
  priority: 4,
  timeoutMs: 60_000,
  plan: { type: "cron", cron: "0 9 * * 1", timeZone: "Europe/Berlin" },
  missedRuns: "skip",
  overlap: "skip",
  status: "active",
  statusReason: null,
  nextRuns: inSeconds(10, 20, 30),
  createdBy: newApiKeyId(),
  madeByTool: null,
  createdAt: new Date(),
  ...fields,
});
const MANY = { ofTenant: 1_000, ofOwner: 1_000 };
const create = async (fields: Partial<NewSchedule> = {}): Promise<Schedule> => {
  const made = await database.schedules.create(sample(fields), MANY);
  if (typeof made === "string") throw new Error("not made");
  return made;
};

test("a schedule is found as it was made, and by its tenant alone", async () => {
  const given = sample({ plan: { type: "every", everyMs: 31_622_400_000, anchorAt: new Date(1) } });
  const made = await database.schedules.create(given, { ofTenant: 1, ofOwner: 1 });
  const rest = {
    lastRunAt: null,
    lastExecutionId: null,
    lastStatus: null,
    lastError: null,
    skippedRuns: 0,
    lastSkippedAt: null,
    waitingSince: null,
    revision: 1,
    madeByToolName: null,
  };
  expect(made).toEqual({ ...given, ...rest, updatedAt: given.createdAt });
  expect(await database.schedules.find(given)).toEqual(made);
  const theirs = { scheduleId: given.scheduleId, tenantId: "ten_0000000000000000" };
  expect(await database.schedules.find(theirs)).toBeNull();
  expect(await database.schedules.delete(theirs)).toBe(false);
  expect(await database.schedules.settle(theirs, given.nextRuns[0] ?? new Date(), null, [])).toBe(false);
});

test("a tenant has no more of them than its bound, however many are made at once", async () => {
  const made = await Promise.all(
    Array.from({ length: 12 }, () => database.schedules.create(sample(), { ofTenant: 5, ofOwner: 1 })),
  );
  expect(made.filter((one) => one !== "ofTenant")).toHaveLength(5);
  expect(await database.schedules.list(tenantId, { scope: ALL_TOOLS, limit: 50 })).toHaveLength(5);
});

test("an owner has no more of them than its bound, however many are made at once, and sees its own alone", async () => {
  const tool = await database.tools.create(sampleTool(tenantId));
  const of = (context: object, madeByTool = tool.id) =>
    Array.from({ length: 4 }, () =>
      database.schedules.create(sample({ context, madeByTool }), { ofTenant: 50, ofOwner: 3 }),
    );
  const ann = { agentId: "one", userId: "ann" };
  const others = [{ agentId: "one" }, { userId: "ann" }, { agentId: "one", userId: "bob" }, {}];
  const made = await Promise.all([ann, ...others].flatMap((context) => of(context)).concat(of(ann, "cron")));
  expect(made.filter((one) => one === "ofOwner")).toHaveLength(6);
  const owner = { tenantId, madeByTool: tool.id, agentId: "one", userId: "ann" };
  const owned = await database.schedules.listOwned(owner);
  expect(owned.map(({ context, madeByToolName }) => [context, madeByToolName])).toEqual(
    Array.from({ length: 3 }, () => [ann, tool.name]),
  );
  const [first] = owned;
  expect(await database.schedules.listOwned(owner, first?.scheduleId)).toEqual([first]);
  expect(await database.schedules.listOwned({ ...owner, userId: null }, first?.scheduleId)).toEqual([]);
  expect(await database.schedules.listOwned({ ...owner, tenantId: "ten_0000000000000000" })).toEqual([]);
  await database.tools.delete(tenantId, tool.id);
  expect((await database.schedules.listOwned(owner))[0]?.madeByToolName).toBe(tool.id);
});

test("the tool's name is the present one, and the last one when it is gone", async () => {
  const tool = await database.tools.create(sampleTool(tenantId));
  const made = await create({ toolId: tool.id, toolName: tool.name });
  await database.tools.update(tenantId, tool.id, 1, { name: "renamed" });
  expect((await database.schedules.find(made))?.toolName).toBe("renamed");
  await database.tools.delete(tenantId, tool.id);
  expect((await database.schedules.find(made))?.toolName).toBe("renamed");
});

test("a tool's deletion pauses its schedules with the reason, and counts those that were active", async () => {
  const tool = await database.tools.create(sampleTool(tenantId));
  const made = await create({ toolId: tool.id });
  const paused = await create({ toolId: tool.id, status: "paused", nextRuns: [] });
  const other = await create();
  expect(await database.tools.delete(tenantId, tool.id)).toEqual({ schedulesPaused: 1 });
  const gone = { status: "paused", statusReason: SCHEDULE_TOOL_DELETED, nextRuns: [], revision: 2 };
  expect(await database.schedules.find(made)).toMatchObject(gone);
  expect(await database.schedules.find(paused)).toMatchObject(gone);
  expect(await database.schedules.find(other)).toEqual(other);
});

test("runs that have not ended are told by their schedule, and release what waits for them", async () => {
  const made = await create({ overlap: "queue_one" });
  const [at, next] = inSeconds(10, 20) as [Date, Date];
  const run = sampleExecution(tenantId, { scheduleId: made.scheduleId });
  await database.executions.insert(run);
  await database.executions.insert(sampleExecution(tenantId));
  expect(await database.schedules.openRuns(made)).toEqual([run.executionId]);
  await database.schedules.settle(made, at, { waitingSince: at }, [next]);
  const released = async () =>
    (await database.schedules.listReleased(50)).filter(({ scheduleId }) => scheduleId === made.scheduleId);
  expect(await released()).toEqual([]);
  const error = { code: "execution.cancelled", message: "m" } as const;
  await database.executions.endFromOutside(run, { status: "cancelled", error });
  expect(await database.schedules.openRuns(made)).toEqual([]);
  expect(await released()).toMatchObject([{ waitingSince: at, nextRuns: [next] }]);
  const made2 = { at: next, executionId: "exe_2" };
  const tries = [1, 2].map(() => database.schedules.settleWaiting(made, at, made2));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  expect(await released()).toEqual([]);
  await database.schedules.settle(made, next, { skippedAt: next }, [at]);
  expect(await database.schedules.find(made)).toMatchObject({
    lastExecutionId: "exe_2",
    waitingSince: null,
    skippedRuns: 1,
    lastSkippedAt: next,
  });
});

test("of a schedule that is paused no run waits", async () => {
  const made = await create({ overlap: "queue_one" });
  const [at, next] = inSeconds(10, 20) as [Date, Date];
  await database.schedules.settle(made, at, { waitingSince: at }, [next]);
  const paused = await database.schedules.update(made, 1, { ...made, status: "paused" }, []);
  expect(paused).toMatchObject({ status: "paused", waitingSince: null });
  expect(await database.schedules.settle(made, next, { waitingSince: next }, [])).toBe(true);
  expect((await database.schedules.find(made))?.waitingSince).toBeNull();
});

test("a change holds for one of two that begin at the same revision", async () => {
  const made = await create();
  const change = (name: string) => database.schedules.update(made, 1, { ...made, name }, null);
  const changed = await Promise.all([change("a"), change("b")]);
  expect(changed.filter((one) => one !== null)).toHaveLength(1);
  expect(await database.schedules.find(made)).toMatchObject({ revision: 2, nextRuns: made.nextRuns });
});

test("a planned run is settled by one of those who try, and the plan moves on", async () => {
  const made = await create();
  const [at] = inSeconds(10) as [Date];
  const run = { at, executionId: "exe_1" };
  const tries = [1, 2, 3].map(() => database.schedules.settle(made, at, run, inSeconds(20, 30)));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  const found = await database.schedules.find(made);
  expect(found).toMatchObject({
    lastRunAt: at,
    lastExecutionId: "exe_1",
    lastError: null,
    revision: 1,
    nextRuns: inSeconds(20, 30),
  });
});

test("an error stays on record until a run comes to an execution, and passing over a run leaves it", async () => {
  const made = await create();
  const [first, second, third] = inSeconds(10, 20, 30) as [Date, Date, Date];
  const error = { code: "tool.not_active", message: "It is disabled.", at: first };
  await database.schedules.settle(made, first, { error }, inSeconds(20));
  await database.schedules.settle(made, second, null, inSeconds(30));
  expect(await database.schedules.find(made)).toMatchObject({ lastError: error, lastRunAt: null });
  await database.schedules.settle(made, third, { at: third, executionId: "exe_2" }, inSeconds(40));
  expect(await database.schedules.find(made)).toMatchObject({ lastError: null, lastRunAt: third });
});

test("what was paused while it ran stays paused, with its run on record", async () => {
  const made = await create();
  const [at] = inSeconds(10) as [Date];
  await database.schedules.update(made, 1, { ...made, status: "paused" }, []);
  expect(await database.schedules.settle(made, at, { at, executionId: "exe_3" }, inSeconds(20))).toBe(true);
  const found = await database.schedules.find(made);
  expect(found).toMatchObject({ status: "paused", nextRuns: [], lastExecutionId: "exe_3" });
});

test("pages of what is due, and of what is active, leave nothing out", async () => {
  const made = [];
  for (const second of [3, 1, 2, 2]) made.push(await create({ nextRuns: inSeconds(second) }));
  const paused = await create();
  await database.schedules.update(paused, 1, { ...paused, status: "paused" }, []);
  const ours = new Set(made.map(({ scheduleId }) => scheduleId));

  const due = [];
  let after = null;
  for (;;) {
    const page = await database.schedules.listDue(inSeconds(2)[0] ?? new Date(), after, 1);
    after = page[0] ?? null;
    if (after === null) break;
    if (ours.has(after.scheduleId)) due.push(after.nextRunAt.getTime());
  }
  expect(due).toEqual(inSeconds(1, 2, 2).map((at) => at.getTime()));

  const active = [];
  for (let behind: string | null = null; ;) {
    const page = await database.schedules.listActive(behind, 2);
    active.push(...page.map(({ scheduleId }) => scheduleId));
    behind = page.at(-1)?.scheduleId ?? null;
    if (behind === null) break;
  }
  expect(active.filter((id) => ours.has(id))).toHaveLength(4);
  expect(active).not.toContain(paused.scheduleId);
  expect(await database.schedules.activeAmong([paused.scheduleId, ...ours])).toHaveLength(4);
});

test("the list is newest first, and a page goes on where the one before ended", async () => {
  const made = [];
  for (const ms of [1_000, 2_000, 2_000]) made.push(await create({ createdAt: new Date(ms) }));
  const page = { scope: ALL_TOOLS, limit: 2 };
  const first = await database.schedules.list(tenantId, page);
  const second = await database.schedules.list(tenantId, { ...page, before: first[1]?.scheduleId ?? "" });
  expect(second.map(({ scheduleId }) => scheduleId)).toEqual([made[0]?.scheduleId]);
});

test("to an agent, one of another's tool, for another agent or of no tool is not there", async () => {
  const toolOf = async (agentId: string | null) =>
    (await database.tools.create(sampleTool(tenantId, { agentId }))).id;
  const [tenants, ones] = [await toolOf(null), await toolOf("one")];
  let count = 0;
  const named = (name: string, toolId: string, agentId?: string) =>
    create({
      name,
      toolId,
      context: agentId === undefined ? {} : { agentId },
      createdAt: new Date((count += 1)),
    });
  const made = [
    await named("tenant's", tenants),
    await named("tenant's for one", tenants, "one"),
    await named("one's", ones),
    await named("one's for two", ones, "two"),
    await named("gone", "tool_0000000000000000"),
  ];
  const all = made.map(({ name }) => name).toReversed();
  const views: [ToolScope, (string | null)[]][] = [
    [ALL_TOOLS, all],
    [scopeOfAgent("one"), ["one's", "tenant's for one", "tenant's"]],
    [scopeOfAgent("two"), ["tenant's"]],
    [scopeOfAgent(null), ["tenant's"]],
  ];
  for (const [scope, seen] of views) {
    const page = { scope, limit: 50 };
    expect((await database.schedules.list(tenantId, page)).map(({ name }) => name)).toEqual(seen);
    for (const schedule of made) {
      const isSeen = seen.includes(schedule.name);
      expect((await database.schedules.find(schedule, scope)) !== null).toBe(isSeen);
      const behind = await database.schedules.list(tenantId, { ...page, before: schedule.scheduleId });
      if (!isSeen) expect(behind).toEqual([]);
    }
  }
});
