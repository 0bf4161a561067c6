import { expect, test } from "vitest";
import { readAgentSearch, readDefinition, tokensOf } from "./definition.ts";

test.each([
  { name: "a", description: "b", parameters: {} },
  { type: "function", function: { name: "a", description: "b", parameters: {} } },
  { name: "a", description: "b", input_schema: {} },
])("%j is read whichever format it has", (whole) => {
  expect(readDefinition(whole)).toMatchObject({ name: "a", description: "b", whole });
});

test("tokens are told by the characters of what a model reads", () => {
  const definition = readDefinition({ name: "a" });
  expect(definition.tokens).toBe(3);
  expect(tokensOf([definition, definition])).toBe(6);
});

test("what is no text shows as none", () => {
  expect(readDefinition({ name: 1, function: null })).toMatchObject({ name: "", description: "" });
});

test("an address holds what is known of it", () => {
  expect(readAgentSearch({ agent: "a", tab: "sees", kind: "meta", format: "x", strict: "true" })).toEqual({
    agent: "a",
    kind: "meta",
  });
});
