import type { z } from "zod";
import { pathOf } from "./path-of.ts";

type RawIssue = z.core.$ZodRawIssue;

/** The names of kinds of values; a kind that is missing here keeps its own name. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "nothing",
  never: "left out",
};

/** The units in which a text, a list or an object is counted. */
const COUNTED: Readonly<Record<string, [one: string, more: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  object: ["field", "fields"],
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "must be a date and a time, such as 2026-01-31T12:00:00Z",
  date: "must be a date, such as 2026-01-31",
  url: "must be a URL",
};

/** A value's fault, for fields without words of their own: a sentence without its subject, which is the field. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kindName(issue.expected)}${notKindOf(issue.input)}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${listed(issue.values)}`;
    case "too_big":
      return boundWords(
        issue.origin,
        issue.maximum,
        issue.exact,
        issue.inclusive === false ? "less than" : "at most",
      );
    case "too_small":
      return boundWords(
        issue.origin,
        issue.minimum,
        issue.exact,
        issue.inclusive === false ? "more than" : "at least",
      );
    case "invalid_format":
      return FORMATS[issue.format] ?? `must match the pattern ${String(issue.pattern)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_key":
      return `is no name that may stand here: a name ${issue.issues[0]?.message}`;
    case "invalid_union":
      return unionWords(issue);
    default:
      return "is not valid";
  }
};

const kindName = (kind: string): string => KINDS[kind] ?? `a ${kind}`;

/** Adds nothing for a number, which may be the wrong one of its kind. */
function notKindOf(value: unknown): string {
  if (value === null) return ", not null";
  return typeof value === "number" && !Number.isInteger(value)
    ? ""
    : `, not ${kindName(Array.isArray(value) ? "array" : typeof value)}`;
}

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(", ");

function boundWords(
  origin: string,
  bound: number | bigint,
  isExact: boolean | undefined,
  words: string,
): string {
  const counted = COUNTED[origin];
  const amount = `${isExact ? "exactly" : words} ${bound}`;
  if (counted === undefined) return `must be ${amount}`;
  return `must have ${amount} ${Number(bound) === 1 ? counted[0] : counted[1]}`;
}

/** Lists the words of each member of the union. */
function unionWords(issue: Extract<RawIssue, { code: "invalid_union" }>): string {
  if (Array.isArray(issue.options) && issue.options.length > 0)
    return `must be one of ${listed(issue.options)}`;
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []));
  const kinds = firsts.flatMap((first) =>
    first.code === "invalid_type" && first.path.length === 0 ? [kindName(first.expected)] : [],
  );
  if (kinds.length === firsts.length && kinds.length > 0)
    return `must be ${[...new Set(kinds)].join(" or ")}${notKindOf(issue.input)}`;
  // Exactly one of them has the value's kind, so it is the one that was meant.
  const deeper = firsts.filter(({ path }) => path.length > 0);
  return (deeper.length > 0 ? deeper : firsts)
    .map(({ path, message }) => (path.length === 0 ? message : `${pathOf(path)} ${message}`))
    .join(", or ");
}
