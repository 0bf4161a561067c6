import { exampleNumber, exampleText, varied } from "./example-values.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { isObject } from "./schema-parts.ts";
import { SchemaReferences } from "./schema-references.ts";
import { mergeSchemas } from "./merge-schemas.ts";

/** Levels of schemas within schemas, references included; deeper ones are left out. */
const DEPTH_MAX = 12;
/** Items of one list, where the schema wants many. */
const ITEMS_MAX = 50;
/** Values in all: schemas that refer to one another could make any number. */
const VALUES_MAX = 500;
/** Characters of all names and of all values that a schema gives, as JSON; a schema that gives more gets no example. */
const CHARS_MAX = 16 * 1024;
/** Choices of unions that are tried. */
const CHOICES_MAX = 3;

/** The state that the examples of one schema share. */
interface Making {
  references: SchemaReferences;
  valuesLeft: number;
  charsLeft: number;
  /** The index of the union's part that is taken. */
  choice: number;
  /** Properties that are not required are left out. */
  lean: boolean;
  /** Ignores the schema's own examples and defaults. */
  plain: boolean;
}

/**
 * Small arguments that a schema probably takes, the likeliest first and always the same ones: its own values (`const`,
 * `enum`, `examples`, `default`), else the plainest of each type, within its bounds. They are guesses: a schema with more
 * than types and bounds may refuse all of them, so they must be checked. The last is empty; it is the only one if the
 * others would be large.
 */
export function exampleArguments(schema: JsonObject): JsonObject[] {
  const references = new SchemaReferences(schema);
  const examples = new Map<string, JsonObject>();
  for (const plain of [false, true])
    for (let choice = 0; choice < CHOICES_MAX; choice += 1)
      for (const lean of [false, true]) {
        const example = exampleBy(references, { choice, lean, plain });
        if (example) examples.set(JSON.stringify(example), example);
      }
  examples.set("{}", {});
  return [...examples.values()];
}

function exampleBy(
  references: SchemaReferences,
  way: Pick<Making, "choice" | "lean" | "plain">,
): JsonObject | undefined {
  const making: Making = { references, valuesLeft: VALUES_MAX, charsLeft: CHARS_MAX, ...way };
  const example = exampleOf(references.root.schema, making, DEPTH_MAX);
  return isObject(example) && making.charsLeft >= 0 ? example : undefined;
}

function exampleOf(said: Json | undefined, making: Making, depth: number): Json {
  if (!isObject(said) || depth === 0 || making.valuesLeft <= 0 || making.charsLeft < 0) return null;
  making.valuesLeft -= 1;
  const schema = wholeOf(said, making, depth);
  const given = givenBy(schema, making.plain);
  if (given === undefined) return plainest(schema, making, depth);
  making.charsLeft -= JSON.stringify(given).length;
  return given;
}

/**
 * The schema with its references resolved, all of its demands together, and one part of each union; null is the last
 * choice.
 */
function wholeOf(said: JsonObject, making: Making, depth: number): JsonObject {
  const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, allOf, anyOf, oneOf, ...own } = said;
  const parts: JsonObject[] = [
    ...making.references.followed(said),
    ...(isNonEmpty(allOf) ? allOf : []),
    ...[anyOf, oneOf].filter(isNonEmpty).map((choices) => partOf(choices, making)),
  ].filter(isObject);
  making.valuesLeft -= parts.length;
  if (parts.length === 0 || depth === 0 || making.valuesLeft <= 0) return own;
  const together = parts.map((part) => wholeOf(part, making, depth - 1)).reduce(mergeSchemas, {});
  // A keyword beside a reference is more specific: its examples go first.
  return mergeSchemas(together, own);
}

function partOf(parts: Json[], { choice }: Making): Json {
  const others = parts.filter((part) => !isObject(part) || part["type"] !== "null");
  return others[choice % others.length] ?? parts[0] ?? null;
}

function plainest(schema: JsonObject, making: Making, depth: number): Json {
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, making, depth);
    case "array":
      return listOf(schema, making, depth);
    case "string":
      return exampleText(schema);
    case "integer":
    case "number":
      return exampleNumber(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function givenBy(schema: JsonObject, plain: boolean): Json | undefined {
  if (schema["const"] !== undefined) return schema["const"];
  const values = isNonEmpty(schema["enum"]) ? schema["enum"] : undefined;
  if (plain) return values?.[0];
  if (isNonEmpty(schema["examples"])) return schema["examples"][0];
  return schema["default"] === undefined ? values?.[0] : schema["default"];
}

function typeOf({ type, properties, required, items, prefixItems }: JsonObject): Json | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? "null";
  return type ?? (properties || required ? "object" : items || prefixItems ? "array" : undefined);
}

/** Required properties, and optional ones while there is depth left for their values. */
function objectOf(schema: JsonObject, making: Making, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const { additionalProperties: others, minProperties, maxProperties } = schema;
  const roomy = !making.lean && depth > DEPTH_MAX / 2 && making.valuesLeft > 0;
  const optional = roomy ? Object.keys(properties).filter((name) => mayBeGuessed(properties[name])) : [];
  const names = [...new Set([...requiredBy(schema), ...optional])];
  if (isNumber(maxProperties)) names.length = Math.min(names.length, maxProperties);
  const least = isNumber(minProperties) ? Math.min(minProperties, ITEMS_MAX) : 0;
  for (let nth = 1; names.length < least; nth += 1) names.push(`property${nth}`);
  making.charsLeft -= names.join("").length;
  if (making.charsLeft < 0) return {};
  const of = (name: string): Json | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : others;
  return Object.fromEntries(names.map((name) => [name, exampleOf(of(name), making, depth - 1)]));
}

/** The required properties, and those that they require in turn. */
function requiredBy({ required, dependentRequired }: JsonObject): string[] {
  const names = new Set(Array.isArray(required) ? required.filter(isText) : []);
  if (isObject(dependentRequired))
    for (const name of names) {
      const more = Object.hasOwn(dependentRequired, name) ? dependentRequired[name] : undefined;
      if (Array.isArray(more)) for (const other of more.filter(isText)) names.add(other);
    }
  return [...names];
}

/** A pattern is only matched by the schema's own examples, and a schema that takes nothing by none. */
function mayBeGuessed(schema: Json | undefined): boolean {
  if (!isObject(schema)) return schema !== false;
  return schema["pattern"] === undefined || givenBy(schema, false) !== undefined;
}

function listOf(schema: JsonObject, making: Making, depth: number): Json[] {
  const { items, prefixItems, additionalItems, contains, minItems, maxItems, uniqueItems } = schema;
  const first = isNonEmpty(prefixItems) ? prefixItems : isNonEmpty(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  const wanted = Math.max(isNumber(minItems) ? minItems : rest === false ? 0 : 1, first.length);
  const count = Math.min(ITEMS_MAX, wanted, isNumber(maxItems) ? maxItems : Infinity);
  const list: Json[] = [];
  if (depth === 1) return list;
  while (making.valuesLeft > 0 && list.length < count) {
    const of = first[list.length] ?? (isObject(contains) ? bothOf(rest, contains) : rest);
    const item = exampleOf(of, making, depth - 1);
    list.push(uniqueItems === true && isObject(of) ? varied(item, list.length, of) : item);
  }
  return list;
}

const bothOf = (items: Json | undefined, contains: JsonObject): JsonObject =>
  isObject(items) ? { allOf: [items, contains] } : contains;

const isText = (value: Json | undefined): value is string => typeof value === "string";
const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const isNonEmpty = (value: Json | undefined): value is Json[] => Array.isArray(value) && value.length > 0;
