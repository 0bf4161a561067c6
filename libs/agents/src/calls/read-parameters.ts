import { type JsonObject, Fault } from "@bulkhead/core";

/** How deep a schema in a string may nest, as a body of the API may. */
const DEPTH_MAX = 100;

/** A schema that came as an object or as JSON in a string. Throws `request.invalid` with the form to send instead. */
export function readParameters(parameters: string | JsonObject): JsonObject {
  if (typeof parameters !== "string") return parameters;
  let parsed: unknown;
  try {
    parsed = JSON.parse(parameters);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it can't be parsed";
    throw invalid(`is not valid JSON (${why}); send a JSON Schema as a JSON string`, cause);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw invalid('must be a JSON Schema object, as in {"type":"object","properties":{}}');
  }
  if (nestsTooDeep(parsed)) throw invalid(`nests deeper than ${DEPTH_MAX} levels`);
  return parsed as JsonObject;
}

function invalid(message: string, cause?: unknown): Fault {
  const errors = [{ path: "parameters", message }];
  return new Fault("request.invalid", { detail: `parameters ${message}.`, errors, cause });
}

/** Walks level by level: the value in a string may nest a million levels deep. */
function nestsTooDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((node) =>
      Object.values(node).filter((part): part is object => typeof part === "object" && part !== null),
    );
  }
  return false;
}
