import type { Json, JsonObject } from "../json/json.ts";
import { isObject } from "./schema-parts.ts";
import { PropertyShapes, TooManyParts, type Shape } from "./property-shapes.ts";
import { SchemaReferences } from "./schema-references.ts";

/** The ways in which arguments are completed before they are checked. */
export interface Completing {
  /** Fills in a missing property that has a default. */
  defaults: boolean;
  /** Null stands for being left out, where it is the value of an optional property that takes no null. */
  nullsAreAbsent: boolean;
}

/** JSON levels of arguments that are completed; deeper ones are refused by the check. */
const LEVELS_MAX = 64;
/** Objects and lists within arguments that are completed: some tens of milliseconds. */
const VALUES_MAX = 50_000;
/** Characters, as JSON, of all defaults that are filled in. */
export const DEFAULTS_CHARS_MAX = 256 * 1024;

/** The arguments as they are to be checked and run, or why they can't be completed. */
export type Completed = { arguments: JsonObject } | { fault: string };

const TOO_MANY_PARTS =
  "can't be completed: the schema has too many parts that hold for one value, or too many ways to combine them";

/** Thrown inside only. */
class TooMuch extends Error {}

/**
 * Arguments as their schema completes them, in nested objects, items and through references; not within unions, since it
 * is unknown which part is meant. A default is put in as it is written. Arguments that need no change are the same object.
 */
export function completeArguments(schema: JsonObject, args: JsonObject, how: Completing): Completed {
  if (!how.defaults && !(how.nullsAreAbsent && holdsNull(args, LEVELS_MAX))) return { arguments: args };
  try {
    const completion = new Completion(new PropertyShapes(new SchemaReferences(schema)), how);
    const completed = completion.value(schema, args, LEVELS_MAX);
    return { arguments: isObject(completed) ? completed : args };
  } catch (error) {
    if (error instanceof TooMuch) return { fault: error.message };
    if (error instanceof TooManyParts) return { fault: TOO_MANY_PARTS };
    throw error;
  }
}

class Completion {
  readonly #shapes: PropertyShapes;
  readonly #how: Completing;
  #values = 0;
  #chars = 0;

  constructor(shapes: PropertyShapes, how: Completing) {
    this.#shapes = shapes;
    this.#how = how;
  }

  value(schema: JsonObject | null, value: Json, levels: number): Json {
    if (schema === null || typeof value !== "object" || value === null || levels === 0) return value;
    this.#values += 1;
    if (this.#values > VALUES_MAX)
      throw new TooMuch(`have more than ${VALUES_MAX} objects and lists, too many to fill in defaults`);
    const shape = this.#shapes.of(schema);
    return Array.isArray(value) ? this.#list(shape, value, levels) : this.#object(shape, value, levels);
  }

  #list({ first, rest }: Shape, list: Json[], levels: number): Json {
    if (first.length === 0 && rest === null) return list;
    const completed = list.map((item, at) =>
      this.value(at < first.length ? (first[at] ?? null) : rest, item, levels - 1),
    );
    return completed.some((item, at) => item !== list[at]) ? completed : list;
  }

  #object(shape: Shape, object: JsonObject, levels: number): Json {
    let isChanged = false;
    const entries: [string, Json][] = [];
    for (const [name, value] of Object.entries(object)) {
      if (value === null && this.#isAbsent(shape, name)) {
        isChanged = true;
        continue;
      }
      const inner = shape.properties.get(name)?.schema ?? shape.others;
      const completed = this.value(inner, value, levels - 1);
      isChanged ||= completed !== value;
      entries.push([name, completed]);
    }
    if (this.#how.defaults) {
      const there = new Set(entries.map(([name]) => name));
      for (const { name, value, chars } of shape.defaults) {
        if (there.has(name)) continue;
        this.#chars += chars;
        if (this.#chars > DEFAULTS_CHARS_MAX)
          throw new TooMuch(`would have more than ${DEFAULTS_CHARS_MAX / 1024} KiB of defaults`);
        entries.push([name, structuredClone(value)]);
        isChanged = true;
      }
    }
    return isChanged ? Object.fromEntries(entries) : object;
  }

  #isAbsent({ properties, required }: Shape, name: string): boolean {
    return this.#how.nullsAreAbsent && !required.has(name) && properties.get(name)?.takesNull === false;
  }
}

function holdsNull(value: Json, levels: number): boolean {
  if (typeof value !== "object" || levels === 0) return false;
  if (value === null) return true;
  return Object.values(value).some((inner) => holdsNull(inner, levels - 1));
}
