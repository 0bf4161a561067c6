import * as fc from "fast-check";
import { branchesOf, type Branch, type Schema } from "./json-schema.ts";

/** A value that a schema allows, always the same: what is required and no more. */
export const sampleOf = (schema: Schema): unknown => sampleBranch(branchesOf(schema)[0] ?? {});

function sampleBranch(schema: Branch): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "object":
      return sampleObject(schema);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
    case "string":
      return sampleText(schema);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}

const sampleObject = ({ properties = {}, required = [] }: Schema): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));

/** Text as long as it has to be, and by the pattern where that is not enough. */
export function sampleText({ pattern, format, minLength = 0, maxLength = Infinity }: Schema): string {
  if (format === "date-time") return "2026-01-01T00:00:00Z";
  const plain = "x".repeat(Math.max(minLength, 1));
  if (pattern === undefined || new RegExp(pattern, "u").test(plain)) return plain;
  const known = TEXTS.get(pattern);
  if (known !== undefined) return known;
  const fitting = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  const text = fc.sample(fitting, { seed: 1, numRuns: 1 })[0] ?? "";
  TEXTS.set(pattern, text);
  return text;
}

/** By pattern: the same few stand in hundreds of fields. */
const TEXTS = new Map<string, string>();
