import { Fault, type ConfigField, type StoredEntry } from "@bulkhead/core";
import { expect, test } from "vitest";
import { sampleService } from "../fixtures/config-world.ts";
import { requireFitting } from "./fit-entries.ts";

const AT = new Date(0);
const ENTRY: StoredEntry = {
  label: "main",
  values: { host: "mail.example.com", port: 25, folder: " " },
  secrets: { password: { sealed: "s", setAt: AT, setBy: "key_1", lastFour: null, wholeWordsOnly: false } },
  createdAt: AT,
  updatedAt: AT,
};
const field = (name: string, type: ConfigField["type"], more: Partial<ConfigField> = {}): ConfigField => ({
  name,
  type,
  required: false,
  ...more,
});
const SCHEMA = [
  field("host", "text"),
  field("port", "number"),
  field("password", "secret"),
  field("folder", "text"),
];

const refusal = (configSchema: ConfigField[]) => {
  try {
    requireFitting(sampleService({ configSchema, entries: [ENTRY] }));
    return null;
  } catch (error) {
    return error instanceof Fault ? error.errors.map(({ message }) => message).join() : error;
  }
};

test.each<[string, ConfigField[]]>([
  ["the same fields", SCHEMA],
  ["further fields, also required ones", [...SCHEMA, field("from", "text", { required: true })]],
  [
    "another type that the value has too",
    [field("host", "select", { options: ["mail.example.com"] }), ...SCHEMA.slice(1)],
  ],
])("%s fit", (_what, schema) => {
  expect(refusal(schema)).toBeNull();
});

test.each<[string, ConfigField[], RegExp]>([
  ["a filled field that goes", SCHEMA.slice(1), /"main" has a value of host/],
  [
    "a secret that would be shown",
    [...SCHEMA.slice(0, 2), field("password", "text"), field("folder", "text")],
    /password, which is a secret/,
  ],
  [
    "a shown value that would be a secret",
    [field("host", "secret"), ...SCHEMA.slice(1)],
    /host, which is no secret/,
  ],
  [
    "a blank where something is required",
    [...SCHEMA.slice(0, 3), field("folder", "text", { required: true })],
    /folder, which must not be blank/,
  ],
  ["a type that the value has not", [field("host", "url"), ...SCHEMA.slice(1)], /host, which must be a URL/],
])("%s is refused and named, without the value", (_what, schema, message) => {
  expect(refusal(schema)).toMatch(message);
  expect(refusal(schema)).not.toContain("mail.example");
});
