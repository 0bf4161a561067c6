import { expect, test } from "vitest";
import { moveTool } from "./change-status.ts";
import { AGENT, OneTool, OWNER, sampleTool } from "./fixtures/one-tool.ts";

test("a tool that somebody else switched off at the same moment is off, and told of once", async () => {
  const world = new OneTool();
  world.meanwhile = [{ status: "disabled" }];
  expect(await moveTool(world.deps, OWNER, "sample", "disable")).toMatchObject({ status: "disabled" });
  expect(world.deeds).toEqual([]);
});

test("an agent whose first try lost does not undo what the platform did meanwhile", async () => {
  const world = new OneTool(sampleTool({ status: "disabled" }));
  world.meanwhile = [{ statusReason: "It killed its process." }];
  await expect(moveTool(world.deps, AGENT, "sample", "enable")).rejects.toMatchObject({
    code: "auth.forbidden",
  });
  expect(world.tool.status).toBe("disabled");
  expect(await moveTool(world.deps, OWNER, "sample", "enable")).toMatchObject({ status: "active" });
});
