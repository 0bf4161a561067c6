import { RUN_LIMITS_DEFAULT, type ToolVersion } from "@bulkhead/core";
import { expect, test } from "vitest";
import { diffVersions } from "./diff-versions.ts";

const BASE: ToolVersion = {
  toolId: "tool_a",
  state: "approved",
  reason: null,
  version: 1,
  contentHash: "",
  createdAt: new Date(0),
  code: "return 1",
  language: "javascript",
  compiled: null,
  parameters: { type: "object" },
  outputSchema: null,
  permissions: [],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
};

test("only what differs is named, each limit by itself", () => {
  const to: ToolVersion = {
    ...BASE,
    version: 2,
    createdAt: new Date(1),
    outputSchema: {},
    permissions: ["network"],
    limits: { ...RUN_LIMITS_DEFAULT, cpuMs: 7 },
    allowedHosts: [],
    services: ["weather"],
  };
  expect(diffVersions(BASE, to)).toEqual({
    changes: [
      { field: "outputSchema", before: null, after: {} },
      { field: "permissions", before: [], after: ["network"] },
      { field: "allowedHosts", before: null, after: [] },
      { field: "services", before: [], after: ["weather"] },
      { field: "limits.cpuMs", before: RUN_LIMITS_DEFAULT.cpuMs, after: 7 },
    ],
    code: null,
  });
});

test("code is compared as it was written, and the order of keys is no difference", () => {
  const from = { ...BASE, parameters: { type: "object", title: "t" } };
  const to: ToolVersion = {
    ...BASE,
    parameters: { title: "t", type: "object" },
    language: "typescript",
    code: "return 1 as number",
    compiled: "return 1          ",
  };
  const { changes, code } = diffVersions(from, to);
  expect(changes).toEqual([{ field: "language", before: "javascript", after: "typescript" }]);
  expect(code?.unified).toBe("@@ -1,1 +1,1 @@\n-return 1\n+return 1 as number\n");
});
