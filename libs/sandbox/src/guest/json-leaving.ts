import type { ReadResponse } from "./response.ts";
import { head, spend } from "./budget.ts";
import { lazily } from "./lazily.ts";
import {
  BigIntPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  isArray,
  isNaNumber,
  matchOf,
  objectKeys,
  objectToString,
  push,
  slice,
  stringifyJson,
  toText,
} from "./primordials.ts";

declare const require: (path: string) => unknown;

/** Most leaving values consist of plain objects and never need it. */
const forms = lazily(() => require("./json-form.ts") as typeof import("./json-form.ts"));

/** The ways out of a value, with their names in warnings. */
const HOLDERS = {
  returned: "The result",
  emitted: "An emitted value",
  sent: "A sent body",
  passed: "A call",
} as const;
type Leaving = keyof typeof HOLDERS;

/** The wire's JSON_DEPTH_MAX: a result that nests deeper is refused. */
const DEPTH_MAX = 100;
/** Losses of one value that are reported. */
const LOSSES_MAX = 10;
const SHOWN_CHARS_MAX = 60;
/** An integer of many digits, as JSON of the tool's own has it; perhaps in a text. */
const LONG_INTEGER = /(?:^|[[:,])-?\d{16,}(?:[,\]}]|$)/;
/** JSON's shortest value is a digit and the character that separates it from the next one. */
const VALUE_BYTES_MIN = 2;

interface Loss {
  path: string;
  what: string;
}

/** A value as it leaves. */
interface Left {
  /** The value with an obvious form for every part that JSON can't express; the same object if there is no such part. */
  value: unknown;
  losses: Loss[];
  /** Why it can't leave: a circle or a BigInt, with its place. */
  fault: string | null;
  /** Responses whose bodies are still to be read into `value`. */
  responses: ReadResponse[];
}

interface Walk extends Left {
  leaving: Leaving;
  path: (string | number)[];
  /** The holders of the value at `path`, one for each step of it. */
  holders: object[];
  /** How many more values can be in one that is not too large to leave. */
  valuesLeft: number;
  /** The same for the first look at them. */
  plainLeft: number;
}

const plain = getPrototypeOf({});

/**
 * Looks through a value that is about to become at most `bytesMax` bytes of JSON, by `writeLeft`. Throws nothing. A getter
 * of the value's own is called here and once more by the JSON writer.
 */
export function leave(value: unknown, leaving: Leaving, bytesMax: number): Left {
  const walk: Walk = {
    value,
    losses: [],
    fault: null,
    responses: [],
    leaving,
    path: [],
    holders: [],
    valuesLeft: bytesMax / VALUE_BYTES_MIN,
    plainLeft: bytesMax / VALUE_BYTES_MIN,
  };
  try {
    if (!isPlain(walk, value, 0)) walk.value = formOf(walk, value);
    return walk;
  } catch {
    // A getter or proxy of the tool's own threw: the value stands as it is, without a report.
    return { value, losses: [], fault: null, responses: [] };
  }
}

/** Its JSON; undefined if it has none. Throws the TypeError of a value that can't leave, and errors of JSON.stringify. */
export function writeLeft({ value, fault }: Left): string | undefined {
  if (fault !== null) throw new TypeError(fault);
  return stringifyJson(value);
}

/**
 * Whether JSON can express all of it, as nearly always: this takes a fifth of a search for forms, since a loop over the
 * names of an object that many have alike is the language's fastest way through it.
 */
function isPlain(walk: Walk, value: unknown, depth: number): boolean {
  if (typeof value === "number") return value - value === 0;
  if (typeof value !== "object" || value === null)
    return typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
  // A value that is too large is judged as JSON; one that is too deep may be a circle.
  if (walk.plainLeft < 0 || "toJSON" in value) return true;
  if (depth >= DEPTH_MAX) return false;
  if (isArray(value)) {
    walk.plainLeft -= value.length;
    for (let i = 0; i < value.length && walk.plainLeft >= 0; i++) {
      const item = value[i] as unknown;
      if (item === undefined || (typeof item !== "string" && !isPlain(walk, item, depth + 1))) return false;
    }
    return true;
  }
  const prototype = getPrototypeOf(value);
  if (prototype !== plain && prototype !== null) return false;
  for (const key in value) {
    const field = (value as Record<string, unknown>)[key];
    // JSON leaves it out, so many of them are no large value.
    if (field === undefined) continue;
    walk.plainLeft -= 1;
    if (typeof field !== "string" && !isPlain(walk, field, depth + 1)) return false;
  }
  return true;
}

function formOf(walk: Walk, value: unknown): unknown {
  if (typeof value === "function") return lose(walk, value, named(objectToString(value)));
  if (typeof value === "symbol") return lose(walk, value, "a Symbol");
  walk.valuesLeft -= 1;
  if (typeof value === "number") {
    const isFinite = !isNaNumber(value) && value !== Infinity && value !== -Infinity;
    return isFinite ? value : lose(walk, value, toText(value));
  }
  if (typeof value === "bigint" && !("toJSON" in BigIntPrototype))
    return refuse(walk, value, "is a BigInt: make it a string or a number");
  if (typeof value !== "object" || value === null) return value;
  // A deeper or larger value than may leave is judged as JSON; an object with its own `toJSON` stays as it is.
  const depth = walk.path.length;
  if (depth >= DEPTH_MAX || walk.valuesLeft < 0 || "toJSON" in value) return value;
  for (let i = 0; i < depth; i++)
    if (walk.holders[i] === value) return refuse(walk, value, `leads back to ${holderAt(walk, i)}, a circle`);
  walk.holders[depth] = value;
  if (isArray(value)) return listOf(walk, value);
  const prototype = getPrototypeOf(value);
  if (prototype === plain || prototype === null) return fieldsOf(walk, value);
  const special = forms().specialForm(value, walk.leaving === "returned");
  if (special === null) return fieldsOf(walk, value);
  if ("lost" in special) return lose(walk, value, named(special.lost));
  if (special.response !== undefined) {
    push(walk.responses, { response: special.response, form: special.form, path: pathOf(walk.path) });
    return special.form;
  }
  if (typeof special.form !== "object") return special.form;
  return isArray(special.form) ? listOf(walk, special.form) : fieldsOf(walk, special.form);
}

function listOf(walk: Walk, list: unknown[]): unknown[] {
  let copy: unknown[] | null = null;
  const depth = walk.path.length;
  for (let i = 0; i < list.length && walk.valuesLeft >= 0; i++) {
    const item = list[i];
    walk.path[depth] = i;
    if (item === undefined) lose(walk, item, "undefined");
    const form = formOf(walk, item);
    walk.path.length = depth;
    if (copy === null && isOther(form, item)) {
      copy = [];
      for (let j = 0; j < i; j++) push(copy, list[j]);
    }
    if (copy !== null) push(copy, form);
  }
  return walk.valuesLeft < 0 ? list : (copy ?? list);
}

function fieldsOf(walk: Walk, object: object): object {
  const from = object as Record<string, unknown>;
  const keys = objectKeys(object);
  let copy: Record<string, unknown> | null = null;
  const depth = walk.path.length;
  for (let i = 0; i < keys.length && walk.valuesLeft >= 0; i++) {
    const key = keys[i] as string;
    const field = getOwnPropertyDescriptor(object, key);
    if (field === undefined || !("value" in field)) {
      // The JSON writer calls it, or, for a copy, this code does.
      if (copy !== null) copy[key] = from[key];
      continue;
    }
    if (field.value === undefined) continue;
    walk.path[depth] = key;
    const form = formOf(walk, field.value);
    walk.path.length = depth;
    if (copy === null && isOther(form, field.value)) {
      copy = { __proto__: null } as unknown as Record<string, unknown>;
      for (let j = 0; j < i; j++) copy[keys[j] as string] = from[keys[j] as string];
    }
    if (copy !== null) copy[key] = form;
  }
  return walk.valuesLeft < 0 ? object : (copy ?? object);
}

/** It ends the look: nothing of the value leaves. */
function refuse(walk: Walk, value: unknown, why: string): unknown {
  const path = pathOf(walk.path);
  walk.fault = `${HOLDERS[walk.leaving]} can't be JSON: ${path === "" ? "it" : `its "${path}"`} ${why}.`;
  walk.valuesLeft = -1;
  return value;
}

const holderAt = (walk: Walk, depth: number): string =>
  depth === 0 ? "the whole of it" : `its "${pathOf(walk.path, depth)}"`;

const isOther = (form: unknown, value: unknown): boolean => form !== value && !isNaNumber(value);

function lose(walk: Walk, value: unknown, what: string): unknown {
  if (walk.losses.length < LOSSES_MAX) push(walk.losses, { path: pathOf(walk.path), what });
  return value;
}

/** "a Promise", of its tag. */
function named(tag: string): string {
  const name = slice(tag, "[object ".length, -1);
  return `${name === "ArrayBuffer" || indexOf(name, "Async") === 0 ? "an" : "a"} ${name}`;
}

function pathOf(keys: (string | number)[], count = keys.length): string {
  let text = "";
  for (let i = 0; i < count && text.length < SHOWN_CHARS_MAX; i++) {
    const key = keys[i] as string | number;
    if (typeof key === "number") text += `[${key}]`;
    else text += (i > 0 ? "." : "") + head(key, SHOWN_CHARS_MAX);
  }
  return text;
}

/** The losses that were reported. A text, since a set would be one more object in every context. */
let told = "";

/**
 * Logs a warning for each kind of loss, with the place of the first one; `json` is the text that left. Each kind is
 * reported once for each way out.
 */
export function tellLosses({ losses }: Left, json: string, leaving: Leaving): void {
  if (matchOf(LONG_INTEGER, json) !== null) tellRounding(json, leaving);
  for (let i = 0; i < losses.length; i++) {
    const { path, what } = losses[i] as Loss;
    if (wasTold(leaving, what)) continue;
    const isNull = what === "undefined" || indexOf(what, "NaN") === 0 || indexOf(what, "Infinity") >= 0;
    const rest = isNull ? "it became null" : "what it holds is lost";
    const text =
      path === ""
        ? `The tool ${leaving} ${what}; only JSON leaves the sandbox: it became ${head(json, SHOWN_CHARS_MAX)}.`
        : `${HOLDERS[leaving]}'s "${path}" is ${what}; only JSON leaves the sandbox: ${rest}.`;
    spend("log", text, "warn");
  }
}

function wasTold(leaving: Leaving, what: string): boolean {
  const kind = `${leaving} ${what};`;
  if (indexOf(told, kind) >= 0) return true;
  told += kind;
  return false;
}

/** A reader of JSON may keep no more digits than JavaScript does, and where the number was written here it lost some already. */
function tellRounding(json: string, leaving: Leaving): void {
  const number = "an integer beyond 9007199254740991";
  const { inexactName } = require("./exact-json.ts") as typeof import("./exact-json.ts");
  let name: string | null;
  try {
    name = inexactName(json);
  } catch {
    // Too deep for a look at each number; whether it may leave at all is judged elsewhere.
    return;
  }
  if (name === null || wasTold(leaving, number)) return;
  const where = name === "" ? HOLDERS[leaving] : `${HOLDERS[leaving]}'s "${head(name, SHOWN_CHARS_MAX)}"`;
  spend("log", `${where} is ${number}, where digits are lost: make it a string.`, "warn");
}
