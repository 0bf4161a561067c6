import type { Json, JsonObject } from "../json/json.ts";
import { ARRAYS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from "./vocabulary.ts";

/** The schemas right within a schema, each with the names and indexes that lead to it. */
export function* eachInnerSchema(schema: JsonObject): Generator<[steps: string[], inner: Json]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      if (!ARRAYS_OF_SCHEMAS.has(keyword)) continue;
      for (const [index, one] of value.entries()) yield [[keyword, String(index)], one];
    } else if (MAPS_OF_SCHEMAS.has(keyword)) {
      if (isObject(value)) for (const [name, one] of Object.entries(value)) yield [[keyword, name], one];
    } else if (SCHEMAS.has(keyword)) yield [[keyword], value];
  }
}

/** The value one step below another: an own property, or an item by an index in its canonical form. */
export function childOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** The steps of a JSON pointer as a fragment writes it (`/a~1b/c%20d`); an invalid escape stands for itself. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split("/")
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The JSON pointer of some steps, not escaped for a URI. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A text whose escapes are resolved; itself where they can't be. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
