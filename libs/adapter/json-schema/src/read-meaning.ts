import {
  canonicalJson,
  isObject,
  pointerOf,
  SchemaReferences,
  withExclusiveBounds,
  ARRAYS_OF_SCHEMAS,
  MAPS_OF_SCHEMAS,
  SCHEMAS,
  type Dialect,
  type Json,
  type JsonObject,
  type SchemaNode,
} from "@bulkhead/domain";
import { isTuple, isWrapped, toReadSteps } from "./schema-steps.ts";
import { PLAIN_KEYWORDS, REFUSE_NULL } from "./vocabulary.ts";

/** A schema as it is read. */
export interface ReadSchema {
  /** It holds all parts. */
  whole: JsonObject;
  /** The root, and what only references lead to; each is held against the draft by itself. */
  parts: { steps: readonly string[]; written: JsonObject; read: JsonObject }[];
}

/** The keyword under which the schema that is read holds what only references lead to. */
export const REACHED = "reached";

/**
 * The schema as its draft says what it means, in words that the compiler takes in no other way: each reference is a pointer
 * from the root, no part has a name, `nullable` of OpenAPI allows null and its `exclusiveMinimum: true` says what `minimum`
 * is, a tuple by `items: [..]` is one in 2020-12 too, no value is one of an empty `enum`. What is no keyword is left out.
 */
export function readMeaning(schema: JsonObject, dialect: Dialect): ReadSchema {
  const reading = new Reading(schema, dialect);
  const tops = [...reading.references.nodes].filter(({ parent }) => parent === null);
  const parts = tops.map(({ steps, schema: written }) => {
    if (typeof written !== "boolean") return { steps, written, read: reading.read(written) };
    return { steps, written: {}, read: { allOf: [written] } };
  });
  const reached = parts.slice(1).map(({ read }) => read);
  return {
    whole: { ...parts[0]?.read, ...(reached.length > 0 ? { [REACHED]: reached } : {}) },
    parts,
  };
}

class Reading {
  readonly references: SchemaReferences;
  readonly #dialect: Dialect;
  /** What only references lead to, in order. */
  readonly #reached = new Map<SchemaNode, number>();

  constructor(root: JsonObject, dialect: Dialect) {
    this.references = new SchemaReferences(root, dialect);
    this.#dialect = dialect;
    for (const node of this.references.nodes)
      if (node.parent === null && node !== this.references.root) this.#reached.set(node, this.#reached.size);
  }

  read(schema: JsonObject): JsonObject {
    const kept = Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword]) => isRead(keyword))
        .map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]),
    );
    const read = withExclusiveBounds(this.#withReferences(kept, schema));
    const tuple = this.#dialect === "2020-12" && isTuple(schema) ? asPrefix(read) : read;
    return withoutEmptyEnum(schema["nullable"] === true ? withNull(tuple, isWrapped(schema)) : tuple);
  }

  #keyword(keyword: string, value: Json): Json {
    const readOne = (one: Json): Json => (isObject(one) ? this.read(one) : one);
    if (Array.isArray(value)) return ARRAYS_OF_SCHEMAS.has(keyword) ? value.map(readOne) : value;
    if (!isObject(value)) return value;
    if (MAPS_OF_SCHEMAS.has(keyword))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readOne(one)]));
    return SCHEMAS.has(keyword) ? this.read(value) : value;
  }

  /** Each reference leads to one place, so that all of them are plain ones. */
  #withReferences(read: JsonObject, written: JsonObject): JsonObject {
    const from = this.references.nodeOf(written);
    if (!from) throw new Error("a schema was read that stands nowhere");
    const [first, ...more] = this.references.referencesOf(written).map(([keyword, ref]) => {
      const lead = this.references.lead(ref, from, keyword);
      if (lead.outcome !== "found") throw new Error(`a reference that leads ${lead.outcome} was let through`);
      return this.#pointerTo(lead.node);
    });
    if (first === undefined) return read;
    const all = Array.isArray(read["allOf"]) ? read["allOf"] : [];
    return {
      ...read,
      $ref: first,
      ...(more.length > 0 ? { allOf: [...all, ...more.map((one) => ({ $ref: one }))] } : {}),
    };
  }

  #pointerTo(node: SchemaNode): string {
    const steps = toReadSteps(node, this.#dialect, (top) => {
      const index = this.#reached.get(top);
      return index === undefined ? [] : [REACHED, String(index)];
    });
    return `#${pointerOf(steps).split("/").map(encodeURIComponent).join("/")}`;
  }
}

const isRead = (keyword: string): boolean =>
  PLAIN_KEYWORDS.has(keyword) ||
  SCHEMAS.has(keyword) ||
  ARRAYS_OF_SCHEMAS.has(keyword) ||
  MAPS_OF_SCHEMAS.has(keyword);

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
