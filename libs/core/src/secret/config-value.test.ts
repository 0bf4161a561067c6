import { expect, test } from "vitest";
import type { ConfigFieldType } from "./config-service.ts";
import { configValueFault } from "./config-value.ts";

const LONG = "x".repeat(16 * 1024);

test.each<[ConfigFieldType, unknown]>([
  ["text", ""],
  ["text", LONG],
  ["secret", "s"],
  ["url", "https://api.example.com:8443/v1?x=1"],
  ["url", "http://localhost"],
  ["number", -1.5],
  ["boolean", false],
  ["select", "b"],
])("a %s can hold %o", (type, value) => {
  expect(configValueFault({ type, options: ["a", "b"] }, value)).toBeNull();
});

test.each<[ConfigFieldType, string]>([
  ["text", ""],
  ["text", "  \t\n"],
  ["text", "\u00a0\u200b"],
  ["secret", "   "],
  ["select", " "],
])("a required %s can't hold the blank %j, one that is not can hold something blank", (type, value) => {
  const field = { type, options: [" "] };
  expect(configValueFault({ ...field, required: true }, value)).toMatch(/^must not be blank/);
  expect(configValueFault({ ...field, required: false }, value)).toBeNull();
});

test.each<[ConfigFieldType, unknown]>([
  ["text", "-"],
  ["number", 0],
  ["boolean", false],
])("a required %s can hold %j", (type, value) => {
  expect(configValueFault({ type, required: true }, value)).toBeNull();
});

test.each<[ConfigFieldType, unknown]>([
  ["text", 5],
  ["text", `${LONG}x`],
  ["text", "é".repeat(9_000)],
  ["text", "a\0b"],
  ["text", "\ud800"],
  ["secret", ""],
  ["secret", true],
  ["url", "api.example.com"],
  ["url", "ftp://a.example"],
  ["url", "https://name:hidden-word@a.example"],
  ["number", "5"],
  ["number", Number.NaN],
  ["boolean", "true"],
  ["select", "c"],
  ["select", 1],
])("a %s can't hold %o, and the reason doesn't say it", (type, value) => {
  const fault = configValueFault({ type, options: ["a", "b"] }, value);
  expect(fault).toMatch(/^must /);
  expect(fault).not.toMatch(/hidden-word|xxxx|éé/);
});
