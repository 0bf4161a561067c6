import * as fc from "fast-check";
import { branchesOf, isClosed, isFree, type Branch, type Schema } from "./json-schema.ts";
import { sampleOf, sampleText } from "./sample-of.ts";

/** Ways to be wrong, each with what makes values that are. */
export type BadValues = Record<string, fc.Arbitrary<unknown>>;

/** What a field must refuse, whatever else is in the request: its schema says so. */
export function badValues(schema: Schema): BadValues {
  const branches = branchesOf(schema);
  const typed = branches.every(({ type }) => type !== undefined);
  const others = branches.filter(({ type }) => type !== "null");
  return Object.assign(
    typed ? { "another type": otherTypes(branches) } : {},
    ...(others.length === 1 ? others.map(badForBranch) : []),
  );
}

/** The same for what stands in a URL or a header, where all is text. */
export function badWords(schema: Schema): Record<string, fc.Arbitrary<string>> {
  if (schema.enum) {
    const known = new Set<unknown>(schema.enum);
    return { "an unknown word": fc.stringMatching(/^[a-z]{1,20}$/).filter((word) => !known.has(word)) };
  }
  if (schema.type !== "string") {
    const numbers = Object.entries(badNumbers(schema)).map(([how, bad]) => [how, bad.map(String)] as const);
    return { "no number": fc.stringMatching(/^[a-z]{1,20}$/), ...Object.fromEntries(numbers) };
  }
  // Well-formed text only: nothing else gets into a URL.
  const { "a lone surrogate": _, ...texts } = badTexts(schema);
  return texts;
}

/** What may be taken where anything is, and must never break anything. */
export const strangeValues = (schema: Schema): BadValues =>
  branchesOf(schema).some(isFree)
    ? {
        "any JSON": ANY_JSON,
        "NUL and lone surrogates": fc.constantFrom({ "\0": "\0" }, { "\ud800": "\udfff" }, { type: "\0" }),
        "names of every object": fc.constantFrom(...NAMES_OF_OBJECTS).map((name) => ({ [name]: {} })),
        "huge numbers": fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => ({ n, type: n })),
      }
    : {};

/** What has been trouble somewhere: in SQL, JSON, URLs, patterns, terminals, and where text is counted. */
const TROUBLE = [
  "\0",
  "\ud800",
  "\udfff",
  "\u2028",
  "\u202e",
  "\ufeff",
  "'",
  '"',
  "\\",
  "%",
  "$",
  ".",
  "/",
  "é",
  "😀",
];
const ANY_TEXT = fc.string({
  unit: fc.constantFrom("a", "Z", "0", "_", "-", " ", ...TROUBLE),
  minLength: 1,
  maxLength: 12,
});
const ANY_JSON = fc.dictionary(ANY_TEXT, fc.jsonValue());
const NAMES_OF_OBJECTS = ["constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"];

const KIND_OF: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

const otherTypes = (branches: readonly Branch[]): fc.Arbitrary<unknown> =>
  fc
    .jsonValue()
    .filter((value) => branches.every(({ type }) => type !== undefined && !KIND_OF[type]?.(value)));

function badForBranch(schema: Branch): BadValues {
  if (schema.enum || schema.const !== undefined) return {};
  if (schema.type === "string") return badTexts(schema);
  if (schema.type === "integer" || schema.type === "number") return badNumbers(schema);
  if (schema.type === "array") return badLists(schema);
  return schema.type === "object" ? badObjects(schema) : {};
}

/** Characters of a text that breaks a bound by a random length. */
const beyond = fc.integer({ min: 1, max: 500 });

function badTexts(schema: Schema): Record<string, fc.Arbitrary<string>> {
  const { minLength = 0, maxLength, pattern } = schema;
  const fitting = sampleText(schema);
  const inside = (character: string) =>
    fc.nat({ max: fitting.length }).map((at) => insert(fitting, at, character));
  return {
    "a NUL character": inside("\0"),
    "a lone surrogate": inside("\ud83d"),
    ...(minLength > 0 ? { "an empty text": fc.constant("") } : {}),
    ...(maxLength === undefined ? {} : { "a long text": beyond.map((more) => "x".repeat(maxLength + more)) }),
    ...(pattern === undefined
      ? {}
      : { "a text of another form": fc.string().filter((text) => isOther(text, pattern)) }),
  };
}

/** What an address takes for no part of a path, or for a step, would ask another route. */
const isOther = (text: string, pattern: string): boolean =>
  !["", ".", ".."].includes(text) && !new RegExp(pattern, "u").test(text);

const insert = (text: string, at: number, character: string): string =>
  text.slice(0, at) + character + text.slice(at);

const badNumbers = ({ type, minimum, maximum }: Schema): Record<string, fc.Arbitrary<number>> => ({
  ...(minimum === undefined
    ? {}
    : { "a small number": fc.integer({ min: minimum - 1_000_000, max: minimum - 1 }) }),
  ...(maximum === undefined
    ? {}
    : { "a large number": fc.integer({ min: maximum + 1, max: maximum + 1_000_000 }) }),
  ...(type === "integer" ? { "a fraction": fc.integer().map((n) => n + 0.5) } : {}),
  "a huge number": fc.constantFrom(1e308, -1e308, 2 ** 63),
});

function badLists({ items = {}, minItems = 0, maxItems }: Schema): BadValues {
  const item = sampleOf(items);
  return {
    ...(minItems > 0 ? { "an empty list": fc.constant([]) } : {}),
    ...(maxItems === undefined ? {} : { "a long list": fc.constant(Array(maxItems + 1).fill(item)) }),
  };
}

const badObjects = (schema: Schema): BadValues => ({
  "a poisoned prototype": fc.constant(JSON.parse('{"__proto__": {"admin": true}}')),
  "values without end": fc.integer({ min: 101, max: 5_000 }).map(nest),
  ...(isClosed(schema)
    ? {
        "an unknown field": ANY_TEXT.filter(
          (name) => !(name in (schema.properties ?? {})) && name !== "__proto__",
        ).map((name) => ({ [name]: 1 })),
      }
    : {}),
});

function nest(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { deeper: value };
  return value;
}
