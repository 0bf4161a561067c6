import { isObject, type JsonObject, withField } from "../format/json-object.ts";
import { BEYOND_FIELDS, type Kind, kindOf, takesNull, TYPE_OF } from "./field-kinds.ts";

const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

/** The keywords that hold for one kind alone. */
const OF_KIND: Readonly<Record<Kind, readonly string[]>> = {
  text: [
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
  ],
  number: NUMBERS,
  integer: NUMBERS,
  boolean: [],
  choice: ["enum"],
  list: [
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
  ],
  object: [
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
  any: [],
  other: [],
};

const BOUND = new Set<string>([...Object.values(OF_KIND).flat(), ...BEYOND_FIELDS]);

export interface ChangedKind {
  schema: JsonObject;
  /** The keywords that made no sense any more. */
  dropped: readonly string[];
}

/**
 * The schema for values of another kind. What describes it and what nobody knows stays, in its place; what holds for the
 * old kind alone goes, unless it can go on for the items of a list, or come from them.
 */
export function changeKind(schema: unknown, kind: Exclude<Kind, "other">): ChangedKind {
  const before = kindOf(schema);
  if (kind === "list" && before !== "list" && before !== "any") return intoList(schema);
  const start = before === "list" ? liftItems(schema as JsonObject, kind) : isObject(schema) ? schema : {};
  const whole = keptFor(kind, start, OF_KIND[kind]);
  // Keywords of the kind that are no such, as a list of `properties`, would keep it from being shown.
  const typed = kindOf(whole) === kind ? whole : keptFor(kind, start, []);
  const result = withFittingValues(typed, kind);
  // Items that were lifted are not lost.
  const stays = new Set(["type", ...(start === schema ? [] : ["items"]), ...Object.keys(result)]);
  const lost = isObject(schema) ? Object.keys(schema).filter((keyword) => !stays.has(keyword)) : [];
  return { schema: result, dropped: lost };
}

function keptFor(kind: Kind, start: JsonObject, fitting: readonly string[]): JsonObject {
  const kept = Object.entries(start).filter(([keyword]) => !BOUND.has(keyword) || fitting.includes(keyword));
  return typedAs(Object.fromEntries(kept), kind, start);
}

/** A list of what it was. */
function intoList(schema: unknown): ChangedKind {
  if (!isObject(schema)) return { schema: { type: "array", items: schema }, dropped: [] };
  const entries = Object.entries(schema);
  const isInner = ([keyword]: [string, unknown]): boolean => keyword === "type" || BOUND.has(keyword);
  const outer = Object.fromEntries(entries.filter(([keyword]) => keyword === "type" || !BOUND.has(keyword)));
  const items = Object.fromEntries(entries.filter(isInner));
  const list = { ...withType(outer, "array"), items };
  const result = withFittingValues(list, "list");
  return {
    schema: result,
    dropped: Object.keys(outer).filter((keyword) => !Object.hasOwn(result, keyword)),
  };
}

/** What a list's items say, said of the field itself; only where they are of that kind. */
function liftItems(schema: JsonObject, kind: Kind): JsonObject {
  const { items } = schema;
  if (kind === "list" || kindOf(items) !== kind || !isObject(items)) return schema;
  const inner = Object.entries(items).filter(([keyword]) => keyword === "type" || BOUND.has(keyword));
  const outer = Object.entries(schema).filter(([keyword]) => !OF_KIND.list.includes(keyword));
  return { ...Object.fromEntries(outer), ...Object.fromEntries(inner) };
}

/** A type that there is keeps its place; a new one stands first. */
const withType = (schema: JsonObject, type: unknown): JsonObject =>
  schema["type"] === undefined ? { type, ...schema } : withField(schema, "type", type);

function typedAs(schema: JsonObject, kind: Kind, before: JsonObject): JsonObject {
  if (kind === "any") return withField(schema, "type", undefined);
  if (kind !== "choice") return withType(schema, takesNull(before) ? [TYPE_OF[kind], "null"] : TYPE_OF[kind]);
  if (schema["enum"] !== undefined) return schema;
  const of = kindOf(before);
  const isNumber = of === "number" || of === "integer";
  const { default: given, examples } = before;
  const known = [given, ...(Array.isArray(examples) ? examples : [])].filter(
    (value) => typeof value === (isNumber ? "number" : "string"),
  );
  const values = known.length > 0 ? [...new Set(known)] : [isNumber ? 1 : "option_1"];
  return { ...withType(schema, isNumber ? TYPE_OF[of] : "string"), enum: values };
}

/** Without a default and examples that are of another kind than it says. */
function withFittingValues(schema: JsonObject, kind: Kind): JsonObject {
  const fits = (value: unknown): boolean => fitsKind(value, kind, schema);
  let next = schema;
  if (schema["default"] !== undefined && !fits(schema["default"]))
    next = withField(next, "default", undefined);
  const { examples } = schema;
  if (Array.isArray(examples) && !examples.every(fits)) {
    const kept = examples.filter(fits);
    next = withField(next, "examples", kept.length === 0 ? undefined : kept);
  }
  return next;
}

/** Whether a value is of the kind; bounds are another matter. */
export function fitsKind(value: unknown, kind: Kind, schema: JsonObject): boolean {
  if (value === null && takesNull(schema)) return true;
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return Array.isArray(schema["enum"]) && schema["enum"].includes(value);
    case "list":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}
