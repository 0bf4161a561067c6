import type { Json, JsonObject, FaultDetail } from "@bulkhead/core";

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

/**
 * JSON Schema of an object with the fields: `{city: {type: "string", required: true}}` requires `city`. What else a field
 * says stays as it is; what its `properties` and `items` say is read the same way. A whole JSON Schema stays itself.
 * Paths in `faults` begin with `path`.
 */
export function fieldsToSchema(fields: JsonObject, path: string, faults: FaultDetail[]): JsonObject {
  if (isSchema(fields)) return fields;
  return objectOf(fields, path, faults);
}

/** No field is a text or a list, which `type` and `$ref` of a schema are. */
const isSchema = (fields: JsonObject): boolean =>
  typeof fields["type"] === "string" || Array.isArray(fields["type"]) || typeof fields["$ref"] === "string";

function objectOf(fields: JsonObject, path: string, faults: FaultDetail[]): JsonObject {
  const required = Object.keys(fields).filter((name) => isRequired(fields[name]));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldToSchema(field, `${path}.${name}`, faults)]),
  );
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function fieldToSchema(field: Json, path: string, faults: FaultDetail[]): Json {
  if (!isObject(field)) {
    faults.push({ path, message: 'must be an object such as {"type": "string", "required": true}' });
    return {};
  }
  const { required, properties, items, ...rest } = field;
  const { type } = rest;
  if (typeof type === "string" && !TYPES.includes(type)) {
    faults.push({ path: `${path}.type`, message: `must be one of ${TYPES.join(", ")}` });
  }
  if (required !== undefined && typeof required !== "boolean" && !Array.isArray(required)) {
    faults.push({ path: `${path}.required`, message: "must be true or false" });
  }
  return {
    ...rest,
    ...(isObject(properties) ? nested(properties, required, path, faults) : {}),
    ...(items === undefined
      ? {}
      : { items: isObject(items) ? fieldToSchema(items, `${path}.items`, faults) : items }),
    // A list is JSON Schema's own way.
    ...(Array.isArray(required) ? { required } : {}),
  };
}

function nested(
  properties: JsonObject,
  required: Json | undefined,
  path: string,
  faults: FaultDetail[],
): JsonObject {
  const { type: _, ...schema } = objectOf(properties, `${path}.properties`, faults);
  return Array.isArray(required) ? { ...schema, required } : schema;
}

const isRequired = (field: Json | undefined): boolean => isObject(field) && field["required"] === true;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
