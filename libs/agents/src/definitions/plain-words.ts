import { canonicalJson, isObject, withExclusiveBounds, type Json, type JsonObject } from "@bulkhead/core";

/**
 * The schema in keywords that strict modes know, if others mean the same: null is one of the types, bounds are numbers,
 * the one part of an `allOf` or `anyOf` is the schema itself, items of one kind are no tuple. It does not descend further.
 */
export function inPlainWords(schema: JsonObject): JsonObject {
  const { nullable, ...said } = withExclusiveBounds(withOnlyPart(withoutTuple(schema)));
  return nullable === true ? withNull(said) : said;
}

/** Replaces a union or `allOf` of one part by that part; keywords beside it stay if both don't say the same. */
function withOnlyPart(schema: JsonObject): JsonObject {
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const { [keyword]: parts, ...others } = schema;
    const [part, ...more] = Array.isArray(parts) ? parts : [];
    if (!isObject(part) || more.length > 0) continue;
    if (Object.keys(part).some((name) => !ANNOTATIONS.has(name) && isOther(others[name], part[name])))
      continue;
    return { ...part, ...others };
  }
  return schema;
}

/** Annotations beside a part come before those of the part. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples"]);
const isOther = (one: Json | undefined, other: Json | undefined): boolean =>
  one !== undefined && canonicalJson(one) !== canonicalJson(other);

/** A list whose first items are all of one kind, and whose further ones are too, or don't exist. */
function withoutTuple(schema: JsonObject): JsonObject {
  const { items, prefixItems, additionalItems, ...others } = schema;
  const first = prefixItems ?? items;
  if (!Array.isArray(first)) return schema;
  const [one, ...more] = first;
  if (!isObject(one) || more.some((other) => isOther(one, other))) return schema;
  const behind = prefixItems === undefined ? additionalItems : items;
  if (behind === undefined || behind === true || !isOther(one, behind)) return { ...others, items: one };
  const { maxItems } = others;
  const count = typeof maxItems === "number" ? Math.min(maxItems, first.length) : first.length;
  return { ...others, items: one, maxItems: count };
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values, const: only, anyOf, $ref: ref, ...others } = schema;
  if (ref !== undefined) return { ...others, anyOf: [{ $ref: ref }, { type: "null" }] };
  const types = type === undefined ? [] : [type].flat();
  const list = Array.isArray(values) ? values : only === undefined ? undefined : [only];
  return {
    ...others,
    ...(types.length > 0 ? { type: [...new Set([...types, "null"])] } : {}),
    ...(list ? { enum: list.includes(null) ? list : [...list, null] } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: [...anyOf, { type: "null" }] } : {}),
  };
}
