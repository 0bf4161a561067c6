import type { InputFault, Json } from "@bulkhead/core";
import type { ErrorObject } from "ajv";
import { FAULTS_MAX } from "./bounds.ts";
import { buildFault } from "./fault.ts";

/**
 * Describes each error at the place to correct, one for a place, at most `FAULTS_MAX`. `toWritten` gives the steps in the
 * caller's schema, if another reading of it was checked.
 */
export function describeErrors(
  errors: readonly ErrorObject[],
  root: string,
  toWritten: (steps: string[]) => string[] = (steps) => steps,
): InputFault[] {
  const byPath = new Map<string, InputFault>();
  const askedBy = new Map<string, Asked>();
  const places = placesOf(errors);
  for (const error of withoutParts(errors)) {
    if (byPath.size >= FAULTS_MAX) break;
    const fault = buildFault(placeOf(error, root, toWritten), messageOf(error) + reasonOf(error, errors));
    const asked = askedOf(error, places);
    const known = askedBy.get(fault.path);
    if (!byPath.has(fault.path)) {
      byPath.set(fault.path, fault);
      if (asked) askedBy.set(fault.path, asked);
    } else if (known && asked) {
      // Each choice of a union asks for its own.
      known.types.push(...asked.types);
      known.values.push(...asked.values);
      byPath.set(fault.path, buildFault(fault.path, mustBe(known)));
    } else if (error.keyword === "format" && byPath.get(fault.path)?.message.startsWith(PATTERN_START)) {
      // Generators write an expression beside the format that it stands for.
      byPath.set(fault.path, fault);
    }
  }
  return [...byPath.values()];
}

/** The type or the value that one place must have. */
interface Asked {
  types: string[];
  values: Json[];
}

/**
 * The demand of an error on its place; null if it demands more than that, or a value that no union offers beside others.
 */
function askedOf({ keyword, params, instancePath, parentSchema }: ErrorObject, places: Places): Asked | null {
  // The value that it is to be says its type already.
  if (keyword === "type")
    return { types: places.valued.has(parentSchema) ? [] : [params["type"]].flat().map(String), values: [] };
  if (!places.ofUnions.has(instancePath)) return null;
  if (keyword === "const") return { types: [], values: [params["allowedValue"]] };
  return keyword === "enum" ? { types: [], values: params["allowedValues"] } : null;
}

/** Facts from all errors together that decide about single ones. */
interface Places {
  /** The places of unions none of whose choices fit. */
  ofUnions: ReadonlySet<string>;
  /** Schemas that ask for a certain value, as far as errors tell them. */
  valued: ReadonlySet<unknown>;
}

function placesOf(errors: readonly ErrorObject[]): Places {
  const of = (...keywords: string[]) => errors.filter(({ keyword }) => keywords.includes(keyword));
  const valued = new Set<unknown>(of("const", "enum").map(({ parentSchema }) => parentSchema));
  valued.delete(undefined);
  return { ofUnions: new Set(of("anyOf", "oneOf").map(({ instancePath }) => instancePath)), valued };
}

function mustBe({ types, values }: Asked): string {
  if (types.length === 0 && values.length > 1) return oneOf(values);
  return `must be ${[...new Set([...types, ...textsOf(values)])].join(" or ")}`;
}

const oneOf = (values: readonly Json[]): string =>
  `must be one of ${[...new Set(textsOf(values))].join(", ")}`;

const textsOf = (values: readonly Json[]): string[] => values.map((value) => JSON.stringify(value));

const PATTERN_START = "must match pattern";

/** Why a name is none that is allowed. */
function reasonOf({ keyword, params }: ErrorObject, errors: readonly ErrorObject[]): string {
  if (keyword !== "propertyNames") return "";
  const reason = errors.find(({ propertyName }) => propertyName === params["propertyName"]);
  return reason ? `: it ${messageOf(reason)}` : "";
}

/** Drops faults of names and of items in `contains`: the keyword that asked for one reports it. */
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
      return oneOf(params["allowedValues"]);
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "type":
      return mustBe({ types: [params["type"]].flat().map(String), values: [] });
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

/** The units that each keyword counts; others count items. */
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
