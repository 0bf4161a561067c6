import { RUN_LIMITS_DEFAULT, type ToolVersion } from "@bulkhead/core";
import { expect, test } from "vitest";
import { cachedDefinitions } from "./definition-cache.ts";

const VERSION: ToolVersion = {
  toolId: "tool_a",
  state: "approved",
  reason: null,
  version: 1,
  contentHash: "",
  createdAt: new Date(0),
  code: "return 1 as number",
  language: "typescript",
  compiled: "return 1          ",
  parameters: { type: "object" },
  outputSchema: { type: "number" },
  permissions: ["network"],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: [],
  services: ["weather"],
};

test("what runs of a version is read once, and is what was compiled", async () => {
  let asked = 0;
  const find = cachedDefinitions({
    findVersion: (_tenantId, _toolId, version) => {
      asked += 1;
      return Promise.resolve(
        version === 1 ? VERSION : { ...VERSION, language: "javascript", compiled: null },
      );
    },
  });
  const first = await find("ten_a", "tool_a", 1);
  expect(first).toEqual({
    code: "return 1          ",
    permissions: ["network"],
    limits: RUN_LIMITS_DEFAULT,
    allowedHosts: [],
    outputSchema: { type: "number" },
    services: ["weather"],
  });
  expect(await find("ten_a", "tool_a", 1)).toBe(first);
  expect(asked).toBe(1);
  expect((await find("ten_a", "tool_a", 2))?.code).toBe("return 1 as number");
});

test("a version that is gone is asked for again", async () => {
  const answers = [null, VERSION];
  const find = cachedDefinitions({ findVersion: () => Promise.resolve(answers.shift() ?? null) });
  expect(await find("ten_a", "tool_a", 1)).toBeNull();
  expect(await find("ten_a", "tool_a", 1)).not.toBeNull();
});

test("what is kept is bounded with the code that decides on approvals", async () => {
  const approvalCode = " ".repeat(256 * 1024);
  let asked = 0;
  const find = cachedDefinitions({
    findVersion: () => {
      asked += 1;
      return Promise.resolve({ ...VERSION, approvalCode });
    },
  });
  for (let version = 1; version <= 300; version += 1) await find("ten_a", "tool_a", version);
  await find("ten_a", "tool_a", 300);
  await find("ten_a", "tool_a", 1);
  expect(asked).toBe(301);
});
