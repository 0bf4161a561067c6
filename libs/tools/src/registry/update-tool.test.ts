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

test.each([
  ["given up", { alias: null }, { alias: null }, ["Old"]],
  ["exchanged", { alias: "New" }, { alias: "New" }, ["Old"]],
  ["kept beside a new name", { name: "other" }, { name: "other" }, ["sample"]],
  [
    "made the name",
    { name: "old_two", alias: "old_two" },
    { name: "old_two", alias: null },
    ["sample", "Old"],
  ],
  ["said as it is", { alias: "Old", name: "sample" }, {}, null],
])("an alias that is %s: what is given up leaves its record", async (_what, said, named, names) => {
  const world = new OneTool(sampleTool({ alias: "Old" }));
  await updateTool(world.deps, OWNER, "sample", said);
  const [change] = world.changes;
  expect(change).toMatchObject(named);
  expect(Object.keys(named).every((field) => field in (change ?? {}))).toBe(true);
  expect(change?.nameRecord?.names ?? null).toEqual(names);
});

test("a name that is the tool's alias makes the alias none", async () => {
  const world = new OneTool(sampleTool({ alias: "shorter" }));
  await updateTool(world.deps, OWNER, "sample", { name: "shorter" });
  expect(world.tool).toMatchObject({ name: "shorter", alias: null });
  expect(world.changes[0]?.nameRecord?.names).toEqual(["sample"]);
});

test("taking from a server's tool what it has not changes nothing, and saying it is refused by its name", async () => {
  const world = new OneTool(sampleTool({ mcp: { server: "files", tool: "read" } }));
  await updateTool(world.deps, OWNER, "sample", { approvalCode: null, title: null });
  expect(world.tool).toMatchObject({ version: 1 });
  await expect(
    updateTool(world.deps, OWNER, "sample", { approvalCode: "return true;" }),
  ).rejects.toMatchObject({ code: "tool.bridged", errors: [{ path: "approvalCode" }] });
});
