import type { Json } from "@bulkhead/core";

/** How a run ended, as far as an example says something of it. */
export interface ExampleEnd {
  result: Json;
  /** The code of its error; null: it succeeded. */
  errorCode: string | null;
}

/** One place where what came isn't what was expected. */
export interface Difference {
  /** From the result: `` for itself, `items.0.name` within it. */
  path: string;
  expected: string;
  got: string;
}

/** The faults of a value by a JSON Schema, with paths from that value. Whoever judges brings the checker. */
export type CheckSchema = (
  schema: Json,
  value: Json,
) => Promise<readonly { path: string; message: string }[]>;

/** Differences that are told, and characters of one value in them. */
const DIFFERENCES_MAX = 20;
const SHOWN_CHARS_MAX = 200;

/**
 * What of `got` is not as an example's `result` expects it; empty: all of it is. Undefined expects success alone. Throws what
 * `checkSchema` throws for a schema that is none.
 */
export async function matchExample(
  expected: unknown,
  got: ExampleEnd,
  checkSchema: CheckSchema,
): Promise<Difference[]> {
  const code = markOf(expected, "$error");
  if (code !== undefined) {
    if (got.errorCode === code) return [];
    return [{ path: "", expected: `the error ${show(code)}`, got: shownEnd(got) }];
  }
  if (got.errorCode !== null) return [{ path: "", expected: "success", got: shownEnd(got) }];
  if (expected === undefined) return [];
  const differences: Difference[] = [];
  const pattern = markOf(expected, "$match");
  await compare(pattern ?? (expected as Json), got.result, "", {
    isPartial: pattern !== undefined,
    checkSchema,
    differences,
  });
  return differences.slice(0, DIFFERENCES_MAX);
}

interface Comparing {
  /** Objects may have further fields. */
  isPartial: boolean;
  checkSchema: CheckSchema;
  differences: Difference[];
}

async function compare(expected: Json, got: Json | undefined, path: string, all: Comparing): Promise<void> {
  if (all.differences.length >= DIFFERENCES_MAX) return;
  const differ = (): void => void all.differences.push({ path, expected: show(expected), got: show(got) });
  // A schema stands for a value at any place: what is made anew each time has no other form.
  const schema = markOf(expected, "$schema");
  if (schema !== undefined && (path === "" || all.isPartial)) {
    if (got === undefined) return differ();
    for (const { path: within, message } of await all.checkSchema(schema, got))
      all.differences.push({ path: join(path, within), expected: message, got: show(got) });
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return differ();
    for (const [index, each] of expected.entries())
      await compare(each, got[index], join(path, String(index)), all);
    return;
  }
  if (!isObject(expected)) {
    if (expected !== got) differ();
    return;
  }
  if (!isObject(got)) return differ();
  for (const [name, each] of Object.entries(expected))
    await compare(each, Object.hasOwn(got, name) ? got[name] : undefined, join(path, name), all);
  if (all.isPartial) return;
  for (const [name, each] of Object.entries(got))
    if (!Object.hasOwn(expected, name) && all.differences.length < DIFFERENCES_MAX)
      all.differences.push({ path: join(path, name), expected: "nothing", got: show(each) });
}

/** The value of an object that has this one field alone. */
function markOf(value: unknown, mark: "$error" | "$match" | "$schema"): Json | undefined {
  if (!isObject(value as Json | undefined)) return undefined;
  const { [mark]: held, ...others } = value as { [key: string]: Json };
  return Object.keys(others).length === 0 ? held : undefined;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const join = (path: string, within: string): string => [path, within].filter((part) => part !== "").join(".");

const shownEnd = ({ errorCode, result }: ExampleEnd): string =>
  errorCode === null ? `the result ${show(result)}` : `the error "${errorCode}"`;

function show(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value);
  return json.length <= SHOWN_CHARS_MAX ? json : `${json.slice(0, SHOWN_CHARS_MAX).toWellFormed()}…`;
}
