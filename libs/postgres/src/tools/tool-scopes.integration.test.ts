import { newToolId, scopeOfAgent, type CatalogueQuery, type NewTool, type ToolScope } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  sampleTenant,
  sampleTool,
} from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";
import { NEWEST_FIRST } from "../fixtures/tenant-tools.ts";

useStores();

const ROUNDS = isNightly ? 50 : 3;
const NOBODY = scopeOfAgent(null);
const ONE = scopeOfAgent("one");
const TWO = scopeOfAgent("two");

let tenantId: string;

/** Tools of the tenant by `<agent>/<name>`; the tenant's own as `/<name>`. */
const tools = new Map<string, NewTool>();

beforeAll(async () => {
  tenantId = (await database.tenants.create(sampleTenant())).id;
  await add(null, "both");
  await add(null, "tenants_only");
  await add("one", "both", { createdBy: "llm" });
  await add("one", "ones_only");
  await add("two", "twos_only");
});

async function add(agentId: string | null, name: string, fields: Partial<NewTool> = {}): Promise<void> {
  const tool = sampleTool(tenantId, { id: newToolId(), agentId, name, description: "weather", ...fields });
  tools.set(`${agentId ?? ""}/${name}`, tool);
  await database.tools.create(tool);
}
const idOf = (key: string) => tools.get(key)?.id ?? "";
const keyOf = ({ agentId, name }: { agentId: string | null; name: string }) => `${agentId ?? ""}/${name}`;
const keysOf = (ids: { id: string }[]) =>
  ids.map(({ id }) => [...tools].find(([, tool]) => tool.id === id)?.[0] ?? id).toSorted();
const find = async (ref: string, scope: ToolScope) => {
  const tool = await database.tools.find(tenantId, ref, scope);
  return tool && keyOf(tool);
};

/** What each of them sees. */
const SEEN: [string, ToolScope, string[]][] = [
  ["a person", ALL_TOOLS, ["/both", "/tenants_only", "one/both", "one/ones_only", "two/twos_only"]],
  ["an agent", ONE, ["/tenants_only", "one/both", "one/ones_only"]],
  ["another agent", TWO, ["/both", "/tenants_only", "two/twos_only"]],
  ["an agent without tools", scopeOfAgent("three"), ["/both", "/tenants_only"]],
  ["who is for no agent", NOBODY, ["/both", "/tenants_only"]],
];

describe("a look-up", () => {
  test.each([
    ["both", ONE, "one/both"],
    ["both", TWO, "/both"],
    ["both", NOBODY, "/both"],
    ["both", ALL_TOOLS, "/both"],
    ["both", { agentId: "one", seesAll: true }, "one/both"],
    ["tenants_only", ONE, "/tenants_only"],
    ["twos_only", ONE, null],
    ["twos_only", ALL_TOOLS, null],
    ["ones_only", NOBODY, null],
  ])("by the name %s in %j finds %s", async (name, scope, expected) => {
    expect(await find(name, scope)).toBe(expected);
  });

  test.each(SEEN)(
    "by id of %s finds what is in view, and what is hidden by name too",
    async (_, scope, seen) => {
      for (const [key, { id }] of tools) {
        const isThere = seen.includes(key) || (key === "/both" && scope === ONE);
        expect(await find(id, scope)).toBe(isThere ? key : null);
      }
    },
  );

  test("stays with the agent's own tool while that is switched off", async () => {
    const { id } = await database.tools.create(
      sampleTool(tenantId, { id: newToolId(), agentId: "off", name: "both", status: "disabled" }),
    );
    const off = scopeOfAgent("off");
    expect((await database.tools.find(tenantId, "both", off))?.id).toBe(id);
    const active = await database.tools.listActive(tenantId, off, 10);
    expect(keysOf(active)).toEqual(["/tenants_only"]);
    await database.tools.delete(tenantId, id);
    expect(await find("both", off)).toBe("/both");
  });
});

describe("lists", () => {
  const page = async (query: Partial<CatalogueQuery>) => {
    const plain = { scope: ALL_TOOLS, sort: "name", order: "asc", limit: 50, offset: 0 } as const;
    const { tools: listed, count } = await database.catalogue.page(tenantId, { ...plain, ...query });
    expect(count).toBe(listed.length);
    return listed.map(keyOf).toSorted();
  };

  test.each(SEEN)("show %s what is theirs to see", async (_, scope, seen) => {
    expect(await page({ scope })).toEqual(seen);
    expect(await page({ scope, words: ["weather"] })).toEqual(seen);
    expect(
      keysOf(await database.catalogue.search(tenantId, { scope, words: ["weather"], limit: 9 })),
    ).toEqual(seen);
    const { tools: summaries, count } = await database.catalogue.summaries(tenantId, { scope, limit: 9 });
    expect([keysOf(summaries), count]).toEqual([seen, seen.length]);
    expect((await database.catalogue.stats(tenantId, scope)).total).toBe(seen.length);
  });

  test("of one agent's own tools have no others, and those are in no other agent's view", async () => {
    expect(await page({ agentId: "one" })).toEqual(["one/both", "one/ones_only"]);
    expect(await page({ agentId: "two", scope: ONE })).toEqual([]);
    expect(await database.catalogue.stats(tenantId, ALL_TOOLS, "one")).toMatchObject({
      total: 2,
      createdByLlm: 1,
    });
    expect(await database.catalogue.stats(tenantId, ONE, "two")).toMatchObject({ total: 0 });
  });

  test.each(SEEN.filter(([, { seesAll }]) => !seesAll))(
    "for models show %s the same",
    async (_, scope, seen) => {
      const { agentId } = scope;
      const { tools: defined } = await database.catalogue.definitions(tenantId, agentId, 1_000_000);
      expect(keysOf(defined)).toEqual(seen);
      const marks = (await database.catalogue.definitionMarks(tenantId, agentId)).split(",");
      expect(keysOf(marks.map((mark) => ({ id: mark.split(":")[0] ?? "" })))).toEqual(seen);
      expect(keysOf(await database.tools.listActive(tenantId, scope, 9))).toEqual(seen);
    },
  );
});

test.each(SEEN)("what %s sees is told by its names, the agents' own last", async (_who, scope, seen) => {
  const called = await database.catalogue.names(tenantId, scope);
  expect(keysOf(called)).toEqual(seen.toSorted());
  const owners = called.map(({ id }) => (keysOf([{ id }])[0]?.startsWith("/") ? "tenant" : "agent"));
  expect(owners).toEqual(owners.toSorted().toReversed());
  for (const { id, name, alias } of called)
    expect({ name, alias }).toEqual({ name: keysOf([{ id }])[0]?.split("/")[1], alias: null });
});

test.each(SEEN)("of what %s sees, a scope of some tools has those alone", async (_who, whole, seen) => {
  const some = ["one/both", "/both", "two/twos_only"];
  const scope = { ...whole, only: some.map(idOf) };
  const there = seen.filter((key) => some.includes(key));
  const page = await database.catalogue.page(tenantId, { ...NEWEST_FIRST, scope });
  expect(keysOf(page.tools)).toEqual(there.toSorted());
  expect(page.count).toBe(there.length);
  expect((await database.catalogue.stats(tenantId, scope)).total).toBe(there.length);
  const { tools: listed } = await database.catalogue.summaries(tenantId, { scope, limit: 10 });
  expect(keysOf(listed)).toEqual(there.toSorted());
  const found = await database.catalogue.search(tenantId, { scope, words: ["weather"], limit: 10 });
  expect(keysOf(found)).toEqual(there.toSorted());
  const active = await database.tools.listActive(tenantId, scope, 10);
  expect(keysOf(active)).toEqual(there.toSorted());
  const nothing = { ...whole, only: [] };
  expect((await database.catalogue.page(tenantId, { ...NEWEST_FIRST, scope: nothing })).count).toBe(0);
});

describe("a name", () => {
  test("is taken once for each agent and once for the tenant, however many ask at once", async () => {
    const owners = [null, null, "one", "one", "two"];
    const made = await Promise.allSettled(
      owners.map((agentId) =>
        database.tools.create(sampleTool(tenantId, { id: newToolId(), agentId, name: "raced" })),
      ),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const one of made)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "tool.name_taken" });
  });

  test("may be given to an agent's tool that the tenant's tool has, and to no second one of the agent's", async () => {
    const { id } = await database.tools.create(sampleTool(tenantId, { agentId: "two" }));
    await expect(database.tools.update(tenantId, id, 1, { name: "twos_only" })).rejects.toMatchObject({
      code: "tool.name_taken",
    });
    expect((await database.tools.update(tenantId, id, 1, { name: "tenants_only" }))?.agentId).toBe("two");
    await database.tools.delete(tenantId, id);
  });
});

describe("an alias", () => {
  const made = (fields: Partial<NewTool>) =>
    database.tools.create(sampleTool(tenantId, { id: newToolId(), ...fields }));
  const named = (id: string, ref: string, scope = NOBODY) =>
    database.tools.find(tenantId, ref, scope).then((tool) => tool?.id === id);
  const TAKEN = { code: "tool.name_taken" };

  test("stands for its tool as the name does, in its owner's scope", async () => {
    const tenants = await made({ name: "get_issue", alias: "getIssue" });
    const own = await made({ agentId: "one", name: "issues", alias: "getIssue" });
    expect(tenants).toMatchObject({ alias: "getIssue" });
    expect(await named(tenants.id, "getIssue")).toBe(true);
    expect(await named(tenants.id, "getIssue", TWO)).toBe(true);
    expect(await named(own.id, "getIssue", ONE)).toBe(true);
    // What is shown as `getIssue` to the agent is its own, and the tenant's is hidden from it.
    const shown = (agentId: string) =>
      database.catalogue
        .definitions(tenantId, agentId, 1_000_000)
        .then(({ tools: defined }) => defined.filter(({ alias }) => alias === "getIssue"));
    expect((await shown("one")).map(({ id }) => id)).toEqual([own.id]);
    expect((await shown("two")).map(({ id }) => id)).toEqual([tenants.id]);
    const cleared = await database.tools.update(tenantId, own.id, own.revision, { alias: null });
    expect(cleared?.alias).toBeNull();
    expect(await named(tenants.id, "getIssue", ONE)).toBe(true);
    for (const { id } of [tenants, own]) await database.tools.delete(tenantId, id);
  });

  test("and names are one namespace of each owner, whoever comes first", async () => {
    const first = await made({ name: "first_name", alias: "first_alias" });
    for (const taking of [
      { name: "first_alias" },
      { name: "other_name", alias: "first_name" },
      { name: "other_name", alias: "first_alias" },
    ]) {
      await expect(made(taking)).rejects.toMatchObject(TAKEN);
      const other = await made({ name: "unnamed" });
      await expect(database.tools.update(tenantId, other.id, 1, taking)).rejects.toMatchObject(TAKEN);
      await database.tools.delete(tenantId, other.id);
      const agents = await made({ agentId: "one", ...taking });
      await database.tools.delete(tenantId, agents.id);
    }
    // Both change places in one step.
    const swapped = { name: "first_alias", alias: "first_name" };
    expect(await database.tools.update(tenantId, first.id, 1, swapped)).toMatchObject(swapped);
    await database.tools.delete(tenantId, first.id);
    await expect(database.tools.createAll([made2("a_b", "c_d"), made2("c_d", null)])).rejects.toMatchObject(
      TAKEN,
    );
    expect(await find("a_b", ALL_TOOLS)).toBeNull();
  });

  const made2 = (name: string, alias: string | null) =>
    sampleTool(tenantId, { id: newToolId(), name, alias });

  test("or a name is given once, round after round of everybody at once", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `raced_${round}`;
      const [one, two] = [await made({ name: `one_${round}` }), await made({ name: `two_${round}` })];
      const results = await Promise.allSettled([
        made({ name }),
        made({ name: `three_${round}`, alias: name }),
        database.tools.createAll([made2(`four_${round}`, name), made2(`five_${round}`, null)]),
        database.tools.update(tenantId, one.id, 1, { alias: name }),
        database.tools.update(tenantId, two.id, 1, { name }),
      ]);
      const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      expect(lost).toEqual(["tool.name_taken", "tool.name_taken", "tool.name_taken", "tool.name_taken"]);
    }
  });

  test("that is exchanged for another's at the same moment ends in no deadlock", async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const [a, b] = [`left_${round}`, `right_${round}`];
      const [one, two] = [
        await made({ name: `p_${round}`, alias: a }),
        await made({ name: `q_${round}`, alias: b }),
      ];
      const results = await Promise.allSettled([
        database.tools.update(tenantId, one.id, 1, { alias: b }),
        database.tools.update(tenantId, two.id, 1, { alias: a }),
      ]);
      for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: TAKEN });
    }
  });
});

test("a claim tells whose names the code says, the tool's agent's or of a script its caller's, and who wrote it", async () => {
  const claimed = async (toolId: string | null) => {
    const execution = sampleExecution(tenantId, { toolId, context: { agentId: "caller" } });
    const inlineTool = toolId === null ? { ...SCRIPT } : null;
    await database.executions.insert({ ...execution, inlineTool });
    const held = await database.executions.claim(attemptOf(execution), "worker-1", LEASE_MS);
    return [held?.scopeAgentId, held?.madeBy];
  };
  expect(await claimed(idOf("one/both"))).toEqual(["one", "llm"]);
  expect(await claimed(idOf("/both"))).toEqual([null, "user"]);
  expect(await claimed(null)).toEqual(["caller", null]);
});

const { code, permissions, outputSchema, limits, services } = sampleTool("ten_x");
const SCRIPT = { code, permissions, outputSchema, limits, services, allowedHosts: [] };
