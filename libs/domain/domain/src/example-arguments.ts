import { multipleNear } from "./decimal.ts";
import type { Json, JsonObject } from "./json.ts";

/** Levels of schemas within schemas, references included, and items of one list; what lies beyond is left out. */
const DEPTH_MAX = 8;
const ITEMS_MAX = 3;
const TEXT_CHARS_MAX = 200;
/** Values in all: schemas that refer to one another could make any number. */
const VALUES_MAX = 500;
/** Characters of all names and of all values that a schema gives, as JSON; a schema that gives more gets no example. */
const CHARS_MAX = 16 * 1024;

/** What the examples of one schema share. */
interface Making {
  root: JsonObject;
  valuesLeft: number;
  charsLeft: number;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "someone@example.com",
  "idn-email": "someone@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "https://example.com/",
  iri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/example",
  regex: "^example$",
};
const PLAIN_TEXT = "example";

/**
 * Small arguments that a schema probably takes, always the same ones: what it names itself (`examples`, `default`, `const`,
 * `enum`), else the plainest of each type, within its bounds. A guess: a schema that says more than types and bounds may
 * refuse them. None where they would be large.
 */
export function exampleArguments(schema: JsonObject): JsonObject {
  const making = { root: schema, valuesLeft: VALUES_MAX, charsLeft: CHARS_MAX };
  const example = exampleOf(schema, making, DEPTH_MAX);
  return isObject(example) && making.charsLeft >= 0 ? example : {};
}

function exampleOf(said: Json | undefined, making: Making, depth: number): Json {
  if (!isObject(said) || depth === 0 || making.valuesLeft <= 0 || making.charsLeft < 0) return null;
  making.valuesLeft -= 1;
  const schema = isText(said["$ref"])
    ? { ...resolve(said["$ref"], making.root), ...without(said, "$ref") }
    : said;
  const given = givenBy(schema);
  if (given !== undefined) {
    making.charsLeft -= JSON.stringify(given).length;
    return given;
  }
  if (isText(schema["$ref"])) return exampleOf(schema, making, depth - 1);
  const part = [schema["oneOf"], schema["anyOf"]].find(isNonEmpty)?.[0];
  const all = isNonEmpty(schema["allOf"]) ? schema["allOf"] : [];
  const merged = [...all, ...(part === undefined ? [] : [part])].filter(isObject).reduce(merge, schema);
  if (merged !== schema) return exampleOf(without(merged, "allOf", "anyOf", "oneOf"), making, depth - 1);
  return plainest(schema, making, depth);
}

function plainest(schema: JsonObject, making: Making, depth: number): Json {
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, making, depth);
    case "array":
      return listOf(schema, making, depth);
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function givenBy(schema: JsonObject): Json | undefined {
  if (isNonEmpty(schema["examples"])) return schema["examples"][0];
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["const"] !== undefined) return schema["const"];
  return isNonEmpty(schema["enum"]) ? schema["enum"][0] : undefined;
}

function typeOf({ type, properties, items }: JsonObject): Json | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? "null";
  return type ?? (properties ? "object" : items ? "array" : undefined);
}

/** Required properties, and others where there is room for what is in them. */
function objectOf(schema: JsonObject, making: Making, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].filter(isText) : [];
  const optional = depth > DEPTH_MAX / 2 && making.valuesLeft > 0 ? Object.keys(properties) : [];
  const names = [...new Set([...required, ...optional])];
  making.charsLeft -= names.join("").length;
  if (making.charsLeft < 0) return {};
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], making, depth - 1)]));
}

function listOf({ items, prefixItems, minItems }: JsonObject, making: Making, depth: number): Json[] {
  const first = isNonEmpty(prefixItems) ? prefixItems : [];
  const count = Math.min(ITEMS_MAX, Math.max(isNumber(minItems) ? minItems : 1, first.length));
  if (depth === 1 || (items === false && first.length === 0)) return [];
  return Array.from({ length: count }, (_, at) => exampleOf(first[at] ?? items, making, depth - 1));
}

function textOf({ format, minLength, maxLength }: JsonObject): string {
  const known = isText(format) && Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined;
  if (known !== undefined) return known;
  const least = isNumber(minLength) ? Math.min(minLength, TEXT_CHARS_MAX) : 0;
  const text = PLAIN_TEXT.repeat(Math.max(1, Math.ceil(least / PLAIN_TEXT.length)));
  return text.slice(
    0,
    Math.max(least, Math.min(PLAIN_TEXT.length, isNumber(maxLength) ? maxLength : Infinity)),
  );
}

function numberOf(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const step = isNumber(multipleOf) && multipleOf > 0 ? multipleOf : 1;
  const over = isNumber(exclusiveMinimum) ? exclusiveMinimum + step : undefined;
  const under = isNumber(exclusiveMaximum) ? exclusiveMaximum - step : undefined;
  const least = isNumber(minimum) ? minimum : over;
  const most = isNumber(maximum) ? maximum : under;
  const wanted = least !== undefined ? Math.max(least, 1) : most !== undefined ? Math.min(most, 1) : 1;
  const stepped = multipleNear(wanted, step, "above");
  return most !== undefined && stepped > most ? multipleNear(most, step, "below") : stepped;
}

/** What a reference within the schema stands for; nothing for any other. */
function resolve(ref: string, root: JsonObject): JsonObject {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return {};
  const steps = ref
    .slice(2)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: Json | undefined = root;
  for (const step of steps) at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return isObject(at) ? at : {};
}

/** Both schemas as one, as far as types, properties and bounds go. */
const merge = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  ...other,
  properties: { ...asObject(one["properties"]), ...asObject(other["properties"]) },
  required: [...asList(one["required"]), ...asList(other["required"])],
});

const without = (schema: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: Json | undefined): value is string => typeof value === "string";
const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const isNonEmpty = (value: Json | undefined): value is Json[] => Array.isArray(value) && value.length > 0;
const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
