import * as fc from "fast-check";
import { badValues, badWords, strangeValues } from "./bad-values.ts";
import type { Field } from "./documented-fields.ts";
import { sampleOf } from "./sample-of.ts";

export interface BadRequest {
  /** As in `a long text in "description"`. */
  what: string;
  field: Field;
  url: string;
  headers: Record<string, string>;
  /** JSON, or nothing. */
  body: string | undefined;
  /** False where the value may also be taken. */
  mustBeRefused: boolean;
}

export interface Known {
  /** What there is, by the part of a path before it, as in `{"custom-tools": "echo"}`. */
  refs: Readonly<Record<string, string>>;
  /** Good bodies, by method and route, where what the schema requires is not all that it takes. */
  bodies: Readonly<Record<string, object>>;
}

/** Where null stands for an optional field that was left out. */
const NULL_IS_NOTHING = /^\/api\/v1\/meta-tools\//;

/** One request for each way to get one field wrong; all else in it is as it should be. The same seed makes the same ones. */
export function badRequests(field: Field, known: Known, seed: number): BadRequest[] {
  const pick = <T>(from: fc.Arbitrary<T>): T => {
    const wrong = NULL_IS_NOTHING.test(field.route) ? from.filter((value) => value !== null) : from;
    return fc.sample(wrong, { seed, numRuns: 1 })[0] as T;
  };
  const requests = (ways: Record<string, fc.Arbitrary<unknown>>, mustBeRefused: boolean): BadRequest[] =>
    Object.entries(ways).map(([how, from]) => ({
      what: `${how} in ${field.part} ${JSON.stringify(field.path.join("."))}`,
      field,
      mustBeRefused,
      ...(field.part === "body"
        ? withBody(field, known, pick(from))
        : withWord(field, known, String(pick(from)))),
    }));
  if (field.part !== "body") return requests(wordsFor(field), true);
  return [...requests(badValues(field.schema), true), ...requests(strangeValues(field.schema), false)];
}

/** A path has no empty parts, and a header no characters but printable ones. */
function wordsFor({ part, schema }: Field): Record<string, fc.Arbitrary<string>> {
  const words = badWords(schema);
  if (part === "query") return words;
  const { "an empty text": _, ...rest } = words;
  if (part === "path") return rest;
  const { "a NUL character": __, ...printable } = rest;
  return Object.fromEntries(
    Object.entries(printable).map(([how, from]) => [
      how,
      from.filter((word) => /^[!-~][ -~]*[!-~]$/.test(word)),
    ]),
  );
}

/** What is wrong with a whole query: a field that is none, and each known one twice. */
export const badQueries = (queried: readonly Field[], known: Known): BadRequest[] =>
  queried.flatMap((field) => {
    const [name = ""] = field.path;
    const url = urlOf(field.route, known);
    const sent = { headers: {}, body: sampleBody(field, known), mustBeRefused: true };
    const unknown = { ...field, path: ["colour"] };
    return [
      { ...sent, what: `${name} twice`, field, url: `${url}?${name}=1&${name}=2` },
      { ...sent, what: "an unknown field in the query", field: unknown, url: `${url}?colour=red` },
    ];
  });

type Sent = Pick<BadRequest, "url" | "headers" | "body">;

function withWord(field: Field, known: Known, word: string): Sent {
  const { route, part, path } = field;
  const [name = ""] = path;
  const body = sampleBody(field, known);
  const url = urlOf(route, known, part === "path" ? { [name]: word } : {});
  if (part === "query") return { url: `${url}?${name}=${encodeURIComponent(word)}`, headers: {}, body };
  return { url, headers: part === "header" ? { [name]: word } : {}, body };
}

function withBody(field: Field, known: Known, value: unknown): Sent {
  const whole = put(goodBody(field, known), field.path, value);
  return { url: urlOf(field.route, known), headers: {}, body: JSON.stringify(whole) };
}

const goodBody = ({ method, route, body }: Field, known: Known): unknown =>
  known.bodies[`${method} ${route}`] ?? (body && sampleOf(body));

function sampleBody(field: Field, known: Known): string | undefined {
  const body = goodBody(field, known);
  return body === null ? undefined : JSON.stringify(body);
}

const urlOf = (route: string, known: Known, bad: Record<string, string> = {}): string =>
  route.replace(/(?<=\/([\w-]+|\{\w+\})\/)\{(\w+)\}/g, (_, before: string, name: string) =>
    encodeURIComponent(bad[name] ?? known.refs[before] ?? "nobody"),
  );

/** A copy with the value at the path; what lies on the way and is not there is made. */
function put(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (/^\d+$/.test(name)) return [put(Array.isArray(whole) ? whole[0] : undefined, rest, value)];
  const fields = typeof whole === "object" && whole !== null ? whole : {};
  return { ...fields, [name]: put(Reflect.get(fields, name), rest, value) };
}
