import { newAgentTenant } from "../support/agents.ts";
import { everyNth, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { type Client, createTool } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;

const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;
const DATA = { permissions: ["database"] };

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
});

const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (tool: string, args: object = {}, context: object = {}, client = agent) =>
  (await call(client, tool, args, context)).body.data;
const settings = (changed: object) => owner.patch("/api/v1/tenant/settings", changed);
const put = (path: string, body: object) =>
  owner.raw("PUT", `/api/v1${path}`, JSON.stringify(body), { "content-type": "application/json" });

test("an agent keeps, finds, changes and removes documents, each call an execution with a bill", async () => {
  product.showLogsIfTestFails();
  const made = await run("data_put", { collection: "people", id: "ann", value: { age: 33, tags: ["x"] } });
  expect(made.result).toMatchObject({ document: { id: "ann", version: 1, expiresAt: null }, created: true });
  expect(made.metadata.usage).toMatchObject({ capabilityCalls: 1, networkRequests: 0 });
  const bob = { collection: "people", id: "bob", value: { age: 22 }, ttlSeconds: 600 };
  expect((await run("data_put", bob)).result.document.expiresAt).toEqual(expect.any(String));
  expect((await run("data_get", { collection: "people", id: "ann" })).result.document).toMatchObject({
    value: { age: 33, tags: ["x"] },
    version: 1,
  });
  expect((await run("data_get", { collection: "people", id: "zoe" })).result).toEqual({ document: null });
  const found = await run("data_query", { collection: "people", orderBy: "age", limit: 1 });
  expect(found.result.documents).toMatchObject([{ id: "bob" }]);
  const { nextCursor: cursor } = found.result;
  const next = await run("data_query", { collection: "people", orderBy: "age", cursor });
  expect(next.result).toMatchObject({ documents: [{ id: "ann" }], nextCursor: null });
  const where = { age: { gt: 30 }, tags: { contains: "x" } };
  expect((await run("data_query", { collection: "people", where })).result.documents).toHaveLength(1);
  const stale = await run("data_put", { collection: "people", id: "ann", value: 1, ifVersion: 2 });
  expect(stale.error.message).toMatch(/"ann" has version 1/);
  expect((await run("data_remove", { collection: "people", id: "ann", ifVersion: 1 })).result).toEqual({
    removed: true,
  });
  expect((await run("data_remove", { collection: "people", id: "ann" })).result).toEqual({ removed: false });
});

test("an agent works towards goals by steps, and completes them", async () => {
  const steps = ["look", "write"];
  const { goal } = (await run("goals", { action: "create", title: "A report", steps })).result;
  expect(goal).toMatchObject({ status: "open", progress: 0, steps: [{ id: 1, text: "look" }, { id: 2 }] });
  const { id } = goal;
  const changed = await run("goals", {
    action: "update",
    id,
    doneSteps: [1],
    addSteps: ["send"],
    note: "half way",
  });
  expect(changed.result.goal).toMatchObject({ progress: 33, note: "half way", steps: { length: 3 } });
  expect((await run("goals", { action: "list" })).result.goals).toMatchObject([{ id, progress: 33 }]);
  expect((await run("goals", { action: "list" }, {}, other)).result.goals).toEqual([]);
  expect((await run("goals", { action: "list" }, { userId: "ann" })).result.goals).toEqual([]);
  const done = await run("goals", { action: "complete", id });
  expect(done.result.goal).toMatchObject({ status: "completed", progress: 100 });
  expect((await run("goals", { action: "list" })).result.goals).toEqual([]);
  expect((await run("goals", { action: "list", status: "all" })).result.goals).toHaveLength(1);
  const reopened = await run("goals", { action: "update", id, reopen: true, openSteps: [3] });
  expect(reopened.result.goal).toMatchObject({ status: "open", progress: 66, completedAt: null });
  const plain = (await run("goals", { action: "create", title: "b" })).result.goal;
  expect((await run("goals", { action: "update", id: plain.id, progress: 40 })).result.goal.progress).toBe(
    40,
  );
  expect((await run("goals", { action: "remove", id })).result).toEqual({ removed: true });
  // Nothing else writes where they are; people see them.
  const seen = await owner.get("/api/v1/data/%24goals?agentId=one");
  expect(seen.body.data.documents).toMatchObject([{ id: plain.id, value: { title: "b" } }]);
  expect((await put(`/data/%24goals/${plain.id}`, { value: 1 })).body.code).toBe("data.reserved");
});

test("each refuses what its schema does not allow", async () => {
  const bad: [string, object, RegExp][] = [
    ["data_get", { collection: "a" }, /required/],
    ["data_get", { collection: 1, id: "a" }, /collection/],
    ["data_get", { collection: "a", id: "" }, /id/],
    ["data_put", { collection: "a", id: "a" }, /required/],
    ["data_put", { collection: "a", id: "a", value: 1, ifVersion: -1 }, /ifVersion/],
    ["data_put", { collection: "a", id: "a", value: 1, ttlSeconds: 0 }, /ttlSeconds/],
    ["data_put", { collection: "a", id: "a", value: 1, scope: "tenant" }, /additional|unknown|not allowed/i],
    ["data_query", {}, /required/],
    ["data_query", { collection: "a", where: [] }, /where/],
    ["data_query", { collection: "a", limit: 201 }, /limit/],
    ["data_remove", { collection: "a" }, /required/],
    ["data_remove", { collection: "a", id: 1 }, /id/],
    ["data_remove", { collection: "a", id: "a", ifVersion: 0 }, /ifVersion/],
    ["goals", {}, /required/],
    ["goals", { action: "drop" }, /action/],
    ["goals", { action: "create", title: "" }, /title/],
  ];
  await Promise.all(
    bad.map(async ([tool, args, message]) => {
      const { status, body } = await call(agent, tool, args);
      expect([status, body.code], tool).toEqual([400, "tool.arguments_invalid"]);
      expect(JSON.stringify(body.errors)).toMatch(message);
    }),
  );
});

test("what can't be done fails in words that a model can use", async () => {
  const bad: [string, object, RegExp][] = [
    ["data_get", { collection: "../x", id: "a" }, /collection must be/],
    ["data_get", { collection: "$goals", id: "a" }, /collection must be/],
    ["data_put", { collection: "a", id: "nul\u0000", value: 1 }, /NUL/],
    ["data_put", { collection: "a", id: "a", value: "x".repeat(65_536) }, /65536 bytes at most/],
    ["data_put", { collection: "$goals", id: "a", value: 1 }, /written by the tool goals/],
    ["data_query", { collection: "a", where: { b: { like: "x" } } }, /where\.b\.like/],
    ["data_query", { collection: "a", cursor: "x" }, /cursor/],
    ["data_remove", { collection: "a", id: "a", ifVersion: 3 }, /is not there/],
    ["goals", { action: "create" }, /title/],
    ["goals", { action: "list", id: "x" }, /unrecognized|id/i],
    ["goals", { action: "complete", id: "goal_none" }, /no goal/],
  ];
  await Promise.all(
    everyNth(bad, 2).map(async ([tool, args, message]) => {
      const { status, error } = await run(tool, args);
      expect([status, error.code], tool).toEqual(["failed", "tool.threw"]);
      expect(error.message).toMatch(message);
    }),
  );
});

test("what is secret is kept covered, and the answer says so", async () => {
  const kept = await run("data_put", { collection: "s", id: "a", value: { note: `x ${VENDOR_TOKEN}` } });
  expect(kept.result).toMatchObject({ covered: true });
  const seen = await owner.get("/api/v1/data/s/a?agentId=one");
  expect(seen.body.data).toMatchObject({ value: { note: "x [REDACTED]" }, createdBy: kept.executionId });
});

test("two users of an agent, two agents and two tenants have their own, but for what the owner shares", async () => {
  const ann = { userId: "ann" };
  const who = { collection: "who", id: "a" };
  await run("data_put", { ...who, value: "ann" }, ann);
  await run("data_put", { ...who, value: "agent" });
  const seen = async (context: object = {}, client = agent) =>
    (await run("data_get", who, context, client)).result.document?.value;
  expect([await seen(ann), await seen(), await seen({ userId: "bob" })]).toEqual(["ann", "agent", undefined]);
  expect([await seen({}, other), await seen(ann, other)]).toEqual([undefined, undefined]);
  const { one: stranger } = await newAgentTenant(product);
  expect([await seen({}, stranger), await seen(ann, stranger)]).toEqual([undefined, undefined]);
  await settings({ data: { shared: { who: "tenant" } } });
  await run("data_put", { ...who, value: "all" }, ann);
  expect([await seen({ userId: "bob" }), await seen({}, other)]).toEqual(["all", "all"]);
  expect(await seen(ann, stranger)).toBeUndefined();
  await settings({ data: { shared: {} } });
  expect([await seen(ann), await seen({}, other)]).toEqual(["ann", undefined]);
});

test("the policy takes them away by their groups, and approval rules look at their arguments", async () => {
  await settings({
    approval: {
      tools: { data_remove: "blocked" },
      rules: [{ tool: "data_put", argument: "/collection", pattern: "secret*", decision: "blocked" }],
    },
  });
  const codeOf = async (tool: string, args: object) => (await call(agent, tool, args)).body.code;
  expect(await codeOf("data_put", { collection: "secret", id: "a", value: 1 })).toBe("tool.blocked");
  expect(await codeOf("data_put", { collection: "open", id: "a", value: 1 })).toBeUndefined();
  expect(await codeOf("data_remove", { collection: "open", id: "a" })).toBe("tool.blocked");
  await settings({ approval: { tools: {}, rules: [] } });
  const shown = async () =>
    (await agent.get("/api/v1/custom-tools/active/definitions")).body.data.tools.map(
      ({ name }: { name: string }) => name,
    );
  expect((await put("/policy", { allow: ["group:data"], deny: ["data_remove"] })).status).toBe(200);
  expect((await shown()).toSorted()).toEqual(["data_get", "data_put", "data_query"]);
  expect(await codeOf("goals", { action: "list" })).toBe("tool.not_found");
  expect((await put("/policy", { allow: ["group:goals"] })).status).toBe(200);
  expect(await shown()).toEqual(["goals"]);
  expect(await codeOf("data_get", { collection: "a", id: "a" })).toBe("tool.not_found");
  await put("/policy", {});
  expect(await shown()).toEqual([]);
});

test("[G9] a tool with the permission has utils.data, another has nothing", async () => {
  await createTool(
    owner,
    "counts",
    `const data = utils.data("stats");
    const made = await data.put("a", { n: 1, at: [1, null] }, { ifVersion: 0 });
    const again = await data.put("a", 1, { ifVersion: 0 }).catch(({ name, code }) => [name, code]);
    const sums = await Promise.all(Array.from({ length: 10 }, () => data.increment("visits")));
    const { value } = await data.increment("a", 1.5, { path: "n" });
    const text = await data.increment("a", 1, { path: "at" }).catch(({ code }) => code);
    const { documents } = await data.query({ where: { n: { gte: 2 } } });
    const count = await data.count();
    const none = await data.get("none");
    const kept = await data.get("a");
    const nothing = await data.put("x", undefined).catch(({ message }) => message);
    const unknown = await data.get("a", 1).then(() => data.remove("a", { force: true })).catch(({ code }) => code);
    const { removed } = await data.remove("a");
    return { made: [made.created, made.document.version], again, top: Math.max(...sums.map((one) => one.value)), value, text,
      found: documents.map(({ id }) => id), count, none, kept: kept.value, nothing, unknown, removed };`,
    DATA,
  );
  const { result, error, metadata } = await run("counts", {}, {}, owner);
  expect(error).toBeUndefined();
  expect(result).toEqual({
    made: [true, 1],
    again: ["Error", "conflict"],
    top: 10,
    value: 2.5,
    text: "conflict",
    found: ["a"],
    count: 2,
    none: null,
    kept: { n: 2.5, at: [1, null] },
    nothing: "utils.data.put: value must be a JSON value",
    unknown: "invalid_request",
    removed: true,
  });
  expect(metadata.usage.capabilityCalls).toBe(21);
  await createTool(owner, "bare", "return [typeof utils.data, await utils.callTool('data_get', args)];");
  const bare = await run("bare", { collection: "stats", id: "visits" }, {}, owner);
  expect(bare.error.message).toContain("has no database permission");
});

test("the list of built-in tools tells what each needs, and that its engine is there", async () => {
  const { tools } = (await owner.get("/api/v1/built-in-tools")).body.data;
  expect(tools.find(({ name }: { name: string }) => name === "data_query")).toMatchObject({
    group: "data",
    permission: "database",
    letBy: "policy",
    annotations: { readOnlyHint: true },
    engine: { available: true, missing: null },
  });
  expect((await owner.get("/api/v1/me")).body.data.features.data).toBe(true);
});
