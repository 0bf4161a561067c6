import type { ConfigField, ServiceNeeds } from "@bulkhead/core";
import { expect, test } from "vitest";
import { describeServices } from "./describe-services.ts";

const needsOf = (...configSchema: ConfigField[]): ServiceNeeds => ({
  id: "tool_1",
  tenantId: "ten_1",
  createdBy: "user",
  services: ["weather"],
  code: "return fetch('https://code.example/x')",
  requiredApiKeys: [{ name: "weather", displayName: "Weather" }],
  requiredConfigServices: [{ name: "weather", configSchema }],
});
const told = (isOfModel: boolean, ...fields: ConfigField[]) =>
  describeServices(needsOf(...fields), isOfModel, new Date(0))[0]!;
const required = true;

test("a person's tool says what its services are and where their secrets may go", () => {
  const fields: ConfigField[] = [
    { name: "api_key", type: "text", required },
    { name: "base_url", type: "url", required, default: "https://a.example" },
  ];
  expect(told(false, ...fields)).toMatchObject({
    name: "weather",
    displayName: "Weather",
    configSchema: fields,
    codeHosts: ["code.example"],
    registeredBy: "tool_1",
    kept: false,
  });
});

test("the hosts in a model's code are nowhere for a secret to go", () => {
  expect(told(true)).toMatchObject({ displayName: "Weather", codeHosts: [] });
});

test.each<[string, ConfigField, Partial<ConfigField>]>([
  ["a key", { name: "api_key", type: "text", required, default: "x" }, { type: "secret" }],
  [
    "a token to choose",
    { name: "accessToken", type: "select", required, options: ["a"] },
    { type: "secret" },
  ],
  ["a URL", { name: "site", type: "url", required, default: "https://evil.example" }, { type: "url" }],
  ["a base_url of text", { name: "base_url", type: "text", required, default: "https://e" }, { type: "url" }],
  [
    "a base_url to choose",
    { name: "base_url", type: "select", required, options: ["https://e"] },
    { type: "url" },
  ],
])("%s in a model's words keeps its name alone", (_what, field, as) => {
  expect(told(true, field).configSchema).toEqual([{ name: field.name, required, ...as }]);
});

test("a field that is neither stays as a model tells of it", () => {
  const fields: ConfigField[] = [
    { name: "region", type: "text", required, default: "eu" },
    { name: "max_tokens", type: "number", required, default: 5 },
    { name: "password", type: "secret", required },
  ];
  expect(told(true, ...fields).configSchema).toEqual(fields);
});
