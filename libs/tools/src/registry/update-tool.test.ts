import { expect, test } from "vitest";
import { capabilitiesIn } from "./review/capabilities.ts";
import { OneTool, OWNER, sampleTool } from "./fixtures/one-tool.ts";
import { updateTool } from "./update-tool.ts";

const model = sampleTool({ createdBy: "llm" });

test("a change that lost is made for what the tool became, and told of as a change of that", async () => {
  const world = new OneTool();
  world.meanwhile = [{ description: "Another.", version: 2 }, { category: "c" }];
  const { tool } = await updateTool(world.deps, OWNER, "sample", { metadata: { m: 1 } });
  expect(tool).toMatchObject({ description: "Another.", category: "c", metadata: { m: 1 }, version: 2 });
  expect(world.deeds.map(({ action, details }) => [action, details])).toEqual([
    ["tool.updated", expect.objectContaining({ versionBefore: 2 })],
  ]);
});

test("whether a version waits is decided anew: it does where its tool was approved less meanwhile", async () => {
  const approved = capabilitiesIn(sampleTool({ permissions: ["network"] }));
  const world = new OneTool({ ...model, approved });
  world.meanwhile = [{ approved: capabilitiesIn(model) }];
  await updateTool(world.deps, OWNER, "sample", { permissions: ["network"] });
  expect(world.changes).toMatchObject([{ review: { grown: [{ kind: "permission" }, { kind: "host" }] } }]);
});

test("a change starts from the permissions that the tool has by then", async () => {
  const world = new OneTool(sampleTool({ permissions: ["network"] }));
  world.meanwhile = [{ permissions: [] }];
  await updateTool(world.deps, OWNER, "sample", { code: "return 2" });
  expect(world.tool).toMatchObject({ code: "return 2", permissions: [] });
});
