import { isObject, SchemaReferences, type Json, type JsonObject } from "@bulkhead/core";
import { inPlainWords } from "./plain-words.ts";
import type { StrictDialect } from "./strict-dialects.ts";

/** A schema in strict form, and its share of a request's bounds. */
export interface StrictSchema {
  schema: JsonObject;
  optionals: number;
  unions: number;
}

/** Say nothing about which values are valid; `description` does not either, but models read it. */
const ANNOTATIONS = new Set([
  "$schema",
  "$comment",
  "id",
  "title",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** Thrown inside only: the schema can't be expressed. */
class NotStrict extends Error {}

/**
 * The schema as the dialect's strict mode wants it; null when that mode can't express it. Every value that the answer
 * allows is allowed by the original: it may be narrower (no properties that were not named), never wider.
 */
export function toStrict(schema: JsonObject, dialect: StrictDialect): StrictSchema | null {
  const root = asRoot(schema);
  if (root["type"] !== "object" || root["anyOf"] !== undefined) return null;
  try {
    const walk = new StrictWalk(dialect);
    const strict = walk.node(root, 1);
    return { schema: strict, optionals: walk.optionals, unions: walk.unions };
  } catch (error) {
    if (error instanceof NotStrict) return null;
    throw error;
  }
}

/** Arguments are an object: null is no such value, and the root's reference tells its form. */
function asRoot({ nullable: _nullable, ...schema }: JsonObject): JsonObject {
  const root = inPlainWords(schema);
  const { $ref: ref, $id: _name, ...others } = root;
  if (ref === undefined || root["type"] !== undefined) return ref === undefined ? others : root;
  const [target] = new SchemaReferences(root).followed(root);
  return isObject(target) && Object.keys(others).every((name) => name === "$defs" || ANNOTATIONS.has(name))
    ? { ...inPlainWords(target), ...others }
    : root;
}

class StrictWalk {
  optionals = 0;
  unions = 0;
  readonly #dialect: StrictDialect;
  #properties = 0;
  #enumValues = 0;
  #chars = 0;

  constructor(dialect: StrictDialect) {
    this.#dialect = dialect;
  }

  node(written: Json | undefined, depth: number): JsonObject {
    if (!isObject(written) || depth > this.#dialect.depthMax) throw new NotStrict();
    const value = inPlainWords(written);
    const said = Object.entries(value).filter(([keyword]) => !ANNOTATIONS.has(keyword));
    const known = said.every(([keyword]) => keyword === "description" || this.#dialect.keywords.has(keyword));
    if (!known || (value["$defs"] !== undefined && depth > 1)) throw new NotStrict();
    if (typeof value["$ref"] === "string") return this.#reference(value["$ref"], said);
    if (!["type", "enum", "const", "anyOf"].some((keyword) => value[keyword] !== undefined))
      throw new NotStrict();
    if (Array.isArray(value["type"]) || value["anyOf"] !== undefined) this.unions += 1;
    const strict = Object.fromEntries(
      said
        .filter(([keyword]) => keyword !== "required" && keyword !== "additionalProperties")
        .map(([keyword, part]) => [keyword, this.#part(keyword, part, depth)]),
    );
    return mayBe(value, "object") ? { ...strict, ...this.#object(value) } : this.#list(value, strict);
  }

  #part(keyword: string, part: Json, depth: number): Json {
    switch (keyword) {
      case "properties":
      case "$defs":
        return this.#each(part, keyword === "$defs" ? 1 : depth);
      case "items":
        return this.node(part, depth + 1);
      case "anyOf":
        if (!Array.isArray(part)) throw new NotStrict();
        return part.map((choice) => this.node(choice, depth + 1));
      case "format":
        if (typeof part !== "string" || !this.#dialect.formats.has(part)) throw new NotStrict();
        return part;
      case "pattern":
        // Providers' grammars have no lookaround.
        if (typeof part !== "string" || /\(\?<?[=!]/.test(part)) throw new NotStrict();
        return part;
      case "enum":
        return this.#enum(part);
      case "const":
        return this.#enum([part])[0] ?? null;
      default:
        return part;
    }
  }

  #each(part: Json, depth: number): JsonObject {
    if (!isObject(part)) throw new NotStrict();
    return Object.fromEntries(
      Object.entries(part).map(([name, schema]) => {
        this.#properties += 1;
        this.#count(name.length);
        if (this.#properties > this.#dialect.propertiesMax) throw new NotStrict();
        return [name, this.node(schema, depth + 1)];
      }),
    );
  }

  #enum(part: Json): Json[] {
    if (!Array.isArray(part) || part.some((one) => typeof one === "object" && one !== null))
      throw new NotStrict();
    this.#enumValues += part.length;
    if (this.#enumValues > this.#dialect.enumValuesMax) throw new NotStrict();
    for (const one of part) this.#count(JSON.stringify(one).length);
    return part;
  }

  /** An object without named properties is open by intent, which strict modes can't express. */
  #object(value: JsonObject): JsonObject {
    const { properties, required = [], additionalProperties = false } = value;
    if (!isObject(properties) || !Array.isArray(required) || additionalProperties !== false)
      throw new NotStrict();
    const names = Object.keys(properties);
    if (required.some((name) => typeof name !== "string" || !names.includes(name))) throw new NotStrict();
    const optional = names.filter((name) => !required.includes(name));
    if (!this.#dialect.allRequired) {
      this.optionals += optional.length;
      return { required, additionalProperties: false };
    }
    // A nullable property can be given as null; any other must stay optional.
    if (!optional.every((name) => allowsNull(properties[name]))) throw new NotStrict();
    return { required: names, additionalProperties: false };
  }

  #list(value: JsonObject, strict: JsonObject): JsonObject {
    if (mayBe(value, "array") && value["items"] === undefined) throw new NotStrict();
    if (value["properties"] !== undefined || value["required"] !== undefined) throw new NotStrict();
    return strict;
  }

  #reference(ref: string, said: [string, Json][]): JsonObject {
    const alone = said.every(([keyword]) => keyword === "$ref" || keyword === "description");
    if (!alone || !/^#\/\$defs\/[A-Za-z0-9_.-]+$/.test(ref)) throw new NotStrict();
    return { $ref: ref };
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > this.#dialect.charsMax) throw new NotStrict();
  }
}

function mayBe({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

const allowsNull = (schema: Json | undefined): boolean => isObject(schema) && takesNull(inPlainWords(schema));

const takesNull = (schema: JsonObject): boolean =>
  schema["const"] === undefined &&
  (schema["enum"] === undefined || (Array.isArray(schema["enum"]) && schema["enum"].includes(null))) &&
  (schema["anyOf"] === undefined
    ? mayBe(schema, "null") || (schema["type"] === undefined && schema["enum"] !== undefined)
    : (schema["type"] === undefined || mayBe(schema, "null")) &&
      Array.isArray(schema["anyOf"]) &&
      schema["anyOf"].some(allowsNull));
