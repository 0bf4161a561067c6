import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let viewer: Client;
let stranger: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  viewer = await newClient(product, tenant.id, "viewer");
  stranger = (await newTenant(product)).owner;
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
/** Plans far ahead: nothing comes of it by itself. */
const YEARLY = { cron: "0 0 1 1 *" };

test("a change of the plan counts from now, and other changes leave it", async () => {
  const { id, nextRuns } = await create({ cron: "0 9 * * MON", timeZone: "Europe/Berlin" });
  const change = async (body: object) => (await owner.patch(`${PATH}/${id}`, body)).body.data;
  expect(await change({ name: "weekly", arguments: { n: 1 } })).toMatchObject({ name: "weekly", nextRuns });
  const inUtc = await change({ timeZone: "UTC" });
  expect(inUtc).toMatchObject({ cron: "0 9 * * MON", timeZone: "UTC" });
  expect(inUtc.nextRuns).not.toEqual(nextRuns);
  const hourly = await change({ everyMs: 3_600_000 });
  expect(hourly).toMatchObject({ everyMs: 3_600_000 });
  expect(hourly).not.toHaveProperty("cron");
  expect(hourly).not.toHaveProperty("timeZone");
  expect(await change({ name: null })).not.toHaveProperty("name");
  const { status, body } = await owner.patch(`${PATH}/${id}`, { timeZone: "UTC" });
  expect([status, body.errors[0].path]).toEqual([400, "timeZone"]);
});

describe("a schedule is refused", () => {
  test.each([
    ["a cron pattern that is none", { cron: "61 * * * *" }, "cron"],
    ["a day's name as its month", { cron: "0 0 * mon *" }, "cron"],
    ["one that never comes", { cron: "0 0 30 2 *" }, "cron"],
    ["neither cron nor everyMs", {}, "cron"],
    ["both of them", { cron: "* * * * *", everyMs: 1_000 }, "cron"],
    ["a time zone that is none", { cron: "* * * * *", timeZone: "Mars/Phobos" }, "timeZone"],
    ["an interval that is too short", { everyMs: 999 }, "everyMs"],
    ["an interval that is too long", { everyMs: 40_000_000_000 }, "everyMs"],
    ["arguments that don't fit the tool", { everyMs: 1_000, arguments: { n: "x" } }, "arguments.n"],
    ["arguments that are too large", { everyMs: 1_000, arguments: { n: "x".repeat(70_000) } }, "arguments"],
    ["an unknown field", { everyMs: 1_000, every: 1 }, "every"],
    ["an unknown overlap", { everyMs: 1_000, overlap: "never" }, "overlap"],
    ["an unknown policy", { everyMs: 1_000, missedRuns: "all" }, "missedRuns"],
  ])("with 400 for %s", async (_what, body, path) => {
    const { status, body: problem } = await owner.post(PATH, { tool: "tick", ...body });
    expect({ status, paths: problem.errors?.map((error: { path: string }) => error.path) }).toEqual({
      status: 400,
      paths: [path],
    });
  });

  test("with 404 for a tool that is not there, one of another tenant too", async () => {
    expect((await owner.post(PATH, { tool: "nowhere", ...YEARLY })).body.code).toBe("tool.not_found");
    const builtIn = (await owner.post(PATH, { tool: "read_file", ...YEARLY })).body;
    expect([builtIn.code, builtIn.detail]).toEqual([
      "tool.not_found",
      expect.stringContaining("utils.callTool"),
    ]);
    expect((await stranger.post(PATH, { tool: "tick", ...YEARLY })).body.code).toBe("tool.not_found");
  });
});

test("what a schedule does about overlapping runs is said in its answer", async () => {
  expect(await create({ everyMs: 40_000_000 })).toMatchObject({ overlap: "skip" });
  const { id, ...made } = await create(YEARLY);
  expect(made).toMatchObject({ overlap: "allow", skippedRuns: 0 });
  const changed = await owner.patch(`${PATH}/${id}`, { overlap: "queue_one" });
  expect(changed.body.data).toMatchObject({ overlap: "queue_one", nextRuns: made.nextRuns });
});

test("a run that is asked for under an Idempotency-Key is made once", async () => {
  const { id } = await create({ ...YEARLY, arguments: { n: 7 } });
  const key = { "idempotency-key": `run-${id}` };
  const run = (of: string) => owner.post(`${PATH}/${of}/run`, undefined, key);
  const answers = await Promise.all([run(id), run(id), run(id)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  const [executionId, ...others] = new Set(answers.map(({ body }) => body.data.executionId));
  expect(others).toEqual([]);
  await expect
    .poll(async () => (await run(id)).body.data, { timeout: 20_000 })
    .toMatchObject({ executionId, status: "succeeded" });
  const { body } = await owner.get("/api/v1/audit?action=schedule.run&limit=200");
  const told = body.data.entries.filter(({ subject }: { subject: { id: string } }) => subject.id === id);
  expect(told).toHaveLength(1);
  const second = await create(YEARLY);
  expect((await run(second.id)).body.code).toBe("idempotency.conflict");
  const unkeyed = await owner.post(`${PATH}/${id}/run`);
  expect(unkeyed.body.data.executionId).not.toBe(executionId);
});

test("another tenant's schedule does not exist", async () => {
  const { id } = await create(YEARLY);
  const calls = [
    stranger.get(`${PATH}/${id}`),
    stranger.patch(`${PATH}/${id}`, { name: "mine" }),
    stranger.delete(`${PATH}/${id}`),
    ...["pause", "resume", "run"].map((move) => stranger.post(`${PATH}/${id}/${move}`)),
  ];
  for (const { status, body } of await Promise.all(calls))
    expect([status, body.code]).toEqual([404, "schedule.not_found"]);
  expect((await stranger.get(PATH)).body.data).toEqual({ schedules: [], nextCursor: null });
  expect((await read(id)).status).toBe("active");
});

test("a viewer reads schedules and changes none", async () => {
  const { id } = await create(YEARLY);
  expect((await viewer.get(`${PATH}/${id}`)).status).toBe(200);
  expect((await viewer.post(PATH, { tool: "tick", ...YEARLY })).status).toBe(403);
  expect((await viewer.post(`${PATH}/${id}/run`)).status).toBe(403);
});

test("the list goes on page by page, newest first", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await create(YEARLY)).id);
  const { schedules, nextCursor } = (await owner.get(`${PATH}?limit=2`)).body.data;
  expect(schedules.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
  const second = (await owner.get(`${PATH}?limit=2&cursor=${nextCursor}`)).body.data;
  expect(second.schedules[0].id).toBe(ids[2]);
});
