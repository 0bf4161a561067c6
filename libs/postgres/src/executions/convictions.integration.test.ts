import { definitionOf, type Ending } from "@bulkhead/core";
import { expect, test } from "vitest";
import { ALL_TOOLS, sampleExecution, started, stored, SUCCESS } from "../fixtures/samples.ts";
import { one, other, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

const CRASHED: Ending = {
  ...SUCCESS,
  status: "failed",
  result: null,
  error: { code: "sandbox.crashed", message: "It died." },
  endedBy: "system",
};
const CONVICTIONS_MAX = 3;
/** Runs it once and convicts it; answers whether that disabled the tool. */
const convict = async (tenantId: string, toolId: string, toolVersion = 1, database = one) => {
  const key = await started(database, sampleExecution(tenantId, { toolId, toolVersion }));
  return database.executions.convict(key, CRASHED, "1-3", CONVICTIONS_MAX);
};

test("the third conviction of a version disables its tool, once, with the reason", async () => {
  const { tenantId, toolId } = await stored(one);
  const outcomes = await Promise.all(
    [one, other, one, other].map((database) => convict(tenantId, toolId, 1, database)),
  );
  expect(outcomes.filter((outcome) => outcome?.quarantined)).toHaveLength(1);
  expect(outcomes[0]?.ended).toMatchObject({ status: "failed", endedBy: "system", endEventId: "1-3" });
  const tool = await one.tools.find(tenantId, toolId, ALL_TOOLS);
  expect(tool).toMatchObject({ status: "disabled", usageCount: 4 });
  expect(tool?.statusReason).toMatch(/^Version 1 killed its sandbox process 3 times.* in exe_[0-9a-f]{32}\./);
});

test("enabling the tool, or a new version, starts the count anew and forgets the reason", async () => {
  const { tenantId, toolId } = await stored(one);
  for (let i = 0; i < 3; i += 1) await convict(tenantId, toolId);
  const enabled = await one.tools.setStatus(tenantId, toolId, ["disabled"], "active");
  expect(enabled).toMatchObject({ status: "active", statusReason: null });
  expect([await convict(tenantId, toolId), await convict(tenantId, toolId)]).toMatchObject([
    { quarantined: false },
    { quarantined: false },
  ]);
  if (enabled === null) throw new Error("the tool is gone");
  const definition = { ...definitionOf(enabled), code: `${enabled.code};` };
  await one.tools.update(tenantId, toolId, enabled.revision, { definition });
  expect(await convict(tenantId, toolId, 2)).toMatchObject({ quarantined: false });
});

test("whose tool was disabled is told with the conviction that did it", async () => {
  for (const agentId of ["one", null]) {
    const { tenantId, toolId } = await stored(one, { agentId });
    const [first, second, third] = [
      await convict(tenantId, toolId),
      await convict(tenantId, toolId),
      await convict(tenantId, toolId),
    ];
    expect([first, second]).toMatchObject([{ agentId: null }, { agentId: null }]);
    expect(third).toMatchObject({ quarantined: true, agentId });
  }
});

test("what an old version does is not held against the one that runs", async () => {
  const { tenantId, toolId } = await stored(one);
  for (let i = 0; i < 4; i += 1)
    expect(await convict(tenantId, toolId, 9)).toMatchObject({ quarantined: false });
  expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({
    status: "active",
    usageCount: 4,
  });
});

test("only the holder of the attempt convicts, and a repeated call answers the same end", async () => {
  const { tenantId, toolId } = await stored(one);
  const key = await started(one, sampleExecution(tenantId, { toolId }));
  expect(await one.executions.convict({ ...key, attempt: 2 }, CRASHED, "2-3", 1)).toBeNull();
  const first = await one.executions.convict(key, CRASHED, "1-3", 1);
  expect(first).toMatchObject({ quarantined: true });
  expect(await one.executions.convict(key, CRASHED, "1-3", 1)).toEqual({ ...first, quarantined: false });
  expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 1 });
});
