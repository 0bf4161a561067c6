import {
  childOf,
  eachInnerSchema,
  isObject,
  pointerOf,
  stepsOf,
  type Dialect,
  type Json,
  type JsonObject,
} from "@bulkhead/core";
import type { ErrorObject, ValidateFunction } from "ajv";
import { compilePattern } from "./pattern.ts";
import { REACHED } from "./read-meaning.ts";

type Container = JsonObject | Json[];
/** Names of properties, or indexes of items. */
type Names = ReadonlySet<string>;

/**
 * The properties and items of a valid value that the keywords of a schema evaluate, as the drafts define it for
 * unevaluated properties and items. `compiled` gives the check of a part of the schema, by its pointer from the root.
 */
export class Evaluation {
  readonly #whole: JsonObject;
  readonly #dialect: Dialect;
  readonly #compiled: (pointer: string) => ValidateFunction;
  readonly #pointers = new Map<JsonObject, string>();
  readonly #matchers = new Map<string, (text: string) => boolean>();
  /** Within one check, each part of the schema is asked of each object and list once. */
  #seen = new WeakMap<Container, Map<JsonObject, Names>>();
  #taken = new WeakMap<Container, Map<JsonObject, boolean>>();

  constructor(whole: JsonObject, dialect: Dialect, compiled: (pointer: string) => ValidateFunction) {
    this.#whole = whole;
    this.#dialect = dialect;
    this.#compiled = compiled;
  }

  /** A check begins: the value may have been changed since the last. */
  begin(): void {
    this.#seen = new WeakMap();
    this.#taken = new WeakMap();
  }

  /** The names that all keywords of a schema but one evaluate. */
  seenBeside(keyword: string, schema: JsonObject, value: Container): Names {
    const { [keyword]: _itself, ...others } = schema;
    return this.#seenByOwn(others, value);
  }

  errorsOf(schema: JsonObject, value: Json, instancePath: string): readonly ErrorObject[] {
    const check = this.#checkOf(schema);
    const context = {
      instancePath,
      parentData: {},
      parentDataProperty: "",
      rootData: {},
      dynamicAnchors: {},
    };
    return check(value, context) ? [] : (check.errors ?? []);
  }

  #seenBy(schema: Json | undefined, value: Container): Names {
    if (!isObject(schema)) return NONE;
    const known = memoOf(this.#seen, value);
    let seen = known.get(schema);
    if (!seen) {
      seen = this.#seenByOwn(schema, value);
      known.set(schema, seen);
    }
    return seen;
  }

  #seenByOwn(schema: JsonObject, value: Container): Names {
    const seen = new Set<string>();
    for (const [keyword, said] of Object.entries(schema))
      for (const name of Array.isArray(value)
        ? this.#itemsBy(keyword, said, schema, value)
        : this.#propertiesBy(keyword, said, value))
        seen.add(name);
    for (const part of this.#partsOf(schema, value))
      for (const name of this.#seenBy(part, value)) seen.add(name);
    return seen;
  }

  #propertiesBy(keyword: string, said: Json, value: JsonObject): Iterable<string> {
    const names = Object.keys(value);
    switch (keyword) {
      case "properties":
        return isObject(said) ? names.filter((name) => Object.hasOwn(said, name)) : [];
      case "patternProperties": {
        const matchers = Object.keys(isObject(said) ? said : {}).map((source) => this.#matcherOf(source));
        return names.filter((name) => matchers.some((matches) => matches(name)));
      }
      case "additionalProperties":
      case "unevaluatedProperties":
        return names;
      default:
        return [];
    }
  }

  #itemsBy(keyword: string, said: Json, schema: JsonObject, value: Json[]): Iterable<string> {
    const indexes = Object.keys(value);
    switch (keyword) {
      case "prefixItems":
      case "items":
        return Array.isArray(said) ? indexes.slice(0, said.length) : indexes;
      case "additionalItems":
        return Array.isArray(schema["items"]) ? indexes : [];
      case "unevaluatedItems":
        return indexes;
      case "contains":
        // In 2019-09 it looks at nothing.
        return this.#dialect === "2020-12"
          ? indexes.filter((at) => this.#takes(said, value[Number(at)]))
          : [];
      default:
        return [];
    }
  }

  /** The schemas that hold for this very value beside a schema that does. */
  *#partsOf(schema: JsonObject, value: Container): Generator<Json | undefined> {
    const { $ref: ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise } = schema;
    if (typeof ref === "string") yield stepsIn(ref).reduce<Json | undefined>(childOf, this.#whole);
    if (Array.isArray(allOf)) yield* allOf;
    for (const choices of [anyOf, oneOf])
      if (Array.isArray(choices)) yield* choices.filter((one) => this.#takes(one, value));
    if (condition !== undefined) {
      if (this.#takes(condition, value)) yield* [condition, then];
      else yield otherwise;
    }
    if (Array.isArray(value)) return;
    for (const keyword of ["dependentSchemas", "dependencies"])
      for (const [name, one] of Object.entries(isObject(schema[keyword]) ? schema[keyword] : {}))
        if (Object.hasOwn(value, name)) yield one;
  }

  #takes(schema: Json, value: Json | undefined): boolean {
    if (!isObject(schema)) return schema === true;
    if (typeof value !== "object" || value === null) return this.#checkOf(schema)(value);
    const known = memoOf(this.#taken, value);
    let taken = known.get(schema);
    if (taken === undefined) {
      taken = this.#checkOf(schema)(value);
      known.set(schema, taken);
    }
    return taken;
  }

  #checkOf(schema: JsonObject): ValidateFunction {
    if (this.#pointers.size === 0) this.#notePointers();
    const pointer = this.#pointers.get(schema);
    if (pointer === undefined) throw new Error("a part is no schema of the whole");
    return this.#compiled(pointer);
  }

  #notePointers(): void {
    this.#notePointersIn(this.#whole, "");
    const reached = this.#whole[REACHED];
    for (const [index, part] of Array.isArray(reached) ? reached.entries() : [])
      this.#notePointersIn(part, `/${REACHED}/${index}`);
  }

  #notePointersIn(schema: Json, pointer: string): void {
    if (!isObject(schema)) return;
    this.#pointers.set(schema, pointer);
    for (const [steps, inner] of eachInnerSchema(schema))
      this.#notePointersIn(inner, `${pointer}${inFragment(steps)}`);
  }

  #matcherOf(source: string): (text: string) => boolean {
    let matches = this.#matchers.get(source);
    if (!matches) {
      const compiled = compilePattern(source);
      // A pattern without a linear form is refused if it chooses properties.
      matches = compiled.outcome === "compiled" ? compiled.test : () => false;
      this.#matchers.set(source, matches);
    }
    return matches;
  }
}

const NONE: Names = new Set();
const stepsIn = (ref: string): string[] => (ref === "#" ? [] : stepsOf(ref.slice(1)));
const inFragment = (steps: readonly string[]): string =>
  pointerOf(steps).split("/").map(encodeURIComponent).join("/");

function memoOf<T>(memo: WeakMap<Container, Map<JsonObject, T>>, value: Container): Map<JsonObject, T> {
  const known = memo.get(value) ?? new Map<JsonObject, T>();
  memo.set(value, known);
  return known;
}
