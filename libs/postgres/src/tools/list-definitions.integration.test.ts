import { definitionMark } from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTool } from "../fixtures/samples.ts";
import { tenantWith } from "../fixtures/tenant-tools.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe("definitions", () => {
  test("are those of active tools, newest first, as many as fit", async () => {
    const big = { type: "object", description: "x".repeat(5_000) };
    const tenantId = await tenantWith([
      { name: "old", createdAt: at(1) },
      { name: "big", createdAt: at(2), parameters: big },
      { name: "new", createdAt: at(3), category: "c", requiresApproval: true },
      { name: "off", createdAt: at(4), status: "disabled" },
    ]);
    const all = await database.catalogue.definitions(tenantId, null, 1_000_000);
    expect([all.tools.map(({ name }) => name), all.omitted]).toEqual([["new", "big", "old"], 0]);
    expect(all.tools[0]).toMatchObject({
      category: "c",
      requiresApproval: true,
      parameters: { type: "object" },
    });
    const few = await database.catalogue.definitions(tenantId, null, 1_000);
    expect([few.tools.map(({ name }) => name), few.omitted]).toEqual([["new"], 2]);
    expect(all.bytes).toBeGreaterThan(5_000);
  });

  test("of chosen ids are those, as far as they are active and the tenant's", async () => {
    const tenantId = await tenantWith([{ name: "a" }, { name: "b" }, { name: "off", status: "disabled" }]);
    const others = await tenantWith([{ name: "theirs" }]);
    const idOf = async (owner: string, name: string) =>
      (await database.tools.find(owner, name, ALL_TOOLS))?.id ?? "";
    const ids = [await idOf(tenantId, "b"), await idOf(tenantId, "off"), await idOf(others, "theirs")];
    const { tools, omitted } = await database.catalogue.definitions(tenantId, null, 1_000_000, ids);
    expect([tools.map(({ name }) => name), omitted]).toEqual([["b"], 0]);
    expect((await database.catalogue.definitions(tenantId, null, 1_000_000, [])).tools).toEqual([]);
  });

  test("are marked in their own order", async () => {
    const tenantId = await tenantWith([
      { name: "old", createdAt: at(1) },
      { name: "new", createdAt: at(2) },
      { name: "off", createdAt: at(3), status: "disabled" },
    ]);
    const { tools } = await database.catalogue.definitions(tenantId, null, 1_000_000);
    expect(await database.catalogue.definitionMarks(tenantId, null)).toBe(
      tools.map(definitionMark).join(","),
    );
    expect(await database.catalogue.definitionMarks(await tenantWith([]), null)).toBe("");
  });

  test("have other marks after every change that shows, and the same after a use", async () => {
    const tenantId = await tenantWith([{ name: "first" }]);
    const marks = () => database.catalogue.definitionMarks(tenantId, null);
    const seen = [await marks()];
    const { id } = await database.tools.create(sampleTool(tenantId));
    seen.push(await marks());
    await database.tools.update(tenantId, id, 1, { description: "other" });
    seen.push(await marks());
    await database.tools.setStatus(tenantId, id, ["active"], "disabled");
    await database.tools.setStatus(tenantId, id, ["disabled"], "active");
    seen.push(await marks());
    expect(new Set(seen).size).toBe(4);
    await queryRows(
      testDatabase.url,
      `UPDATE tools SET usage_count = usage_count + 1 WHERE tenant_id = '${tenantId}'`,
    );
    expect(await marks()).toBe(seen[3]);
    await database.tools.delete(tenantId, id);
    expect(await marks()).toBe(seen[0]);
  });
});
