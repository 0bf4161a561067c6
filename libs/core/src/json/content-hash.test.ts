import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { contentHash } from "./content-hash.ts";
import { RUN_LIMITS_DEFAULT } from "../limit/limits.ts";
import type { ToolDefinition } from "../tool/tool-definition.ts";

const BASE: ToolDefinition = {
  code: "return 1",
  language: "javascript",
  compiled: null,
  parameters: { type: "object", properties: { a: {}, b: {} } },
  outputSchema: null,
  permissions: [],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
};

test.each<[string, Partial<ToolDefinition>]>([
  ["code", { code: "return 2" }],
  ["language", { language: "typescript" }],
  ["what runs", { compiled: "return 1 " }],
  ["parameters", { parameters: { type: "object" } }],
  ["output schema", { outputSchema: {} }],
  ["permissions", { permissions: ["network"] }],
  ["limits", { limits: { ...RUN_LIMITS_DEFAULT, cpuMs: 1 } }],
  ["hosts, where none is not any", { allowedHosts: [] }],
  ["services", { services: ["weather"] }],
])("another hash comes of other %s", (_what, change) => {
  expect(contentHash({ ...BASE, ...change })).not.toBe(contentHash(BASE));
});

test("a tool that needs no services has the hash of the time before there were services", () => {
  const { services: _none, ...before } = BASE;
  const then = createHash("sha256").update(canonicalJson(before)).digest("hex");
  expect(contentHash(BASE)).toBe(then);
});

test("the order of keys and what else a tool has play no part", () => {
  const parameters = { properties: { b: {}, a: {} }, type: "object" };
  const named = { ...BASE, parameters, name: "other", description: "other" };
  expect(contentHash(named)).toBe(contentHash(BASE));
  expect(contentHash(BASE)).toMatch(/^[0-9a-f]{64}$/);
});

test("nor does the order of permissions", () => {
  const of = (...permissions: ToolDefinition["permissions"]) => contentHash({ ...BASE, permissions });
  expect(of("network", "email")).toBe(of("email", "network"));
});

test("the order of a list does", () => {
  const [one, other] = [
    ["a", "b"],
    ["b", "a"],
  ].map((required) => ({
    ...BASE,
    parameters: { type: "object", required },
  }));
  expect(contentHash({ ...BASE, ...one })).not.toBe(contentHash({ ...BASE, ...other }));
});
