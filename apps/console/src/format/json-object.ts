import { readJson } from "./read-json.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an object holds itself: `constructor` and the like are nobody's fields. */
export const ownValue = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The object with the field changed, in its place; undefined takes it out. */
export function withField(object: JsonObject, name: string, value: unknown): Record<string, unknown> {
  const entries = Object.entries(object);
  if (value === undefined) return Object.fromEntries(entries.filter(([key]) => key !== name));
  if (!Object.hasOwn(object, name)) return Object.fromEntries([...entries, [name, value]]);
  return Object.fromEntries(entries.map(([key, one]) => [key, key === name ? value : one]));
}

/** The object that a text is, as JSON; else what is wrong with it, in words. */
export function jsonObjectIn(text: string): Record<string, unknown> | string {
  const read = readJson(text);
  if ("fault" in read) return `Line ${read.fault.line}, column ${read.fault.column}: ${read.fault.message}`;
  return isObject(read.value) ? read.value : "The arguments must be one object, in braces.";
}
