import { RUN_LIMITS_DEFAULT, TENANT_LIMITS_DEFAULT } from "@bulkhead/core";
import { expect, test } from "vitest";
import {
  readContext,
  readErased,
  readError,
  readInlineTool,
  readPermissions,
  readRequiredApiKeys,
  readRetention,
  readRunLimits,
  readTenantLimits,
  readTimings,
} from "./stored-json.ts";

test("limits that were stored before a field existed read with the field's default", () => {
  expect(readRunLimits({ cpuMs: 7 })).toEqual({ ...RUN_LIMITS_DEFAULT, cpuMs: 7 });
  expect(readTenantLimits({})).toEqual(TENANT_LIMITS_DEFAULT);
});

test("fields that this build does not know, or of another type, are left out", () => {
  expect(readRunLimits({ cpuMs: "7", later: 1 })).toEqual(RUN_LIMITS_DEFAULT);
  expect(readContext({ callId: "c", userId: 5, later: "x" })).toEqual({ callId: "c" });
  expect(readTimings({ queued: 1.5, broken: null })).toEqual({ queued: 1.5 });
  expect(readPermissions(["network", "teleport"])).toEqual(["network"]);
});

test("what is not of the expected shape at all reads as empty, never as a failure", () => {
  for (const odd of [null, 1, "x", [1], true]) {
    expect(readContext(odd)).toEqual({});
    expect(readTimings(odd)).toEqual({});
    expect(readRequiredApiKeys(odd)).toEqual([]);
  }
});

test("an error with an unknown code stays an error", () => {
  expect(readError({ code: "tool.later", message: "m" })).toEqual({ code: "tool.threw", message: "m" });
  expect(readError(null)).toBeNull();
});

test("a retention that this build does not understand keeps nothing, and unknown parts are left out", () => {
  const stored = { arguments: "later", result: 3, events: null, cookies: "none" };
  expect(readRetention(stored)).toEqual({ arguments: "none", result: 3 });
  expect(readRetention(null)).toBeNull();
  expect(readErased(["events", "later", "arguments"])).toEqual(["arguments", "events"]);
  expect(readErased(null)).toEqual([]);
});

test("the keys that a tool requires keep their known texts", () => {
  const stored = [{ name: "weather", displayName: "Weather", docsUrl: 1 }, { displayName: "nameless" }];
  expect(readRequiredApiKeys(stored)).toEqual([{ name: "weather", displayName: "Weather" }]);
});

test("an inline tool is null exactly when none is stored", () => {
  expect(readInlineTool(null)).toBeNull();
  const limits = { ...RUN_LIMITS_DEFAULT };
  const tool = {
    code: "return 1",
    permissions: ["network"],
    limits,
    allowedHosts: ["a.test"],
    outputSchema: { type: "number" },
    services: ["weather"],
  };
  expect(readInlineTool(tool)).toEqual(tool);
  const { allowedHosts: _hosts, outputSchema: _schema, services: _services, ...older } = tool;
  expect(readInlineTool(older)).toEqual({ ...tool, allowedHosts: null, outputSchema: null, services: [] });
});
