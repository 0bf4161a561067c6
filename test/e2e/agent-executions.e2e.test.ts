import { isDeepStrictEqual } from "node:util";
import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { meta, newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const EXECUTIONS = "/api/v1/executions";
/** Looks like an execution's id, and is none's. */
const NOBODYS = `exe_${"0".repeat(32)}`;

const product = await sharedProduct();
let tenant: AgentTenant;
/** The executions of one call of each client, the tool that it called in turn left out. */
let calls: Record<keyof AgentTenant, string>;

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  const { owner, one, two, none } = tenant;
  await createTool(owner, "inner", "return 'inner'");
  await createTool(owner, "outer", "return utils.callTool('inner')");
  await createTool(owner, "slow", "await new Promise((resolve) => setTimeout(resolve, 60_000))");
  const call = async (client: Client) =>
    (await client.post(`${TOOLS}/outer/execute`, {})).body.data.executionId as string;
  calls = { owner: await call(owner), one: await call(one), two: await call(two), none: await call(none) };
});

/** The ids in a client's list, of the tool where one is named. */
const listed = async (client: Client, query = ""): Promise<string[]> =>
  (await client.get(`${EXECUTIONS}?limit=100${query}`)).body.data.executions.map(
    ({ id }: { id: string }) => id,
  );

/** An answer without what differs between any two. */
const told = ({ status, body }: Awaited<ReturnType<Client["get"]>>) => {
  const { meta: _meta, instance: _instance, ...problem } = body;
  return { status, problem };
};

const ROUTES: [string, (client: Client, id: string) => ReturnType<Client["get"]>][] = [
  ["read", (client, id) => client.get(`${EXECUTIONS}/${id}`)],
  ["followed", (client, id) => client.get(`${EXECUTIONS}/${id}/events`)],
  [
    "followed to an end",
    (client, id) => client.get(`${EXECUTIONS}/${id}/events`, { "last-event-id": "9-9" }),
  ],
  ["asked for its tries", (client, id) => client.get(`${EXECUTIONS}/${id}/attempts`)],
  ["asked for its deliveries", (client, id) => client.get(`${EXECUTIONS}/${id}/deliveries`)],
  ["delivered again", (client, id) => client.post(`${EXECUTIONS}/${id}/deliveries/1/redeliver`)],
  ["cancelled", (client, id) => client.post(`${EXECUTIONS}/${id}/cancel`)],
  ["replayed", (client, id) => client.post(`${EXECUTIONS}/${id}/replay`)],
];

describe("to an agent's key, a call that was made for another agent or for none", () => {
  test.each(ROUTES)("can't be %s: it is not there", async (_, ask) => {
    const { one, two, none, owner } = tenant;
    const nothing = told(await ask(two, NOBODYS));
    expect(nothing).toMatchObject({ status: 404, problem: { code: "execution.not_found" } });
    for (const id of [calls.one, calls.owner, calls.none]) expect(told(await ask(two, id))).toEqual(nothing);
    for (const client of [one, none, owner])
      expect((await ask(client, calls.one)).body.code).not.toBe("execution.not_found");
  });

  test("goes on, whoever else would cancel it", async () => {
    const { one, two } = tenant;
    const { executionId } = (await one.post(`${TOOLS}/slow/execute`, { mode: "async" })).body.data;
    expect((await two.post(`${EXECUTIONS}/${executionId}/cancel`)).status).toBe(404);
    expect(["queued", "running"]).toContain((await one.get(`${EXECUTIONS}/${executionId}`)).body.data.status);
    const cancelled = await one.post(`${EXECUTIONS}/${executionId}/cancel`);
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, "cancelled"]);
  });
});

describe("a list", () => {
  test("shows an agent's key its own agent's calls, with what they called, and others all", async () => {
    const { owner, one, two, none } = tenant;
    const all = await listed(owner);
    expect(all).toEqual(expect.arrayContaining(Object.values(calls)));
    // What was replayed may still be calling others.
    await until(async () => isDeepStrictEqual(await listed(none), await listed(owner)), {
      what: "a key without an agent sees the same",
    });
    const [ones, twos] = [await listed(one), await listed(two)];
    expect(ones).toContain(calls.one);
    expect(twos).toContain(calls.two);
    for (const id of [calls.two, calls.owner, calls.none]) expect(ones).not.toContain(id);
    expect(ones.filter((id) => twos.includes(id))).toEqual([]);
    const [nested] = await listed(one, "&tool=inner");
    expect((await one.get(`${EXECUTIONS}/${nested}`)).body.data.parentId).toBeDefined();
    expect((await two.get(`${EXECUTIONS}/${nested}`)).status).toBe(404);
  });

  test("is paged over the agent's own calls alone", async () => {
    const { owner, one } = tenant;
    const isOver = async () =>
      (await owner.get(`${EXECUTIONS}?limit=100`)).body.data.executions.every(
        ({ finishedAt }: { finishedAt?: string }) => finishedAt !== undefined,
      );
    await until(isOver, { what: "what was replayed calls nothing any more" });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const behind: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = (await one.get(`${EXECUTIONS}?limit=1${behind}`)).body.data;
      seen.push(...page.executions.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(await listed(one));
  });
});

test("a person's call for an agent is that agent's too", async () => {
  const { owner, one, two } = tenant;
  const call = { context: { agentId: "one" } };
  const { executionId } = (await owner.post(`${TOOLS}/inner/execute`, call)).body.data;
  expect((await one.get(`${EXECUTIONS}/${executionId}`)).body.data.result).toBe("inner");
  expect((await two.get(`${EXECUTIONS}/${executionId}`)).status).toBe(404);
});

test("an agent's key replays by filter what its own agent called, and nothing else", async () => {
  const { owner, one, two } = tenant;
  const tool = await createTool(owner, "replayed", "return 1");
  const callIt = async (client: Client) =>
    (await client.post(`${TOOLS}/replayed/execute`, {})).body.data.executionId;
  const [ones, owners] = [await callIt(one), await callIt(owner)];
  const replay = async (client: Client) =>
    (
      await client.post(`${EXECUTIONS}/replay`, { tool: tool.id, status: "succeeded" })
    ).body.data.executions.map(({ replayOf }: { replayOf: string }) => replayOf);
  expect(await replay(two)).toEqual([]);
  expect(await replay(one)).toEqual([ones]);
  expect(await replay(owner)).toContain(owners);
});

test("an agent's repeated call is answered with its first one", async () => {
  const { one } = tenant;
  const headers = { "idempotency-key": "again" };
  const call = () => one.post(`${TOOLS}/inner/execute`, {}, headers);
  const [first, second] = [await call(), await call()];
  expect(second.body.data).toMatchObject({ executionId: first.body.data.executionId, result: "inner" });
});

test("calls that wait for a person are shown to their own agent and to people", async () => {
  const { owner, one, two } = tenant;
  const asking = { approval: { default: "ask", metaTools: "ask" } };
  await owner.patch("/api/v1/tenant/settings", asking);
  const asked = await one.post(`${TOOLS}/inner/execute`, {});
  const made = await meta(one, "create_tool", {
    name: "asked_for",
    description: "d",
    parameters: '{"type":"object","properties":{}}',
    code: "return 1",
  });
  expect([asked.status, made.status]).toEqual([202, 202]);
  const waiting = async (client: Client): Promise<string[]> =>
    (await client.get("/api/v1/approvals")).body.data.approvals.map(({ id }: { id: string }) => id);
  const ids = await until(async () => ((await waiting(owner)).length === 2 ? waiting(owner) : null), {
    what: "both wait",
  });
  expect(await waiting(one)).toEqual(ids);
  expect(await waiting(two)).toEqual([]);
  for (const id of ids) {
    const answer = await two.get(`/api/v1/approvals/${id}`);
    expect([answer.status, answer.body.code]).toEqual([404, "approval.not_found"]);
    expect((await one.get(`/api/v1/approvals/${id}`)).status).toBe(200);
  }
});
