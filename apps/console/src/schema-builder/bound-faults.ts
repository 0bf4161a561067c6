import type { JsonObject } from "../format/json-object.ts";
import { fitsKind } from "./change-kind.ts";
import { kindOf } from "./field-kinds.ts";

/** The server takes no longer one. */
const PATTERN_CHARS_MAX = 1_000;

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems"] as const;

const PAIRS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minimum", "maximum"],
] as const;

/** What is wrong with a field's own keywords, each with the words for whoever wrote it. */
export function boundFaults(schema: JsonObject): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const keyword of COUNTS) {
    const value = schema[keyword];
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= 0))
      faults[keyword] = "A whole number, 0 or more.";
  }
  for (const [least, most] of PAIRS) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low === "number" && typeof high === "number" && low > high)
      faults[most] ??= `Less than ${low}: nothing fits.`;
  }
  const { multipleOf, pattern, enum: values, default: given } = schema;
  if (typeof multipleOf === "number" && multipleOf <= 0) faults["multipleOf"] = "More than 0.";
  if (typeof pattern === "string") Object.assign(faults, patternFault(pattern));
  if (Array.isArray(values)) Object.assign(faults, valuesFault(values));
  if (given !== undefined && !fitsKind(given, kindOf(schema), schema))
    faults["default"] = "Not a value that this field takes.";
  return faults;
}

function patternFault(pattern: string): { pattern?: string } {
  if (pattern.length > PATTERN_CHARS_MAX)
    return { pattern: `At most ${PATTERN_CHARS_MAX.toLocaleString()} characters.` };
  try {
    RegExp(pattern, "u");
    return {};
  } catch (error) {
    return { pattern: error instanceof Error ? error.message : String(error) };
  }
}

function valuesFault(values: readonly unknown[]): { enum?: string } {
  if (values.length === 0) return { enum: "Without a value, nothing is allowed." };
  return new Set(values).size < values.length ? { enum: "A value stands here twice." } : {};
}
