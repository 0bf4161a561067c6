import { newToolId, RUN_LIMITS_DEFAULT, type Capabilities, type NewTool, type Tool } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTool } from "../fixtures/samples.ts";
import { database, otherId, tenantId, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const ROUNDS = isNightly ? 50 : 3;
const LEAST: Capabilities = {
  permissions: ["network"],
  hosts: null,
  services: ["s"],
  tools: [],
  limits: RUN_LIMITS_DEFAULT,
};
const must = <T>(value: T | null): T => {
  if (value === null) throw new Error("nothing was changed");
  return value;
};

describe("what was approved under a name", () => {
  const record = (name: string) => ({ names: [name], capabilities: LEAST, blocked: false });
  const FOUND = { capabilities: LEAST, blocked: false, stamp: expect.any(String) };

  test("stays when its tool is deleted or renamed, for its tenant and its agent alone", async () => {
    const { id, name } = await database.tools.create(sampleTool(tenantId));
    expect(await database.tools.findNameRecord(tenantId, null, name)).toBeNull();
    await database.tools.update(tenantId, id, 1, { name: `${name}_b`, nameRecord: record(name) });
    expect(await database.tools.findNameRecord(tenantId, null, name)).toEqual(FOUND);
    await database.tools.delete(tenantId, id, undefined, record(`${name}_b`));
    expect(await database.tools.findNameRecord(tenantId, null, `${name}_b`)).toEqual(FOUND);
    expect(await database.tools.findNameRecord(otherId, null, name)).toBeNull();
    expect(await database.tools.findNameRecord(tenantId, "agent", name)).toBeNull();
    const own = await database.tools.create(sampleTool(tenantId, { name, agentId: "agent" }));
    await database.tools.delete(tenantId, own.id, undefined, record(name));
    expect(await database.tools.findNameRecord(tenantId, "agent", name)).toEqual(FOUND);
  });

  test("stays under the alias too, and is what a new tool of either was judged by", async () => {
    const { id, name } = await database.tools.create(sampleTool(tenantId));
    const alias = `${name}-Old`;
    await database.tools.delete(tenantId, id, undefined, { ...record(name), names: [name, alias] });
    const found = must(await database.tools.findNameRecord(tenantId, null, alias));
    expect(found).toEqual(FOUND);
    const made = (aliasJudgedBy: string | null) =>
      database.tools.create(sampleTool(tenantId, { alias, judgedBy: null, aliasJudgedBy }));
    await expect(made(null)).rejects.toMatchObject({ code: "tool.changed" });
    expect(await made(found.stamp)).toMatchObject({ alias });
  });

  test("is not put down for a tool that was not deleted", async () => {
    const { id, name } = await database.tools.create(sampleTool(tenantId));
    expect(await database.tools.delete(tenantId, id, 9, record(name))).toBeNull();
    expect(await database.tools.findNameRecord(tenantId, null, name)).toBeNull();
  });

  test("says whether people had blocked the tool", async () => {
    const { id, name } = await database.tools.create(sampleTool(tenantId));
    await database.tools.delete(tenantId, id, undefined, { ...record(name), blocked: true });
    expect(await database.tools.findNameRecord(tenantId, null, name)).toEqual({ ...FOUND, blocked: true });
  });

  test("must be what a new tool was judged by, else nothing is stored", async () => {
    const { id, name } = await database.tools.create(sampleTool(tenantId));
    await database.tools.delete(tenantId, id, undefined, record(name));
    const stamp = must(await database.tools.findNameRecord(tenantId, null, name)).stamp;
    const judgedBy = (by: string | null) => sampleTool(tenantId, { name, judgedBy: by });
    const changed = { code: "tool.changed" };
    await expect(database.tools.create(judgedBy(null))).rejects.toMatchObject(changed);
    await expect(database.tools.create(judgedBy("another"))).rejects.toMatchObject(changed);
    await expect(
      database.tools.createAll([sampleTool(tenantId, { name: `${name}_b` }), judgedBy(null)]),
    ).rejects.toMatchObject(changed);
    expect(await database.tools.find(tenantId, `${name}_b`, ALL_TOOLS)).toBeNull();
    expect(await database.tools.create(judgedBy(stamp))).toMatchObject({ name });
  });

  test("is seen by whoever takes the name while it is given up, round after round", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, name } = await database.tools.create(sampleTool(tenantId));
      const take = () => database.tools.create(sampleTool(tenantId, { name, judgedBy: null }));
      const giveUp = () =>
        round % 2 === 0
          ? database.tools.delete(tenantId, id, 1, record(name))
          : database.tools.update(tenantId, id, 1, { name: `${name}_b`, nameRecord: record(name) });
      const results = await Promise.allSettled([take(), take(), giveUp(), take(), take()]);
      const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      expect(codes).toHaveLength(4);
      expect(["tool.changed", "tool.name_taken"]).toEqual(expect.arrayContaining([...new Set(codes)]));
    }
  });
});

test("of two who store many tools at once, in opposite orders, one goes first, and neither ends in a deadlock", async () => {
  const many = (round: number): NewTool[] =>
    Array.from({ length: 30 }, (_, n) =>
      sampleTool(tenantId, { id: newToolId(), name: `many_${round}_${n}` }),
    );
  const codes = async (work: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(work)).flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  const changed = (tool: Tool) => ({ tool, change: { category: "c" } });
  const { tools } = database;
  for (let round = 0; round < 5; round += 1) {
    const made = [many(round), many(round).toReversed()].map((list) => tools.storeAll(list, [], []));
    expect(await codes(made)).toEqual(["tool.name_taken"]);
    const there = (await Promise.allSettled(made)).flatMap((one) =>
      one.status === "fulfilled" ? one.value.tools : [],
    );
    const gone = there.toReversed().map((tool) => ({ tool, record: null }));
    expect(await codes([tools.storeAll([], there.map(changed), []), tools.storeAll([], [], gone)])).toEqual([
      "tool.changed",
    ]);
  }
});
