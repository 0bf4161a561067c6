import type { JsonObject } from "@bulkhead/core";
import { expect, test } from "vitest";
import { definitionWriter, type Definition } from "./formats.ts";

const parameters: JsonObject = {
  type: "object",
  properties: { city: { type: "string", description: "City name" } },
  required: ["city"],
};
const strict = { ...parameters, additionalProperties: false };
const weather: Definition = {
  name: "fetch_weather",
  title: "Weather",
  hints: { readOnlyHint: true, openWorldHint: true },
  description: "Fetch current weather for a city",
  parameters,
  outputSchema: { type: "object" },
  category: "Weather",
  requiresConfirmation: true,
};
const { name, description } = weather;

test("Bulkhead's own format says exactly what is documented", () => {
  const write = definitionWriter("own", true);
  expect(write(weather)).toEqual({
    name,
    description,
    parameters,
    category: "Weather",
    requiresConfirmation: true,
  });
  expect(write({ ...weather, category: null })).not.toHaveProperty("category");
});

test("each provider gets its own shape, strict where it can be", () => {
  expect(definitionWriter("openai", true)(weather)).toEqual({
    type: "function",
    function: { name, description, parameters: strict, strict: true },
  });
  expect(definitionWriter("anthropic", true)(weather)).toEqual({
    name,
    description,
    input_schema: strict,
    strict: true,
  });
  expect(definitionWriter("ai-sdk", true)(weather)).toEqual({
    type: "function",
    name,
    description,
    inputSchema: strict,
    strict: true,
  });
  expect(definitionWriter("mcp", true)(weather)).toEqual({
    name,
    description,
    inputSchema: parameters,
    outputSchema: { type: "object" },
    title: "Weather",
    annotations: { readOnlyHint: true, openWorldHint: true },
    _meta: { "bulkhead/requiresConfirmation": true },
  });
  const plain = { ...weather, title: null, hints: null, requiresConfirmation: false };
  const silent = definitionWriter("mcp", true)(plain);
  expect(Object.keys(silent)).toEqual(["name", "description", "inputSchema", "outputSchema"]);
});

test("an output schema that isn't an object's is none for MCP", () => {
  expect(definitionWriter("mcp", true)({ ...weather, outputSchema: { type: "string" } })).not.toHaveProperty(
    "outputSchema",
  );
});

test("providers are told that arguments are an object, where the schema says so by a reference or not at all", () => {
  const tool = { ...weather, parameters: { $ref: "#/$defs/a", $defs: { a: parameters } } };
  const told = { type: "object", ...tool.parameters };
  expect(definitionWriter("mcp", true)(tool)).toMatchObject({ inputSchema: told });
  expect(definitionWriter("openai", false)(tool)).toMatchObject({ function: { parameters: told } });
  expect(definitionWriter("own", true)(tool)).toMatchObject({ parameters: tool.parameters });
  expect(definitionWriter("own", true)(tool)["parameters"]).not.toHaveProperty("type");
});

test("nothing is strict where nobody asked for it, and then the schema stays as it is", () => {
  expect(definitionWriter("openai", false)(weather)).toEqual({
    type: "function",
    function: { name, description, parameters },
  });
});

test("one request to Anthropic has no more strict tools, optional and nullable parameters than it takes", () => {
  const write = definitionWriter("anthropic", true);
  const tools = Array.from({ length: 30 }, () => write(weather));
  expect(tools.filter((tool) => tool["strict"] === true)).toHaveLength(20);
  const properties = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { type: "string" }]));
  const optional = { ...weather, parameters: { type: "object", properties } };
  const again = definitionWriter("anthropic", true);
  expect([1, 2, 3].map(() => again(optional)["strict"])).toEqual([true, true, undefined]);
});
