import type { JsonObject } from "../json.ts";

/** A fault in some input; `path` is dotted from the root (`arguments.items.0.name`). */
export interface InputFault {
  path: string;
  message: string;
}

/** Checks a tool's schema and the arguments against it, in bounded time whatever either holds. */
export interface SchemaChecker {
  /** The faults of a schema; none when arguments can be checked against it. Paths start with `parameters`. */
  checkSchema(schema: JsonObject): Promise<InputFault[]>;
  /** The faults of the arguments; paths start with `arguments`. `key` names an immutable schema, compiled once. */
  checkArguments(key: string, schema: JsonObject, value: JsonObject): Promise<InputFault[]>;
  close(): Promise<void>;
}
