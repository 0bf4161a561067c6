import type { Json, JsonObject } from "../json/json.ts";

/** A fault in some input; `path` is dotted from the root (`arguments.items.0.name`). */
export interface InputFault {
  path: string;
  message: string;
}

/** The findings about a schema. Without a fault, values can be checked against it, except for its warnings. */
export interface SchemaFindings {
  faults: InputFault[];
  /** The keywords that stay unchecked, each with its place. */
  warnings: InputFault[];
}

/**
 * The two places of a tool that hold a schema; the paths of its faults start with it. Only `parameters` must be an
 * object's.
 */
export type SchemaPlace = "parameters" | "outputSchema";

/**
 * Checks a tool's schemas, and arguments and results against them, in bounded time for any input. The check uses the
 * tenant's share of the processors.
 */
export interface SchemaChecker {
  checkSchema(tenantId: string, schema: JsonObject, place: SchemaPlace): Promise<SchemaFindings>;
  /** The faults of the arguments; paths start with `arguments`. `key` names an immutable schema, compiled once. */
  checkArguments(tenantId: string, key: string, schema: JsonObject, value: JsonObject): Promise<InputFault[]>;
  /** The same for a result; paths start with `result`. A key must not stand for the schema of arguments as well. */
  checkResult(tenantId: string, key: string, schema: JsonObject, value: Json): Promise<InputFault[]>;
  close(): Promise<void>;
}
