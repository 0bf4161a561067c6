import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
const TOOLS = "/api/v1/custom-tools";
const SCHEDULES = "/api/v1/schedules";
/** Plans far ahead: nothing comes of it by itself. */
const YEARLY = { cron: "0 0 1 1 *" };
const LET = {
  approval: { default: "preApproved", metaTools: "preApproved", tools: { cron: "preApproved" } },
};

let owner: Client;
let agent: Client;
let other: Client;
let stranger: Client;

const settings = (client: Client, change: object) => client.patch("/api/v1/tenant/settings", change);
const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`${TOOLS}/${tool}/execute`, { arguments: args, context });
const cron = async (client: Client, args: object, context: object = {}) =>
  (await call(client, "cron", args, context)).body.data;
const create = async (client: Client, args: object = {}, context: object = {}) => {
  const { status, result, error } = await cron(
    client,
    { action: "create", tool: "tick", ...YEARLY, ...args },
    context,
  );
  expect([status, error]).toEqual(["succeeded", undefined]);
  return result;
};
const idsOf = async (client: Client, context: object = {}): Promise<string[]> =>
  (await cron(client, { action: "list" }, context)).result.schedules.map(({ id }: { id: string }) => id);
const refusal = async (client: Client, args: object) => {
  const { status, error } = await cron(client, args);
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  return error.message;
};
const read = async (id: string, by = owner) => (await by.get(`${SCHEDULES}/${id}`)).body.data;
const keyOf = async (client: Client, tenantId: string) => {
  const made = await client.post(`/api/v1/tenants/${tenantId}/api-keys`, {
    name: "bot",
    role: "agent",
    agentId: "one",
  });
  return { id: made.body.data.id, client: new Client(product.url, made.body.data.key) };
};

beforeAll(async () => {
  const tenants = await Promise.all([newAgentTenant(product), newAgentTenant(product)]);
  ({ owner, one: agent, two: other } = tenants[0]);
  ({ one: stranger } = tenants[1]);
  for (const { owner: each } of tenants) {
    await settings(each, LET);
    await createTool(each, "tick", "return { n: args.n, context };", {
      parameters: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
    });
  }
});

// Two of them wait for ticks, so they wait together: each has users or a tenant of its own.
describe.concurrent("schedules of tools", () => {
  test("cron makes, lists, changes, pauses, resumes and removes its caller's schedules", async () => {
    const cat = { userId: "cat" };
    const made = await create(agent, { arguments: { n: 1 }, name: "New Year", timeZone: "Europe/Oslo" }, cat);
    expect(made).toMatchObject({
      tool: "tick",
      status: "active",
      name: "New Year",
      arguments: { n: 1 },
      ...YEARLY,
    });
    expect(made.nextRuns).toHaveLength(5);
    const { id } = made;
    expect(await idsOf(agent, cat)).toEqual([id]);
    const change = { action: "update", id, everyMs: 3_600_000, arguments: { n: 2 } };
    expect((await cron(agent, change, cat)).result).toMatchObject({
      everyMs: 3_600_000,
      arguments: { n: 2 },
    });
    expect((await cron(agent, { action: "pause", id }, cat)).result).toMatchObject({
      status: "paused",
      nextRuns: [],
    });
    expect((await cron(agent, { action: "resume", id }, cat)).result).toMatchObject({ status: "active" });
    expect(await read(id)).toMatchObject({
      madeByTool: "cron",
      madeByToolName: "cron",
      context: { agentId: "one" },
    });
    const { entries } = (await owner.get("/api/v1/audit?action=schedule.created")).body.data;
    expect(entries.find(({ subject }: { subject: { id: string } }) => subject.id === id)).toMatchObject({
      actor: { role: "agent", agentId: "one" },
      details: { madeByTool: "cron" },
    });
    expect((await cron(agent, { action: "remove", id }, cat)).result).toEqual({ removed: true });
    expect((await cron(agent, { action: "remove", id }, cat)).result).toEqual({ removed: false });
    expect(await idsOf(agent, cat)).toEqual([]);
  });

  test("nobody sees another tenant's, agent's or user's", async () => {
    const ann = { userId: "ann" };
    const { id } = await create(agent, {}, ann);
    const askers: [Client, object][] = [
      [agent, { userId: "bob" }],
      [other, ann],
      [stranger, ann],
      [owner, ann],
    ];
    for (const [client, context] of askers) {
      expect(await idsOf(client, context)).not.toContain(id);
      for (const action of ["update", "pause"]) {
        const { error } = await cron(
          client,
          { action, id, ...(action === "update" && { name: "x" }) },
          context,
        );
        expect(error.message).toMatch(/no schedule with this id/);
      }
      expect((await cron(client, { action: "remove", id }, context)).result).toEqual({ removed: false });
    }
    expect(await idsOf(agent, ann)).toEqual([id]);
    await cron(agent, { action: "remove", id }, ann);
  });

  test.each([
    [{ action: "create", ...YEARLY }, /tool: /],
    [{ action: "create", tool: "tick" }, /^cron: or everyMs must be given/],
    [{ action: "create", tool: "tick", cron: "no" }, /cron: /],
    [{ action: "create", tool: "tick", ...YEARLY, timeZone: "Mars" }, /timeZone: /],
    [{ action: "create", tool: "tick", ...YEARLY, arguments: { n: "a" } }, /arguments\.n/],
    [{ action: "create", tool: "tick", ...YEARLY, id: "sch_1" }, /id/],
    [{ action: "create", tool: "nothing", ...YEARLY }, /no tool "nothing"/],
    [{ action: "create", tool: "cron", ...YEARLY }, /no tool "cron"/],
    [{ action: "update", name: "a" }, /id: /],
    [{ action: "list", id: "sch_1" }, /id/],
  ])("%j fails in words that a model can use", async (args, words) => {
    expect(await refusal(agent, args)).toMatch(words);
  });

  test.each([
    [{}, /required/],
    [{ action: "run" }, /action/],
    [{ action: "create", tool: "tick", everyMs: 999 }, /everyMs/],
    [{ action: "create", tool: "tick", ...YEARLY, context: { agentId: "two" } }, /context|additional/],
  ])("%j is refused by the schema", async (args, words) => {
    const { status, body } = await call(agent, "cron", args);
    expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
    expect(JSON.stringify(body.errors)).toMatch(words);
  });

  test("[G9] code plans calls for its caller, itself too, with what is secret covered; its schedules are its own", async () => {
    const planner = await createTool(
      owner,
      "planner",
      `if (args.remove) return utils.schedule.remove(args.remove);
     const token = "ghp_" + "a1B2".repeat(9);
     const made = await utils.schedule.create({ tool: "planner", arguments: { token }, everyMs: 86_400_000 });
     const refused = await utils.schedule.create({ tool: "tick", everyMs: 5 }).catch(({ code, message }) => [code, message]);
     return { made, refused, listed: await utils.schedule.list() };`,
      { permissions: ["scheduling"], parameters: { type: "object" } },
    );
    const { result } = (await call(agent, "planner", {})).body.data;
    expect(result.made).toMatchObject({ covered: true, arguments: { token: "[REDACTED]" } });
    expect(result.refused).toEqual(["invalid_request", expect.stringContaining("everyMs")]);
    expect(result.listed.map(({ id }: { id: string }) => id)).toEqual([result.made.id]);
    expect(await read(result.made.id)).toMatchObject({ madeByTool: planner.id, madeByToolName: "planner" });
    expect(await idsOf(agent)).not.toContain(result.made.id);
    const removed = await call(agent, "planner", { remove: result.made.id });
    expect(removed.body.data.result).toEqual({ removed: true });
    await createTool(owner, "silent", "return typeof utils.schedule");
    expect((await call(owner, "silent", {})).body.data.result).toBe("undefined");
  });

  test("an agent needs a word of cron by name, and a policy shows and hides it", async () => {
    const { owner: boss, one } = await newAgentTenant(product);
    await settings(boss, { approval: { tools: {} } });
    expect((await call(one, "cron", { action: "list" })).body.data.status).toBe("awaiting_approval");
    await settings(boss, { approval: { tools: { cron: "blocked" } } });
    expect((await call(one, "cron", { action: "list" })).body.code).toBe("tool.blocked");
    await settings(boss, LET);
    const shown = async (): Promise<string[]> =>
      (await one.get("/api/v1/built-in-tools")).body.data.tools.map(({ name }: { name: string }) => name);
    const put = (policy: object) =>
      boss.raw("PUT", "/api/v1/policy", JSON.stringify(policy), { "content-type": "application/json" });
    await put({ deny: ["group:automation"] });
    expect(await shown()).not.toContain("cron");
    expect((await call(one, "cron", { action: "list" })).body.code).toBe("tool.not_found");
    await put({ allow: ["cron"] });
    expect(await shown()).toContain("cron");
    expect(JSON.stringify((await one.get(`${TOOLS}/active/definitions`)).body)).toContain('"cron"');
    expect((await boss.get("/api/v1/me")).body.data.features.schedule).toBe(true);
    const { tools } = (await boss.get("/api/v1/built-in-tools")).body.data;
    expect(tools.find(({ name }: { name: string }) => name === "cron")).toMatchObject({
      group: "automation",
      permission: "scheduling",
      letBy: "name",
      engine: { available: true, missing: null },
    });
  });

  test("[G16] what an agent's run made fires as that agent: for its user, by its policy, and waiting where it would wait", async () => {
    const { owner: boss, one } = await newAgentTenant(product);
    await settings(boss, LET);
    await createTool(boss, "tick", "return context;");
    await createTool(boss, "asks", "return 1;", { requiresApproval: true });
    expect(await refusal(one, { action: "create", tool: "asks", everyMs: 1_000 })).toMatch(
      /person's confirmation/,
    );
    const { id } = await create(one, { cron: undefined, everyMs: 1_000 }, { userId: "ann" });
    const seen = (what: object) =>
      until(
        async () => {
          const schedule = await read(id, boss);
          const run = `/api/v1/executions/${schedule.lastExecutionId}`;
          const last = schedule.lastExecutionId && (await boss.get(run)).body.data;
          try {
            expect({ ...schedule, last }).toMatchObject(what);
            return true;
          } catch {
            return false;
          }
        },
        { what: JSON.stringify(what) },
      );
    await seen({ last: { status: "succeeded", result: { agentId: "one", userId: "ann" } } });
    await settings(boss, { approval: { tools: { cron: "preApproved", tick: "ask" } } });
    await seen({ last: { status: "awaiting_approval" } });
    await settings(boss, { approval: { tools: { cron: "preApproved", tick: "blocked" } } });
    await boss.patch(`${SCHEDULES}/${id}`, { overlap: "allow" });
    await seen({ lastError: { code: "tool.blocked" } });
    await settings(boss, LET);
    await boss.raw("PUT", "/api/v1/policy", JSON.stringify({ agents: { one: { deny: ["tick"] } } }), {
      "content-type": "application/json",
    });
    await seen({ lastError: { code: "tool.not_found" }, status: "active" });
    await boss.delete(`${SCHEDULES}/${id}`);
  });

  test("a schedule whose key is gone runs no more, and another key can't have it changed", async () => {
    const { id: tenantId, owner: boss } = await newTenant(product);
    await settings(boss, LET);
    await createTool(boss, "tick", "return 1;");
    const [maker, heir] = await Promise.all([keyOf(boss, tenantId), keyOf(boss, tenantId)]);
    const { id } = await create(maker.client, { cron: undefined, everyMs: 1_000 });
    for (const args of [{ action: "update", name: "mine" }, { action: "resume" }])
      expect(await refusal(heir.client, { ...args, id })).toMatch(/another; make one of your own/);
    await boss.delete(`/api/v1/tenants/${tenantId}/api-keys/${maker.id}`);
    await until(async () => (await read(id, boss)).status === "paused", { what: "its pause" });
    expect(await read(id, boss)).toMatchObject({
      statusReason: "The API key whose call made it is gone or has expired.",
      lastError: { code: "schedule.key_gone" },
      nextRuns: [],
    });
    expect((await boss.post(`${SCHEDULES}/${id}/resume`)).body.code).toBe("schedule.key_gone");
    expect((await cron(heir.client, { action: "remove", id })).result).toEqual({ removed: true });
  });

  test("an access token, which schedules would outlive, makes none, by another tool neither", async () => {
    const code = `return utils.schedule.create({ tool: "tick", cron: "0 0 1 1 *" }).catch(({ message }) => message);`;
    await createTool(owner, "inner", code, { permissions: ["scheduling"] });
    await createTool(owner, "outer", `return utils.callTool("inner");`);
    const minted = await owner.post("/api/v1/access-tokens", {
      scope: { tools: ["cron", "outer"], operations: ["execute", "read"] },
      expiresInSeconds: 60,
    });
    expect(minted.status).toBe(201);
    const bearer = new Client(product.url, minted.body.data.token);
    expect(await refusal(bearer, { action: "create", tool: "tick", ...YEARLY })).toMatch(/access token/);
    expect((await call(bearer, "outer", {})).body.data.result).toMatch(/access token/);
    expect((await call(owner, "outer", {})).body.data.result).toMatchObject({ tool: "tick" });
  });
});
