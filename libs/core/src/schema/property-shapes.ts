import type { Json, JsonObject } from "../json/json.ts";
import { isObject } from "./schema-parts.ts";
import type { SchemaReferences } from "./schema-references.ts";

/**
 * The properties of an object or the items of a list that a schema is sure about: references and `allOf` included, unions
 * excluded.
 */
export interface Shape {
  required: ReadonlySet<string>;
  properties: ReadonlyMap<string, PropertyShape>;
  /** Properties that have a default; null is none of a property that takes no null. */
  defaults: readonly { name: string; value: Json; chars: number }[];
  /** The schema of properties that aren't named. */
  others: JsonObject | null;
  /** The schemas of the first items. */
  first: readonly (JsonObject | null)[];
  /** The schema of the items after those. */
  rest: JsonObject | null;
}

interface PropertyShape {
  schema: JsonObject;
  takesNull: boolean;
}

/** Schemas that one schema certainly consists of, with references and `allOf` followed; further ones are ignored. */
const PARTS_MAX = 200;
/** Such parts that are looked at for all shapes of one schema: some tens of milliseconds. */
const LOOKS_MAX = 50_000;

/** The schema says too much in few words: its shapes are too many, or too large. */
export class TooManyParts extends Error {}

/** The shapes of the schemas within one schema, each made once. */
export class PropertyShapes {
  readonly #references: SchemaReferences;
  readonly #shapes = new Map<JsonObject, Shape>();
  readonly #pairs = new Map<JsonObject, Map<JsonObject, JsonObject>>();
  #looks = 0;

  constructor(references: SchemaReferences) {
    this.#references = references;
  }

  /** Throws `TooManyParts`. */
  of(schema: JsonObject): Shape {
    let shape = this.#shapes.get(schema);
    if (!shape) {
      shape = this.#make(schema);
      this.#shapes.set(schema, shape);
    }
    return shape;
  }

  #make(schema: JsonObject): Shape {
    const parts = this.#partsOf(schema);
    const properties = new Map<string, JsonObject>();
    for (const part of parts)
      for (const [name, inner] of Object.entries(isObject(part["properties"]) ? part["properties"] : {}))
        if (isObject(inner)) properties.set(name, this.#together(properties.get(name), inner));
    const shapes = [...properties].map(([name, inner]): [string, PropertyShape & { parts: JsonObject[] }] => {
      const innerParts = this.#partsOf(inner);
      return [name, { schema: inner, takesNull: this.#takeNull(innerParts), parts: innerParts }];
    });
    return {
      required: new Set(
        parts.flatMap(({ required }) => (Array.isArray(required) ? required.filter(isText) : [])),
      ),
      properties: new Map(shapes),
      defaults: shapes.flatMap(([name, { parts: inner, takesNull }]) => {
        const value = inner.find((part) => part["default"] !== undefined)?.["default"];
        return value === undefined || (value === null && !takesNull)
          ? []
          : [{ name, value, chars: name.length + JSON.stringify(value).length }];
      }),
      others: parts.some((part) => part["patternProperties"] !== undefined)
        ? null
        : this.#wholeOf(parts.map((part) => part["additionalProperties"])),
      ...itemsOf(parts),
    };
  }

  /** The schema itself comes first: its own keywords are nearest. */
  #partsOf(schema: JsonObject): JsonObject[] {
    const parts = new Set<JsonObject>([schema]);
    for (const part of parts) {
      const { allOf } = part;
      const beside = this.#references.dialect !== "draft-07" || part["$ref"] === undefined;
      const inner = [...this.#references.followed(part), ...(beside && Array.isArray(allOf) ? allOf : [])];
      for (const one of inner) if (isObject(one) && parts.size < PARTS_MAX) parts.add(one);
    }
    this.#looks += parts.size;
    if (this.#looks > LOOKS_MAX) throw new TooManyParts();
    const all = [...parts];
    return this.#references.dialect === "draft-07" ? all.filter((part) => part["$ref"] === undefined) : all;
  }

  /** The same for the same two: in a schema that refers to itself, each level would else be one of its own. */
  #together(one: JsonObject | undefined, other: JsonObject): JsonObject {
    if (one === undefined) return other;
    const withOne = this.#pairs.get(one) ?? new Map<JsonObject, JsonObject>();
    this.#pairs.set(one, withOne);
    const both = withOne.get(other) ?? { allOf: [one, other] };
    withOne.set(other, both);
    return both;
  }

  #wholeOf(schemas: (Json | undefined)[]): JsonObject | null {
    return schemas
      .filter(isObject)
      .reduce<JsonObject | null>((all, one) => this.#together(all ?? undefined, one), null);
  }

  /** False where some part certainly refuses null. */
  #takeNull(parts: readonly JsonObject[]): boolean {
    return parts.every((part) => this.#takesNull(part, UNIONS_DEEP_MAX));
  }

  #takesNull(part: JsonObject, depth: number): boolean {
    if (part["nullable"] === true) return true;
    const { type, enum: values, const: only, anyOf, oneOf } = part;
    if (type !== undefined && type !== "null" && !(Array.isArray(type) && type.includes("null")))
      return false;
    if (Array.isArray(values) && !values.includes(null)) return false;
    if (only !== undefined && only !== null) return false;
    return [anyOf, oneOf].every(
      (choices) =>
        !Array.isArray(choices) ||
        depth === 0 ||
        choices.some((one) => this.#choiceTakesNull(one, depth - 1)),
    );
  }

  #choiceTakesNull(choice: Json, depth: number): boolean {
    if (!isObject(choice)) return choice === true;
    return this.#partsOf(choice).every((part) => this.#takesNull(part, depth));
  }
}

/** Unions within unions that are looked into; further ones are taken to take null. */
const UNIONS_DEEP_MAX = 4;

function itemsOf(parts: readonly JsonObject[]): Pick<Shape, "first" | "rest"> {
  const holder = parts.find((part) => part["items"] !== undefined || part["prefixItems"] !== undefined);
  if (!holder) return { first: [], rest: null };
  const { items, prefixItems, additionalItems } = holder;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  return { first: tuple.map((one) => (isObject(one) ? one : null)), rest: isObject(rest) ? rest : null };
}

const isText = (value: Json): value is string => typeof value === "string";
