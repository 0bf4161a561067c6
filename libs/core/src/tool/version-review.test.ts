import { expect, test } from "vitest";
import type { Capabilities } from "./capabilities.ts";
import { RUN_LIMITS_DEFAULT } from "../limit/limits.ts";
import { judgeNewTool, judgeVersion, VERSION_NEXT, VERSION_STATES } from "./version-review.ts";

const least: Capabilities = {
  permissions: [],
  hosts: [],
  services: [],
  tools: [],
  limits: RUN_LIMITS_DEFAULT,
};
const network: Capabilities = { ...least, permissions: ["network"], hosts: null };
const shell: Capabilities = { ...least, permissions: ["shell"] };
const strict = { autoApproveWithoutGrowth: false };
const trusting = { autoApproveWithoutGrowth: true };

test.each([
  ["a person's tool, whatever it gets", "user", least, shell, strict, "serves"],
  ["a model's, with nothing more", "llm", network, network, strict, "serves"],
  ["a model's, with less", "llm", network, least, strict, "serves"],
  ["a model's, with more", "llm", least, network, strict, "waits"],
  ["a model's, with a dangerous permission that it had", "llm", shell, shell, strict, "waits"],
  ["the same where the tenant trusts what does not grow", "llm", shell, shell, trusting, "serves"],
  ["growth, although the tenant trusts what does not grow", "llm", least, network, trusting, "waits"],
  ["a new dangerous permission, likewise", "llm", least, shell, trusting, "waits"],
] as const)("the next version of %s", (_what, createdBy, approved, wanted, settings, then) => {
  expect(judgeVersion({ createdBy }, approved, wanted, settings) === null ? "serves" : "waits").toBe(then);
});

test.each([
  ["a person's", "user", least, shell, "serves"],
  ["a model's under a fresh name", "llm", null, network, "serves"],
  ["a model's with a dangerous permission", "llm", null, shell, "waits"],
  ["a model's with a dangerous permission that was approved under its name", "llm", shell, shell, "waits"],
  ["a model's with what was approved under its name", "llm", network, network, "serves"],
  ["a model's with more than was approved under its name", "llm", least, network, "waits"],
] as const)("a new tool: %s", (_what, createdBy, lastApproved, wanted, then) => {
  expect(judgeNewTool(createdBy, lastApproved, wanted) === null ? "serves" : "waits").toBe(then);
});

test("only what waits can move, and nothing comes back to waiting", () => {
  expect(VERSION_STATES.filter((state) => VERSION_NEXT[state].length > 0)).toEqual(["pending"]);
  expect(VERSION_STATES.flatMap((state): readonly string[] => VERSION_NEXT[state])).not.toContain("pending");
});
