import { branchesOf, isFree, type Schema } from "./json-schema.ts";
import { sampleOf } from "./sample-of.ts";

type Part = "body" | "query" | "path" | "header";

export interface Field {
  method: string;
  /** As in `/api/v1/custom-tools/{id}`. */
  route: string;
  part: Part;
  /** As in `["limits", "cpuMs"]`; the body itself has none. Items of lists and entries of maps stand under their first one. */
  path: readonly string[];
  schema: Schema;
  /** Of the whole body; null where the route takes none. */
  body: Schema | null;
}

interface Operation {
  parameters?: { in: Exclude<Part, "body">; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every field of every request that the reference (`GET /docs/json`) describes. */
export const documentedFields = (paths: Record<string, Record<string, Operation>>): Field[] =>
  Object.entries(paths).flatMap(([route, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      fieldsOf(method.toUpperCase(), route, operation),
    ),
  );

function fieldsOf(method: string, route: string, { parameters = [], requestBody }: Operation): Field[] {
  const described = requestBody?.content["application/json"]?.schema;
  const body = described ?? null;
  const around = parameters.map(({ in: part, name, schema }) => ({
    method,
    route,
    part,
    path: [name],
    schema,
    body,
  }));
  if (!described) return around;
  const within = fieldsWithin(described, []).map((field) => ({
    method,
    route,
    part: "body" as const,
    body,
    ...field,
  }));
  return [...around, ...within];
}

function fieldsWithin(schema: Schema, path: readonly string[]): Pick<Field, "path" | "schema">[] {
  const below = branchesOf(schema).flatMap((branch) => {
    if (branch.items) return fieldsWithin(branch.items, [...path, "0"]);
    const named = Object.entries(branch.properties ?? {});
    return [...named, ...entryOf(branch)].flatMap(([name, field]) => fieldsWithin(field, [...path, name]));
  });
  return [{ path, schema }, ...below];
}

/** One entry of a map, under a name that it takes. */
function entryOf(schema: Schema): [string, Schema][] {
  const { additionalProperties: values, propertyNames: names } = schema;
  if (isFree(schema) || typeof values !== "object") return [];
  return [[String(sampleOf({ type: "string", ...names })), values]];
}
