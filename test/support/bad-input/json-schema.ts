/** The words of JSON Schema that the reference's requests are described with. */
export interface Schema {
  type?: Type | Type[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: Schema[];
}

type Type = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
/** A schema without a choice of types. */
export type Branch = Schema & { type?: Type };

/** The ways that a value may take; one, where there is no choice. */
export function branchesOf(schema: Schema): Branch[] {
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  const { type, ...rest } = schema;
  if (type === undefined) return [rest];
  return [type].flat().map((one) => ({ ...rest, type: one }));
}

/** An object whose fields are all known. */
export const isClosed = (schema: Schema): boolean =>
  schema.type === "object" && schema.additionalProperties === false;

/** An object of any content: a tool's arguments, a JSON Schema. */
export const isFree = (schema: Schema): boolean =>
  schema.type === "object" && schema.properties === undefined && !hasTypedValues(schema);

const hasTypedValues = ({ additionalProperties: values }: Schema): boolean =>
  typeof values === "object" && Object.keys(values).length > 0;
