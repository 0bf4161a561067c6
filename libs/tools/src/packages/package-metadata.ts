import { EXAMPLE_CHARS_MAX, EXAMPLES_MAX, README_CHARS_MAX } from "@bulkhead/contracts";
import type { Json, JsonObject } from "@bulkhead/core";

/** The files of a tool's folder beside its definition; kept in the tool's `metadata.package`. */
export interface PackageExtras {
  /** The name before it became a tool's. */
  name?: string;
  readme?: string;
  examples?: JsonObject;
}

/** How the files in `examples/` may be called. */
export const EXAMPLE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.json$/;

/** Null when the metadata has another use for `package`. */
export function withExtras(metadata: JsonObject | undefined, extras: PackageExtras): JsonObject | null {
  const kept = metadata?.["package"] ?? {};
  if (!isObject(kept)) return Object.keys(extras).length === 0 ? (metadata ?? null) : null;
  const merged = { ...kept, ...extras } as JsonObject;
  return Object.keys(merged).length === 0 ? (metadata ?? {}) : { ...metadata, package: merged };
}

/** The files that the metadata stands for, and the metadata that is left; what an import would not take stays there. */
export function splitExtras(metadata: JsonObject | null): { rest: JsonObject | null; files: PackageExtras } {
  const kept = metadata?.["package"];
  if (!isObject(kept)) return { rest: metadata, files: {} };
  const { readme, examples, ...others } = kept;
  const files: PackageExtras = {};
  if (typeof readme === "string" && readme.length <= README_CHARS_MAX && readme.isWellFormed()) {
    files.readme = readme;
  } else if (readme !== undefined) others["readme"] = readme;
  if (isExamples(examples)) files.examples = examples;
  else if (examples !== undefined) others["examples"] = examples;
  const { package: _, ...rest } = metadata ?? {};
  const left = Object.keys(others).length > 0 ? { ...rest, package: others } : rest;
  return { rest: Object.keys(left).length > 0 ? left : null, files };
}

const isExamples = (examples: Json | undefined): examples is JsonObject =>
  isObject(examples) &&
  Object.keys(examples).length > 0 &&
  Object.keys(examples).length <= EXAMPLES_MAX &&
  Object.entries(examples).every(
    ([name, example]) => EXAMPLE_NAME.test(name) && JSON.stringify(example).length <= EXAMPLE_CHARS_MAX,
  );

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
