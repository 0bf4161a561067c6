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
  const typesBy = new Map<string, string[]>();
  for (const error of withoutParts(errors)) {
    if (byPath.size >= FAULTS_MAX) break;
    const fault = buildFault(placeOf(error, root, toWritten), messageOf(error) + reasonOf(error, errors));
    const types = error.keyword === "type" ? [error.params["type"]].flat().map(String) : [];
    const known = typesBy.get(fault.path);
    if (!byPath.has(fault.path)) {
      byPath.set(fault.path, fault);
      if (types.length > 0) typesBy.set(fault.path, types);
    } else if (known && types.length > 0) {
      // Each choice of a union asks for its own.
      known.push(...types);
      byPath.set(fault.path, buildFault(fault.path, mustBe(known)));
    }
  }
  return [...byPath.values()];
}

const mustBe = (types: readonly string[]): string => `must be ${[...new Set(types)].join(" or ")}`;

/** Why a name is none that is allowed. */
function reasonOf({ keyword, params }: ErrorObject, errors: readonly ErrorObject[]): string {
  if (keyword !== "propertyNames") return "";
  const reason = errors.find(({ propertyName }) => propertyName === params["propertyName"]);
  return reason ? `: it ${messageOf(reason)}` : "";
}

/** What a name or an item among others fails is no fault of that place: what asked for one that doesn't says so. */
function withoutParts(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const containing = errors.filter(({ keyword }) => keyword === "contains");
  const asking = [...new Set(containing.map(({ schemaPath }) => schemaPath))];
  const whole = errors.filter(
    ({ propertyName, schemaPath }) =>
      propertyName === undefined && !asking.some((path) => schemaPath.startsWith(`${path}/`)),
  );
  return whole.length > 0 ? whole : errors;
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
    case "type":
      return mustBe([params["type"]].flat().map(String));
    case "minLength":
    case "minItems":
    case "minProperties":
      return `must have at least ${count(params["limit"], keyword)}`;
    case "maxLength":
    case "maxItems":
    case "maxProperties":
    case "items":
    case "additionalItems":
      return `must have at most ${count(params["limit"], keyword)}`;
    case "uniqueItems":
      return `must not have an item twice: ${params["j"]} and ${params["i"]} are alike`;
    case "contains":
      return `must have ${howMany(params["minContains"], params["maxContains"])} of what it is to contain`;
    case "dependentRequired":
    case "dependencies":
      return `is required beside ${params["property"]}`;
    case "oneOf":
      return params["passingSchemas"] === null
        ? "must match one of the forms of oneOf"
        : "must match only one of the forms of oneOf";
    case "anyOf":
      return "must match one of the forms of anyOf";
    case "not":
      return "must not match what the schema excludes by not";
    case "if":
      return `must match the schema's ${params["failingKeyword"]}`;
    default:
      return message ?? `does not match ${keyword}`;
  }
}

/** What each keyword counts; others count items. */
const COUNTED: Readonly<Record<string, [one: string, more: string]>> = {
  minLength: ["character", "characters"],
  maxLength: ["character", "characters"],
  minProperties: ["property", "properties"],
  maxProperties: ["property", "properties"],
};

function count(limit: unknown, keyword: string): string {
  const [one, more] = COUNTED[keyword] ?? ["item", "items"];
  return `${String(limit)} ${limit === 1 ? one : more}`;
}

const howMany = (least: unknown, most: unknown): string =>
  typeof most === "number"
    ? `${String(least)} to ${count(most, "contains")}`
    : `at least ${count(least, "contains")}`;
