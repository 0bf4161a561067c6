import { readFile } from "node:fs/promises";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import { readStdin } from "../terminal/ask.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Json = Readonly<Record<string, unknown>>;

/** What was typed: a JSON text or `-` for stdin, a file, and single arguments, which go before either. */
export interface TypedArguments {
  json?: string | undefined;
  file?: string | undefined;
  single?: readonly string[] | undefined;
}

const FORM = 'Give JSON such as \'{"city": "Bern"}\', or --arg city=Bern.';
/** A number of JSON, or a text, which is passed over. */
const LITERAL = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const DIGITS_MAX = 17;

/** The first number that a parser would round unheard, such as a long id; undefined where there is none. */
export function roundedNumber(json: string): string | undefined {
  return [...json.matchAll(LITERAL)]
    .map(([literal]) => literal)
    .filter((literal) => !literal.startsWith('"'))
    .find((literal) => {
      if (/^-?\d+$/.test(literal)) return !Number.isSafeInteger(Number(literal));
      const [digits = ""] = literal.split(/[eE]/);
      return digits.replace(/^-?0*\.?0*/, "").replace(".", "").length > DIGITS_MAX;
    });
}

/** JSON of an object; a fault names where it was said. */
export function objectFrom(text: string, where: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = `${where} is not valid JSON: ${(error as Error).message}.`;
    throw new CliFault(why, { exit: EXIT.usage, code: "cli.usage", next: FORM, cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw usageFault(`${where} must be a JSON object.`, FORM);
  const rounded = roundedNumber(text);
  if (rounded !== undefined)
    throw usageFault(`${where}: the number ${rounded} would be rounded.`, `Send it as a text: "${rounded}".`);
  return value as Json;
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
};

/** The kinds of values that a schema speaks of, one level of unions deep; empty: any. */
function kindsOf(schema: Json): Set<string> {
  const parts = [schema["anyOf"], schema["oneOf"]].flatMap((some) => (Array.isArray(some) ? some : []));
  const named = [schema, ...parts].flatMap(({ type, enum: values }: Json) => [
    ...[type].flat().filter((kind) => typeof kind === "string"),
    ...(type === undefined && Array.isArray(values) ? values.map(kindOf) : []),
  ]);
  return new Set(named.map((kind) => (kind === "integer" ? "number" : kind)));
}

/** A value as its schema wants it: text stays text where a text is asked for; else JSON, where it is some. */
export function valueFrom(text: string, schema: Json): unknown {
  const kinds = kindsOf(schema);
  if (kinds.size === 1 && kinds.has("string")) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Whatever is no JSON is a text; the server says where another kind is asked for.
    value = text;
  }
  if (roundedNumber(text) !== undefined && kindOf(value) !== "string") return text;
  if (kinds.has("string") && !kinds.has(kindOf(value))) return text;
  const { items } = schema;
  if (kinds.has("array") && kinds.size === 1 && !Array.isArray(value))
    return [valueFrom(text, (items as Json | undefined) ?? {})];
  return value;
}

/** `name=value` by the tool's parameters; `name:=json` takes JSON as it is; a name said again makes an array. */
export function singleArguments(said: readonly string[], parameters: Json): Record<string, unknown> {
  const properties = (parameters["properties"] ?? {}) as Readonly<Record<string, Json>>;
  const found = new Map<string, unknown>();
  for (const one of said) {
    const [, name = "", isJson, text = ""] = /^([^=:]+)(:)?=([^]*)$/.exec(one) ?? [];
    if (name === "") throw usageFault(`--arg "${one}" must be name=value.`, FORM);
    const schema = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
    const value = isJson
      ? objectFrom(`{"value":${text}}`, `--arg ${name}`)["value"]
      : valueFrom(text, schema);
    if (!found.has(name)) found.set(name, value);
    else found.set(name, [found.get(name), value].flat());
  }
  return Object.fromEntries(found);
}

/**
 * The arguments of a call. `parameters` gives the tool's schema and is asked only where `--arg` needs it.
 * A text that is no JSON object, two sources at once, and numbers that would be rounded are faults of usage.
 */
export async function readArguments(
  terminal: Terminal,
  typed: TypedArguments,
  parameters: () => Promise<Json>,
): Promise<Record<string, unknown>> {
  const { json, file, single = [] } = typed;
  if (json !== undefined && file !== undefined)
    throw usageFault("The arguments are given twice.", "Give them as JSON or by --args-file, not both.");
  const base = await readBase(terminal, json, file);
  if (single.length === 0) return base;
  return { ...base, ...singleArguments(single, await parameters()) };
}

async function readBase(terminal: Terminal, json?: string, file?: string): Promise<Record<string, unknown>> {
  if (json === "-" || file === "-") return { ...objectFrom(await readStdin(terminal), "stdin") };
  if (json !== undefined) return { ...objectFrom(json, "The arguments") };
  if (file === undefined) return {};
  try {
    return { ...objectFrom(await readFile(file, "utf8"), file) };
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw usageFault(`${file} can't be read: ${(error as Error).message}.`);
  }
}
