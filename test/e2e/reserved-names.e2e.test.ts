import { queryRows, sharedProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool } from "../support/client.ts";

const product = await sharedProduct();

test("a tool that had the name of a built-in one before keeps it, and is the one that is called", async () => {
  product.showLogsIfTestFails();
  const { owner, one: agent } = await newAgentTenant(product);
  const refused = await owner.post("/api/v1/custom-tools", { name: "skill_search" });
  expect(refused.status).toBe(400);
  await createTool(owner, "older", "return 'mine: ' + args.pattern;", {
    parameters: { type: "object", properties: { pattern: { type: "string" } } },
  });
  const { id } = (await owner.get("/api/v1/custom-tools/older")).body.data;
  // As a release left it that had no such built-in tool yet.
  await queryRows(product.databaseUrl, "UPDATE tools SET name = 'skill_search' WHERE id = $1", [id]);
  const call = async (by: typeof owner) =>
    (await by.post("/api/v1/custom-tools/skill_search/execute", { arguments: { pattern: "x" } })).body.data;
  for (const by of [owner, agent])
    expect(await call(by)).toMatchObject({ status: "succeeded", result: "mine: x" });
  await createTool(owner, "calls_it", "return utils.callTool('skill_search', { pattern: 'y' });");
  const { body } = await owner.post("/api/v1/custom-tools/calls_it/execute", {});
  expect(body.data.result).toBe("mine: y");
  const changed = await owner.patch("/api/v1/custom-tools/skill_search", { description: "Still mine." });
  expect(changed.status).toBe(200);
});
