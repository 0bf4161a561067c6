import { isObject, type JsonObject } from "./json-object.ts";

const TYPE_WORDS = new Map([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "yes or no"],
]);

/** What a schema's values are, in words: "text", "list of whole number", "text or null". */
export function typeWords(schema: unknown): string {
  if (!isObject(schema)) return schema === false ? "nothing" : "anything";
  const { type, items, enum: values, anyOf, oneOf, $ref, properties } = schema;
  if (type === "array") return items === undefined ? "list" : `list of ${typeWords(items)}`;
  if (typeof type === "string") return TYPE_WORDS.get(type) ?? type;
  if (Array.isArray(type)) return type.map((one) => TYPE_WORDS.get(one) ?? String(one)).join(" or ");
  const parts = [anyOf, oneOf].find(Array.isArray);
  if (parts !== undefined) return [...new Set(parts.map(typeWords))].join(" or ");
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? $ref;
  if (Array.isArray(values)) return "one of a list";
  return isObject(properties) ? "object" : "anything";
}

const characters = (value: string): string => (value === "1" ? "1 character" : `${value} characters`);
const items = (value: string): string => (value === "1" ? "1 item" : `${value} items`);

const BOUNDS: readonly [keyword: string, words: (value: string) => string][] = [
  ["minimum", (value) => `≥ ${value}`],
  ["maximum", (value) => `≤ ${value}`],
  ["exclusiveMinimum", (value) => `> ${value}`],
  ["exclusiveMaximum", (value) => `< ${value}`],
  ["multipleOf", (value) => `in steps of ${value}`],
  ["minLength", (value) => `at least ${characters(value)}`],
  ["maxLength", (value) => `at most ${characters(value)}`],
  ["minItems", (value) => `at least ${items(value)}`],
  ["maxItems", (value) => `at most ${items(value)}`],
  ["pattern", (value) => `matches ${value}`],
  ["format", (value) => value],
  ["default", (value) => `default ${value}`],
  ["const", (value) => `always ${value}`],
];

/** What a schema demands of a value beside its type, such as `≥ 1` or `one of "a", "b"`. */
export function boundWords(schema: JsonObject): string[] {
  const { enum: values, uniqueItems, additionalProperties } = schema;
  const listed = Array.isArray(values) ? `one of ${values.map((one) => JSON.stringify(one)).join(", ")}` : [];
  const bounds = BOUNDS.filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, words]) => {
    const value = schema[keyword];
    return words(typeof value === "string" ? value : JSON.stringify(value));
  });
  return [
    ...[listed].flat(),
    ...bounds,
    ...(uniqueItems === true ? ["no two alike"] : []),
    ...(additionalProperties === false ? ["no other fields"] : []),
  ];
}
