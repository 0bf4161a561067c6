import type { Json, JsonObject } from "../json/json.ts";

/** Both schemas as one, as far as types, values, properties and bounds go. */
export function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const own = one[keyword];
    merged[keyword] = own === undefined ? value : both(keyword, own, value);
  }
  return merged;
}

const LEAST = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const MOST = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);

function both(keyword: string, own: Json, value: Json): Json {
  if (typeof own === "number" && typeof value === "number") {
    if (LEAST.has(keyword)) return Math.max(own, value);
    if (MOST.has(keyword)) return Math.min(own, value);
  }
  switch (keyword) {
    case "properties":
      return isObject(own) && isObject(value) ? mergeProperties(own, value) : value;
    case "required":
      return [...new Set([...listOf(own), ...listOf(value)])];
    case "allOf":
      return [...listOf(own), ...listOf(value)];
    case "enum":
      return common(listOf(own), listOf(value));
    case "type":
      return commonTypes(listOf(own), listOf(value));
    default:
      return value;
  }
}

function mergeProperties(own: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...own };
  for (const [name, schema] of Object.entries(other)) {
    const there = Object.hasOwn(own, name) ? own[name] : undefined;
    merged[name] = there === undefined ? schema : { allOf: [there, schema] };
  }
  return merged;
}

function common(one: Json[], other: Json[]): Json[] {
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  return one.filter((value) => texts.has(JSON.stringify(value)));
}

function commonTypes(one: Json[], other: Json[]): Json {
  const widened = [one, other].map((types) => (types.includes("number") ? [...types, "integer"] : types));
  const types = common(widened[0] ?? [], widened[1] ?? []);
  const [only] = types;
  return types.length === 1 && only !== undefined ? only : types;
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
