import { isObject, type JsonObject, ownValue } from "../format/json-object.ts";
import { fieldsIn } from "./fields.ts";
import { kindOf } from "./field-kinds.ts";
import { inferSchema } from "./infer-schema.ts";

/** What becomes of one field by a schema that was made from an example. */
export interface PlannedField {
  name: string;
  becomes: "new" | "kept" | "changed" | "removed";
}

interface Options {
  kind: "parameters" | "output";
  /** Fields that the example lacks stay. */
  keepsOthers: boolean;
}

/**
 * The schema of an example. Fields that there are already, of the type that the example shows, stay as they are, with what
 * the author wrote of them. A list of objects counts as several examples of arguments, which are one object.
 */
export function schemaFrom(current: unknown, sample: unknown, { kind, keepsOthers }: Options): unknown {
  const isMany = kind === "parameters" && Array.isArray(sample) && sample.length > 0;
  return merged(current, inferSchema(isMany ? sample : [sample]), keepsOthers);
}

/** Why an example can't be one of this kind; undefined: it can. */
export function sampleFault(sample: unknown, kind: Options["kind"]): string | undefined {
  if (kind === "output" || isObject(sample)) return undefined;
  const isMany = Array.isArray(sample) && sample.length > 0 && sample.every(isObject);
  return isMany
    ? undefined
    : "Arguments are one object, in braces; a list of objects counts as several examples.";
}

/** What happens to each field at the top, those that stay first as the result has them. */
export function planOf(before: unknown, after: unknown): PlannedField[] {
  const [old, next] = [before, after].map((schema) => (isObject(schema) ? fieldsIn(schema) : []));
  const was = new Map(old?.map(({ name, schema }) => [name, schema]));
  const is = new Set(next?.map(({ name }) => name));
  const planned = (next ?? []).map(({ name, schema }): PlannedField => {
    if (!was.has(name)) return { name, becomes: "new" };
    return { name, becomes: was.get(name) === schema ? "kept" : "changed" };
  });
  const removed = [...was.keys()].filter((name) => !is.has(name));
  return [...planned, ...removed.map((name): PlannedField => ({ name, becomes: "removed" }))];
}

function merged(current: unknown, inferred: JsonObject, keepsOthers: boolean): unknown {
  if (!isObject(current) || !agrees(current, inferred)) return inferred;
  const kind = kindOf(inferred);
  if (kind === "object" && ["object", "any"].includes(kindOf(current)))
    return mergedObject(current, inferred, keepsOthers);
  const { items } = inferred;
  if (kindOf(current) !== "list" || !isObject(items)) return current;
  const next = merged(current["items"], items, keepsOthers);
  return next === current["items"] ? current : { ...current, items: next };
}

/** Whether the author's schema and what the example shows are of one kind; what can't be shown is the author's to say. */
function agrees(current: JsonObject, inferred: JsonObject): boolean {
  const [was, is] = [kindOf(current), kindOf(inferred)];
  if (was === is || was === "other" || is === "any") return true;
  if (was === "any") return is === "object";
  return was === "choice"
    ? is === "text" || is === "integer" || is === "number"
    : was === "number" && is === "integer";
}

function mergedObject(current: JsonObject, inferred: JsonObject, keepsOthers: boolean): JsonObject {
  const was = new Map(fieldsIn(current).map((field) => [field.name, field]));
  const found = fieldsIn(inferred).map((field) => {
    const before = was.get(field.name);
    return before === undefined
      ? field
      : { ...before, schema: merged(before.schema, field.schema as JsonObject, keepsOthers) };
  });
  const names = new Set(found.map(({ name }) => name));
  const others = keepsOthers ? [...was.values()].filter(({ name }) => !names.has(name)) : [];
  // Those that there were keep their order.
  const place = new Map([...was.keys()].map((name, index) => [name, index]));
  const fields = [...found, ...others].sort(
    (one, other) => (place.get(one.name) ?? was.size) - (place.get(other.name) ?? was.size),
  );
  const isSame =
    fields.length === was.size && fields.every(({ name, schema }) => was.get(name)?.schema === schema);
  if (isSame) return current;
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const { required: _, ...rest } = current;
  return {
    ...(current["type"] === undefined && { type: "object" }),
    ...rest,
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** How many fields at the top the example lacks. */
export const lackedBy = (current: unknown, sample: unknown): number =>
  isObject(current) && isObject(sample)
    ? fieldsIn(current).filter(({ name }) => ownValue(sample, name) === undefined).length
    : 0;
