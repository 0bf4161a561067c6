import {
  ARRAYS_OF_SCHEMAS,
  childOf,
  isObject,
  MAPS_OF_SCHEMAS,
  SCHEMAS,
  type Dialect,
  type Json,
  type JsonObject,
  type SchemaNode,
} from "@bulkhead/core";
import { REFUSE_NULL } from "./vocabulary.ts";

/** Its items are listed one by one, as drafts before 2020-12 do. */
export const isTuple = (schema: JsonObject): boolean =>
  Array.isArray(schema["items"]) && schema["prefixItems"] === undefined;

/** A schema that is `nullable` but refuses null stands within an `anyOf` of the schema that is read, behind null. */
export const isWrapped = (schema: JsonObject): boolean =>
  schema["nullable"] === true &&
  Object.keys(schema).some((keyword) => REFUSE_NULL.has(keyword) && keyword !== "anyOf");

/** The steps to a place in the schema as it is read; null where only references lead. */
export function toReadSteps(node: SchemaNode, dialect: Dialect): string[] | null {
  const { parent } = node;
  if (parent === null) return node.steps.length === 0 ? [] : null;
  const above = toReadSteps(parent.node, dialect);
  if (above === null) return null;
  const [keyword = "", ...more] = parent.steps;
  const holder = parent.node.schema;
  if (typeof holder === "boolean") return [...above, keyword, ...more];
  if (isWrapped(holder) && REFUSE_NULL.has(keyword)) return [...above, "anyOf", "1", keyword, ...more];
  const name = dialect === "2020-12" && isTuple(holder) ? (PREFIX_NAMES[keyword] ?? keyword) : keyword;
  return [...above, name, ...more];
}

/** Steps into the schema as it is read, as those into the one that was written: there a fault is to be mended. */
export function toWrittenSteps(read: readonly string[], root: JsonObject, dialect: Dialect): string[] {
  const walk = new Walk(root);
  const written: string[] = [];
  for (let at = 0; at < read.length; at += 1) {
    const { schema } = walk;
    let step = read[at] ?? "";
    if (schema && isWrapped(schema) && step === "anyOf") {
      at += 1;
      continue;
    }
    if (schema && dialect === "2020-12" && isTuple(schema)) step = WRITTEN_NAMES[step] ?? step;
    walk.down(step);
    written.push(step);
  }
  return written;
}

const PREFIX_NAMES: Readonly<Record<string, string>> = { items: "prefixItems", additionalItems: "items" };
const WRITTEN_NAMES: Readonly<Record<string, string>> = { prefixItems: "items", items: "additionalItems" };

/** Goes down a schema and tells schemas from containers of schemas. */
class Walk {
  #at: Json | undefined;
  #kind: "schema" | "holder" | "data" = "schema";

  constructor(root: JsonObject) {
    this.#at = root;
  }

  /** The schema at the current position, if it is one. */
  get schema(): JsonObject | undefined {
    return this.#kind === "schema" && isObject(this.#at) ? this.#at : undefined;
  }

  down(step: string): void {
    const below = childOf(this.#at, step);
    if (this.#kind === "holder") this.#kind = "schema";
    else if (this.#kind === "schema") {
      const holds =
        (MAPS_OF_SCHEMAS.has(step) && isObject(below)) ||
        (ARRAYS_OF_SCHEMAS.has(step) && Array.isArray(below));
      this.#kind = holds ? "holder" : SCHEMAS.has(step) ? "schema" : "data";
    }
    this.#at = below;
  }
}
