import { z } from "zod";
import { closestName } from "./closest-name.ts";
import { pathOf } from "./path-of.ts";

/** A field's fault, as a sentence without its subject. */
export interface InputFault {
  /** Dotted; empty for the whole. */
  path: string;
  message: string;
}

/** Each fault of an input that `schema` refused with its dotted path, unknown fields one by one. */
export const describeIssues = (error: z.ZodError, schema: z.ZodType, input: unknown): InputFault[] =>
  error.issues.map(deepest).flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") {
      const message = isMissing(issue, input) ? "is required" : issue.message;
      return [{ path: pathOf(issue.path), message }];
    }
    const known = fieldsAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: describeUnknown(closestName(key, known)),
    }));
  });

/** Of a union of which one member alone has the value's kind, what is wrong with that member, at its own place. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const [meant, ...others] = issue.errors.flatMap(([first]) => (first?.path.length ? [first] : []));
  return meant && others.length === 0 ? { ...meant, path: [...issue.path, ...meant.path] } : issue;
}

const describeUnknown = (meant: string | null): string =>
  meant === null ? "is not a known field" : `is not a known field (did you mean ${meant}?)`;

const OF_WHAT_IS_MISSING: readonly string[] = ["invalid_type", "invalid_value", "invalid_union"];

/** Nothing stands where something must; a check between fields is not meant, and an item of a list is never missing. */
const isMissing = ({ code, path }: z.core.$ZodIssue, input: unknown): boolean =>
  OF_WHAT_IS_MISSING.includes(code) && typeof path.at(-1) !== "number" && valueAt(input, path) === undefined;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Record<PropertyKey, unknown>)[name]
        : undefined,
    input,
  );

/** The names of the fields that the object at `path` may have; none where no one object is meant, as in a union. */
function fieldsAt(schema: z.core.$ZodType, [name, ...rest]: readonly PropertyKey[]): string[] {
  const { def } = schema._zod;
  if ("innerType" in def)
    return fieldsAt(def.innerType as z.core.$ZodType, name === undefined ? [] : [name, ...rest]);
  if (schema instanceof z.ZodObject) {
    if (name === undefined) return Object.keys(schema.shape);
    const field: z.core.$ZodType | undefined = schema.shape[String(name)];
    return field ? fieldsAt(field, rest) : [];
  }
  if (name === undefined) return [];
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  return schema instanceof z.ZodRecord ? fieldsAt(schema.valueType, rest) : [];
}
