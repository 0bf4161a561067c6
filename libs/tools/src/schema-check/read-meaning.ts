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
} from "@bulkhead/core";
import { isTuple, isWrapped, toReadSteps } from "./schema-steps.ts";
import { NO_SCOPE, Scopes, type Scope } from "./scopes.ts";
import { PLAIN_KEYWORDS, REFUSE_NULL } from "./vocabulary.ts";

/** A schema as it is read. */
export interface ReadSchema {
  /** It holds all parts. */
  whole: JsonObject;
  /** The root, and the targets of references alone; each is held against the draft by itself. */
  parts: { steps: readonly string[]; written: JsonObject; read: JsonObject }[];
}

/** The keyword under which the read schema holds the parts that aren't read in their place. */
export const REACHED = "reached";

/**
 * The schema in the meaning of its draft, in words that the compiler takes in no other way: each reference is a pointer
 * from the root, no part has a name, `nullable` of OpenAPI allows null and its `exclusiveMinimum: true` turns `minimum`
 * exclusive, a tuple by `items: [..]` is one in 2020-12 too, an empty `enum` matches no value. Unknown keywords are left
 * out.
 */
export function readMeaning(schema: JsonObject, dialect: Dialect): ReadSchema {
  const reading = new Reading(schema, dialect);
  const root = { steps: [], written: schema, read: reading.read(schema, NO_SCOPE) };
  const reached: JsonObject[] = [];
  const parts = new Map<SchemaNode, ReadSchema["parts"][number]>();
  // More comes while they are read.
  for (const { node, scope } of reading.reached) {
    const { steps, schema: written } = node;
    const read = typeof written === "boolean" ? { allOf: [written] } : reading.read(written, scope);
    reached.push(read);
    if (node.parent === null && typeof written !== "boolean") parts.set(node, { steps, written, read });
  }
  return {
    whole: { ...root.read, ...(reached.length > 0 ? { [REACHED]: reached } : {}) },
    parts: [root, ...parts.values()],
  };
}

/** The schema says too much in few words: read for each way on which its dynamic references are reached, it is too large. */
export class TooManyWays extends Error {}

/** Schemas that are read, of one schema; without dynamic references each is read once. */
const READ_MAX = 6_000;

class Reading {
  readonly references: SchemaReferences;
  /**
   * Schemas that are read apart from their place: targets of references alone, and those that read differently on the way
   * of some reference.
   */
  readonly reached: { node: SchemaNode; scope: Scope }[] = [];
  readonly #dialect: Dialect;
  readonly #scopes: Scopes;
  readonly #indexes = new Map<string, number>();
  #readsLeft = READ_MAX;

  constructor(root: JsonObject, dialect: Dialect) {
    this.references = new SchemaReferences(root, dialect);
    this.#scopes = new Scopes(this.references);
    this.#dialect = dialect;
  }

  /** A schema as it is read by a check that comes from `outer`. */
  read(schema: JsonObject, outer: Scope): JsonObject {
    const node = this.references.nodeOf(schema);
    if (!node) throw new Error("a schema was read that stands nowhere");
    this.#readsLeft -= 1;
    if (this.#readsLeft < 0) throw new TooManyWays();
    const scope = this.#scopes.entered(outer, node.resource);
    const kept = Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword]) => isRead(keyword))
        .map(([keyword, value]) => [keyword, this.#keyword(keyword, value, scope)]),
    );
    const read = withExclusiveBounds(this.#withReferences(kept, schema, node, scope));
    const tuple = this.#dialect === "2020-12" && isTuple(schema) ? asPrefix(read) : read;
    return withoutEmptyEnum(schema["nullable"] === true ? withNull(tuple, isWrapped(schema)) : tuple);
  }

  #keyword(keyword: string, value: Json, scope: Scope): Json {
    const readOne = (one: Json): Json => (isObject(one) ? this.read(one, scope) : one);
    if (Array.isArray(value)) return ARRAYS_OF_SCHEMAS.has(keyword) ? value.map(readOne) : value;
    if (!isObject(value)) return value;
    if (MAPS_OF_SCHEMAS.has(keyword))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readOne(one)]));
    return SCHEMAS.has(keyword) ? this.read(value, scope) : value;
  }

  /** On one way each reference leads to one place, so all of them become plain ones. */
  #withReferences(read: JsonObject, written: JsonObject, from: SchemaNode, scope: Scope): JsonObject {
    const [first, ...more] = this.references.referencesOf(written).map(([keyword, ref]) => {
      const lead = this.references.lead(ref, from, keyword);
      if (!("node" in lead)) throw new Error(`a reference that leads ${lead.outcome} was let through`);
      const anew = lead.outcome === "changing" ? this.#scopes.placeOf(lead.name, scope) : undefined;
      return this.#pointerTo(anew ?? lead.node, scope);
    });
    if (first === undefined) return read;
    const all = Array.isArray(read["allOf"]) ? read["allOf"] : [];
    return {
      ...read,
      $ref: first,
      ...(more.length > 0 ? { allOf: [...all, ...more.map((one) => ({ $ref: one }))] } : {}),
    };
  }

  #pointerTo(node: SchemaNode, from: Scope): string {
    const scope = this.#scopes.entered(from, node.resource);
    const steps = toReadSteps(node, this.#dialect);
    const inPlace = steps !== null && this.#scopes.inPlace(node).key === scope.key;
    const read = inPlace ? steps : [REACHED, String(this.#indexOf(node, scope))];
    return `#${pointerOf(read).split("/").map(encodeURIComponent).join("/")}`;
  }

  #indexOf(node: SchemaNode, scope: Scope): number {
    const key = `${pointerOf(node.steps)} ${scope.key}`;
    const index = this.#indexes.get(key) ?? this.reached.push({ node, scope }) - 1;
    this.#indexes.set(key, index);
    return index;
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

/** `const` beside `enum` becomes the list of values that both allow. */
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
