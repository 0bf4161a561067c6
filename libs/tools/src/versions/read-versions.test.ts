import type { ToolVersion } from "@bulkhead/core";
import { expect, test } from "vitest";
import { sampleTool } from "../registry/fixtures/one-tool.ts";
import { requireNoMore } from "./read-versions.ts";

const ASKS = "return args.usd > 100;";
const withCode = (approvalCode: string | undefined) =>
  sampleTool({ version: 2, ...(approvalCode !== undefined && { approvalCode }) });
const older = (approvalCode: string | undefined): ToolVersion => ({
  ...withCode(approvalCode),
  toolId: "tool_a",
  version: 1,
  state: "approved",
  reason: null,
});

test.each([
  ["the same code", ASKS, ASKS],
  ["no code in either", undefined, undefined],
])("an agent may call an older version that asks alike: %s", (_what, serving, old) => {
  expect(() => requireNoMore(withCode(serving), older(old))).not.toThrow();
});

test.each([
  ["other code", ASKS, "return false;"],
  ["none where the serving one has some", ASKS, undefined],
  ["code where the serving one leaves it to the tenant", undefined, "return false;"],
])("an agent calls no older version that asks otherwise: %s", (_what, serving, old) => {
  expect(() => requireNoMore(withCode(serving), older(old))).toThrow(
    expect.objectContaining({ code: "tool.version_not_approved" }),
  );
});
