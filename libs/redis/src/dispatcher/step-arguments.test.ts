import { newExecutionId, newTenantId, TENANT_LIMITS_DEFAULT, type Admission } from "@bulkhead/core";
import { expect, test } from "vitest";
import { admissionArguments, inParts, limitsText, releaseArguments } from "./step-arguments.ts";

const attempt = { tenantId: newTenantId(), executionId: newExecutionId(new Date()), attempt: 3 };
const plain: Admission = { ...attempt, current: null, priority: 4, delayMs: 0, tool: null };
const name = `${attempt.executionId}-3`;

test("an admission says only what it must", () => {
  expect(admissionArguments([plain])).toEqual([attempt.tenantId, "", "4", "0", "", "1", name]);
});

test("what neighbours have in common is said once", () => {
  const current = { limits: TENANT_LIMITS_DEFAULT, asOf: new Date(7) };
  const tool = { id: "x", perSecond: 5 };
  const all = [1, 2, 3].map((number) => ({
    ...plain,
    attempt: number,
    current: { ...current },
    tool: { ...tool },
  }));
  const names = [1, 2, 3].map((number) => `${attempt.executionId}-${number}`);
  const common = [attempt.tenantId, "7:20:10000:100:200:1", "4", "0", "|5|x"];
  expect(admissionArguments(all)).toEqual([...common, "3", ...names]);
});

test.each<Partial<Admission>>([
  { tenantId: newTenantId() },
  { priority: 5 },
  { delayMs: 1 },
  { current: { limits: TENANT_LIMITS_DEFAULT, asOf: new Date(7) } },
  { tool: { id: "x", maxConcurrent: 1 } },
])("one that differs by %j is a group of its own", (other) => {
  const [, ...tail] = admissionArguments([plain, { ...plain, ...other }, plain])
    .join(" ")
    .split(` 1 ${name}`);
  expect(tail).toHaveLength(3);
});

test("a tool without limits of its own is not named, one with is, whatever its id holds", () => {
  expect(admissionArguments([{ ...plain, tool: { id: "x" } }])[4]).toBe("");
  expect(admissionArguments([{ ...plain, tool: { id: "a|b:c", perSecond: 5 } }])[4]).toBe("|5|a|b:c");
  expect(admissionArguments([{ ...plain, tool: { id: "x", maxConcurrent: 2 } }])[4]).toBe("2||x");
});

test("limits are numbers in a fixed order", () => {
  expect(limitsText({ limits: TENANT_LIMITS_DEFAULT, asOf: new Date(7) })).toBe("7:20:10000:100:200:1");
  const broken = { ...TENANT_LIMITS_DEFAULT, weight: Number.NaN };
  expect(() => limitsText({ limits: broken, asOf: new Date() })).toThrow("numbers");
});

test.each([
  { priority: 10 },
  { priority: -1 },
  { priority: 1.5 },
  { delayMs: -1 },
  { delayMs: Number.NaN },
  { delayMs: 8 * 86_400_000 },
])("an admission with %j is refused", (wrong) => {
  expect(() => admissionArguments([{ ...plain, ...wrong }])).toThrow();
});

test.each([
  [null, ""],
  [12.5, "12.5"],
  [-3, "0"],
  [Number.NaN, ""],
  [Number.POSITIVE_INFINITY, "3600000"],
])("a use of %s ms is said as %j", (usedMs, text) => {
  expect(releaseArguments({ attempt, usedMs })[2]).toBe(text);
});

test("items come in parts of at most the size", () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(inParts([], 2)).toEqual([]);
});
