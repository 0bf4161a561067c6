import type { InputFault } from "@bulkhead/domain";
import type { ErrorObject } from "ajv";
import { FAULTS_MAX } from "./bounds.ts";
import { buildFault } from "./fault.ts";

/**
 * Says each error at the place where it is to be mended, one for a place, at most `FAULTS_MAX`. `toWritten` gives the steps in
 * what the caller wrote, where another reading of it was checked.
 */
export function describeErrors(
  errors: readonly ErrorObject[],
  root: string,
  toWritten: (steps: string[]) => string[] = (steps) => steps,
): InputFault[] {
  const byPath = new Map<string, InputFault>();
  for (const error of errors) {
    if (byPath.size >= FAULTS_MAX) break;
    const fault = buildFault(placeOf(error, root, toWritten), messageOf(error));
    if (!byPath.has(fault.path)) byPath.set(fault.path, fault);
  }
  return [...byPath.values()];
}

function placeOf(error: ErrorObject, root: string, toWritten: (steps: string[]) => string[]): string {
  const steps = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  // A property that is missing, or should be, has no place of its own yet.
  const property: unknown = error.params[PROPERTY_PARAM[error.keyword] ?? ""];
  return [root, ...toWritten(steps), ...(typeof property === "string" ? [property] : [])].join(".");
}

const PROPERTY_PARAM: Record<string, string> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  dependencies: "missingProperty",
  additionalProperties: "additionalProperty",
  propertyNames: "propertyName",
};

function messageOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
    case "unevaluatedItems":
    case "unevaluatedProperties":
    case "false schema":
      return "is not allowed";
    case "propertyNames":
      return "is not an allowed name";
    case "enum":
      return `must be one of ${JSON.stringify(params.allowedValues).slice(1, -1)}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    default:
      return message ?? `does not match ${keyword}`;
  }
}
