import { everyNth, sharedProduct, type SseEvent, type SseReader } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool, meta, newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";
import { closeWatchedEvents, watchEvents } from "../support/tenant-events.ts";

const TOOLS = "/api/v1/custom-tools";
const SCHEDULES = "/api/v1/schedules";
const STANDING = "/api/v1/approvals/standing";
/** Looks like a schedule's id, and is none's. */
const NOBODYS = `sch_${"0".repeat(16)}`;

const product = await sharedProduct();
let tenant: AgentTenant;
let ones: string;
/** By their names: of the tenant's tool, of the tenant's tool for agent "one", and of the tool of agent "one". */
let schedules: Record<"everyones" | "for_one" | "ones", string>;
closeWatchedEvents();

/** The agent's call waits for a person, who allows it for good. */
async function allowAlways(client: Client, tool: string): Promise<void> {
  const asked = await client.post(`${TOOLS}/${tool}/execute`, {});
  const path = `/api/v1/approvals/${asked.body.data.executionId}/allow-always`;
  expect((await tenant.owner.post(path, {})).status).toBe(200);
}

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  const { owner, one } = tenant;
  const asking = { approval: "ask" };
  await createTool(owner, "everyones", "return 1", asking);
  ones = (await createTool(owner, "ones", "return 1", { ...asking, agentId: "one" })).id;
  await allowAlways(one, "everyones");
  await allowAlways(one, "ones");
  const plan = { everyMs: 3_600_000, arguments: {} };
  const schedule = async (name: string, tool: string, context: object) =>
    (await owner.post(SCHEDULES, { ...plan, name, tool, context })).body.data.id as string;
  schedules = {
    everyones: await schedule("everyones", "everyones", {}),
    for_one: await schedule("for_one", "everyones", { agentId: "one" }),
    ones: await schedule("ones", ones, { agentId: "one" }),
  };
});

/** An answer without what differs between any two. */
const told = ({ status, body }: Awaited<ReturnType<Client["get"]>>) => {
  const { meta: _meta, instance: _instance, ...problem } = body;
  return { status, problem };
};

/** What each client is answered, in the order of people, the agent's key, another agent's and one of no agent. */
const toEach = <T>(ask: (client: Client) => Promise<T>): Promise<T[]> =>
  Promise.all([tenant.owner, tenant.one, tenant.two, tenant.none].map(ask));

test("what was allowed for good is listed of the tenant's tools and of the agent's own", async () => {
  const listed = async (client: Client) =>
    (await client.get(STANDING)).body.data.standing.map(({ toolName }: { toolName: string }) => toolName);
  const all = ["ones", "everyones"];
  expect(await toEach(listed)).toEqual([all, all, ["everyones"], ["everyones"]]);
  const { owner, two } = tenant;
  const [hidden] = (await owner.get(STANDING)).body.data.standing;
  expect((await two.get(`${STANDING}?cursor=${hidden.id}`)).body.data.standing).toEqual([]);
  expect((await owner.get(`${STANDING}?cursor=${hidden.id}`)).body.data.standing).toHaveLength(1);
});

describe("schedules", () => {
  test("are listed of the tenant's tools and of the agent's own, unless they call for another agent", async () => {
    const listed = async (client: Client, query = "") =>
      (await client.get(SCHEDULES + query)).body.data.schedules.map(({ name }: { name: string }) => name);
    const all = ["ones", "for_one", "everyones"];
    expect(await toEach((client) => listed(client))).toEqual([all, all, ["everyones"], ["everyones"]]);
    expect(await toEach((client) => listed(client, `?limit=1&cursor=${schedules.ones}`))).toEqual([
      ["for_one"],
      ["for_one"],
      [],
      [],
    ]);
  });

  test("that an agent's key may not see are not there", async () => {
    const read = (id: string) => toEach(async (client) => told(await client.get(`${SCHEDULES}/${id}`)));
    const [, , nothing] = await read(NOBODYS);
    expect(nothing).toMatchObject({ status: 404, problem: { code: "schedule.not_found" } });
    const seen = expect.objectContaining({ status: 200 });
    for (const id of [schedules.ones, schedules.for_one])
      expect(await read(id)).toEqual([seen, seen, nothing, nothing]);
    expect(await read(schedules.everyones)).toEqual([seen, seen, seen, seen]);
  });

  test.each(["pause", "resume", "run"])("can't be told to %s by any agent, there or not", async (move) => {
    const { one, two, none } = tenant;
    const nothing = told(await two.post(`${SCHEDULES}/${NOBODYS}/${move}`));
    expect(nothing).toMatchObject({ status: 403, problem: { code: "auth.forbidden" } });
    for (const client of [one, two, none])
      expect(told(await client.post(`${SCHEDULES}/${schedules.ones}/${move}`))).toEqual(nothing);
  });

  test("of a tool that is gone are people's alone", async () => {
    const { owner } = tenant;
    const { id } = await createTool(owner, "gone", "return 1");
    const made = await owner.post(SCHEDULES, { tool: "gone", arguments: {}, everyMs: 3_600_000 });
    const read = () =>
      toEach(async (client) => (await client.get(`${SCHEDULES}/${made.body.data.id}`)).status);
    expect(await read()).toEqual([200, 200, 200, 200]);
    await owner.delete(`${TOOLS}/${id}`);
    expect(await read()).toEqual([200, 404, 404, 404]);
    await owner.delete(`${SCHEDULES}/${made.body.data.id}`);
  });
});

test.each(["", "/versions", "/versions/1", "/versions/1/evidence"])(
  "another agent's tool is not there at its id%s",
  async (behind) => {
    const { one, two, none } = tenant;
    expect((await one.get(`${TOOLS}/${ones}${behind}`)).status).not.toBe(403);
    for (const client of [two, none]) {
      const nothing = told(await client.get(`${TOOLS}/tool_${"0".repeat(16)}${behind}`));
      expect(told(await client.get(`${TOOLS}/${ones}${behind}`))).toEqual(nothing);
      expect(nothing.status).toBe(404);
    }
  },
);

test.each(["usage", "audit", "tenant/settings"])("no agent's key is shown %s", async (path) => {
  expect(await toEach(async (client) => (await client.get(`/api/v1/${path}`)).status)).toEqual([
    200, 403, 403, 403,
  ]);
});

describe("the tenant's stream", () => {
  const said = ({ event, data }: SseEvent) => `${event} ${String(data["toolName"])}`;
  /** Up to the news of this tool. */
  async function upTo(name: string, reader: SseReader): Promise<SseEvent[]> {
    const seen: SseEvent[] = [];
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      seen.push(event);
      if (event.data["toolName"] === name) return seen;
    }
    throw new Error("the stream ended");
  }
  const asks = (name: string) => [`approval.requested ${name}`, `approval.answered ${name}`];

  test("tells an agent of the tenant's tools, its own, and what was asked for it, and resumes", async () => {
    const { owner, one, two, none } = tenant;
    const readers = await toEach((client) => watchEvents(client));
    const asking = { approval: "ask" };
    await createTool(owner, "shared", "return 1", asking);
    const own = await createTool(owner, "own", "return 1", { ...asking, agentId: "one" });
    await owner.patch(`${TOOLS}/${own.id}`, { code: "return 2" });
    await makeTool(one, "grows");
    await meta(one, "update_tool", { name: "grows", permissions: ["network"] });
    await allowAlways(one, "own");
    await allowAlways(two, "shared");
    await createTool(owner, "none_s", "return 1", asking);
    await allowAlways(none, "none_s");
    await createTool(owner, "last", "return 1");
    const seen = await Promise.all(readers.map((reader) => upTo("last", reader)));
    const grows = ["tool.created grows", "tool.version_proposed grows"];
    const owns = ["tool.created own", "tool.updated own", ...grows, ...asks("own")];
    const [shared, nones, last] = ["shared", "none_s", "last"].map((name) => `tool.created ${name}`);
    expect(seen.map((events) => events.map(said))).toEqual([
      [shared, ...owns, ...asks("shared"), nones, ...asks("none_s"), last],
      [shared, ...owns, nones, last],
      [shared, ...asks("shared"), nones, last],
      [shared, nones, ...asks("none_s"), last],
    ]);
    const [all = [], , twos = []] = seen;
    await createTool(owner, "late", "return 1");
    for (const [place, { id }] of everyNth([...all.entries()], 4)) {
      const resumed = await upTo("late", await watchEvents(two, id ?? ""));
      const behind = new Set(all.slice(place + 1).map((event) => event.id));
      expect(resumed.slice(0, -1)).toEqual(twos.filter((event) => behind.has(event.id)));
    }
  });
});
