import { canonicalJson, type Json, type JsonObject } from "@bulkhead/domain";
import type { Dialect } from "./dialect.ts";
import { isTuple, isWrapped, toReadPointer } from "./schema-steps.ts";
import { ARRAYS_OF_SCHEMAS, MAPS_OF_SCHEMAS, REFUSE_NULL, SCHEMAS } from "./vocabulary.ts";

/**
 * The schema as its draft says what it means: `nullable` of OpenAPI allows null, a tuple by `items: [..]` is one in 2020-12 too,
 * no value is one of an empty `enum`. Words that only the compiler would take for its own are left out.
 */
export function readMeaning(schema: JsonObject, dialect: Dialect): JsonObject {
  return readNode(schema, { root: schema, dialect });
}

interface Reading {
  root: JsonObject;
  dialect: Dialect;
}

function readNode(schema: JsonObject, reading: Reading): JsonObject {
  const said = reading.dialect === "draft-07" ? schema : withPlainReferences(schema);
  const read = Object.fromEntries(
    Object.entries(said)
      .filter(([keyword]) => keyword !== "id" && keyword !== "nullable")
      .map(([keyword, value]) => [keyword, readKeyword(keyword, value, reading)]),
  );
  const tuple = reading.dialect === "2020-12" && isTuple(schema) ? asPrefix(read) : read;
  return withoutEmptyEnum(schema["nullable"] === true ? withNull(tuple, isWrapped(schema)) : tuple);
}

/** In a schema that is one document, dynamic references lead where plain ones do; the compiler takes some elsewhere. */
function withPlainReferences(schema: JsonObject): JsonObject {
  const { $dynamicRef, $recursiveRef, ...others } = schema;
  const [ref, ...more] = [others["$ref"], $dynamicRef, $recursiveRef].filter((one) => one !== undefined);
  if (ref === undefined) return others;
  if (more.length === 0) return { ...others, $ref: ref };
  const all = Array.isArray(others["allOf"]) ? others["allOf"] : [];
  return { ...others, $ref: ref, allOf: [...all, ...more.map((one) => ({ $ref: one }))] };
}

function readKeyword(keyword: string, value: Json, reading: Reading): Json {
  if (keyword === "$ref" && typeof value === "string")
    return namesRoot(value, reading) ? "#" : toReadPointer(value, reading.root, reading.dialect);
  if (Array.isArray(value))
    return ARRAYS_OF_SCHEMAS.has(keyword) ? value.map((one) => readValue(one, reading)) : value;
  if (!isObject(value)) return value;
  if (MAPS_OF_SCHEMAS.has(keyword))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readValue(one, reading)]));
  return SCHEMAS.has(keyword) ? readNode(value, reading) : value;
}

const readValue = (value: Json, reading: Reading): Json =>
  isObject(value) ? readNode(value, reading) : value;

/** The compiler knows no anchor of the root's own. */
const namesRoot = (ref: string, { root, dialect }: Reading): boolean =>
  dialect !== "draft-07" &&
  ["$anchor", "$dynamicAnchor"].some(
    (keyword) => typeof root[keyword] === "string" && ref === `#${root[keyword]}`,
  );

function asPrefix({ items, additionalItems, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    prefixItems: items ?? [],
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function withNull(nullable: JsonObject, wrapped: boolean): JsonObject {
  const schema = withOneList(nullable);
  const allowing = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (keyword === "type") return [keyword, withOne("null", Array.isArray(value) ? value : [value])];
      if (keyword === "enum" && Array.isArray(value)) return [keyword, withOne(null, value)];
      return keyword === "const" ? ["enum", withOne(null, [value])] : [keyword, value];
    }),
  );
  if (!wrapped)
    return Array.isArray(allowing["anyOf"])
      ? { ...allowing, anyOf: [...allowing["anyOf"], { type: "null" }] }
      : allowing;
  const inner = Object.entries(allowing).filter(([keyword]) => REFUSE_NULL.has(keyword));
  const outer = Object.entries(allowing).filter(([keyword]) => !REFUSE_NULL.has(keyword));
  return { ...Object.fromEntries(outer), anyOf: [{ type: "null" }, Object.fromEntries(inner)] };
}

/** `const` beside `enum` is the list of what both allow. */
function withOneList(schema: JsonObject): JsonObject {
  const { const: only, enum: list, ...others } = schema;
  if (only === undefined || !Array.isArray(list)) return schema;
  return { ...others, enum: list.filter((one) => canonicalJson(one) === canonicalJson(only)) };
}

/** The compiler takes no empty list. */
function withoutEmptyEnum(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema["enum"]) || schema["enum"].length > 0) return schema;
  const { enum: _none, allOf, ...others } = schema;
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), false] };
}

const withOne = (one: Json, list: Json[]): Json[] => (list.includes(one) ? list : [...list, one]);
const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
