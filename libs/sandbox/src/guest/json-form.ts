import type { ReadResponse, Response, ResponseForm } from "./response.ts";
import { isErrorLike } from "./errors.ts";
import { makeGlobal } from "./globals.ts";
import type { Headers } from "./headers.ts";
import {
  Bytes,
  getOwnPropertyDescriptor,
  isView,
  mapEach,
  mapSize,
  matchOf,
  objectKeys,
  objectToString,
  push,
  setEach,
  setSize,
} from "./primordials.ts";

declare const require: (path: string) => unknown;

type Special =
  | { lost: string }
  | { form: ResponseForm; response: Response }
  | { form: object | string; response?: undefined };

/** Objects that JSON can't express: they become {}. */
const LOST =
  /^\[object (?:Weak(?:Map|Set|Ref)|Promise|RegExp|DataView|(?:Async)?Generator|(?:Map|Set|Array|String) Iterator|Response|Request|FormData|Blob|File|(?:Readable|Writable|Transform)Stream|Intl\.\w+)\]$/;

/**
 * The usual form of an object that JSON writes as {}; `lost` is the tag of one without a form. Null for an object that is
 * nothing but its fields. Brands decide, not tags.
 */
export function specialForm(value: object, mayWait: boolean): Special | null {
  if (isA(mapSize, value)) return { form: mapForm(value) };
  if (isA(setSize, value)) return { form: setForm(value) };
  if (isErrorLike(value)) return { form: errorForm(value) };
  const tag = objectToString(value);
  if (isView(value)) return tag === "[object DataView]" ? { lost: tag } : { form: numbersOf(value) };
  if (value instanceof ArrayBuffer) return { form: numbersOf(new Bytes(value)) };
  if (tag === "[object Headers]" && isMadeBy("Headers", value))
    return { form: headersForm(value as Headers) };
  if (tag === "[object URLSearchParams]" && isMadeBy("URLSearchParams", value))
    return { form: (value as { toString(): string }).toString() };
  if (tag === "[object Response]" && mayWait && isMadeBy("Response", value)) {
    const response = value as Response;
    return {
      response,
      form: { status: response.status, headers: headersForm(response.headers), body: null },
    };
  }
  return matchOf(LOST, tag) === null ? null : { lost: tag };
}

function isA(read: (value: object) => unknown, value: object): boolean {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
}

const isMadeBy = (name: "Headers" | "URLSearchParams" | "Response", value: object): boolean =>
  value instanceof (makeGlobal(name) as abstract new () => object);

const record = (): Record<string, unknown> => ({ __proto__: null });

/** An object where all keys are texts, else a list of pairs. */
function mapForm(map: object): object {
  let form: Record<string, unknown> | null = record();
  const pairs: unknown[] = [];
  mapEach(map, (value, key) => {
    push(pairs, [key, value]);
    if (typeof key !== "string") form = null;
    else if (form !== null) form[key] = value;
  });
  return form ?? pairs;
}

function setForm(set: object): unknown[] {
  const items: unknown[] = [];
  setEach(set, (item) => void push(items, item));
  return items;
}

/** Its name, its message and its own fields. */
function errorForm(error: Error): object {
  const form = record();
  form["name"] = error.name;
  form["message"] = error.message;
  const more = ["cause", "errors"] as const;
  for (let i = 0; i < more.length; i++) {
    const field = getOwnPropertyDescriptor(error, more[i] as string);
    if (field !== undefined) form[more[i] as string] = field.value;
  }
  const keys = objectKeys(error);
  for (let i = 0; i < keys.length; i++)
    form[keys[i] as string] = (error as unknown as Record<string, unknown>)[keys[i] as string];
  return form;
}

function numbersOf(view: ArrayBufferView): unknown[] {
  const from = view as unknown as { length: number; [at: number]: unknown };
  const numbers: unknown[] = [];
  for (let i = 0; i < from.length; i++) push(numbers, from[i]);
  return numbers;
}

/** Cookies can hold commas, so several are a list. */
function headersForm(headers: Headers): Record<string, unknown> {
  const form = record();
  for (const [name, value] of headers) form[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 1) form["set-cookie"] = cookies;
  return form;
}

/**
 * Reads the bodies into their forms, parsed if they are JSON. Rejects as a body does; `lost` gets those that were read
 * before.
 */
export async function readResponses(
  responses: readonly ReadResponse[],
  lost: (path: string, what: string) => void,
): Promise<void> {
  const { readBody } = require("./read-body.ts") as typeof import("./read-body.ts");
  const { isReadable } = require("./body.ts") as typeof import("./body.ts");
  for (const { response, form, path } of responses)
    if (isReadable(response)) form.body = (await readBody(response)).value;
    else lost(path, "a Response whose body was read already");
}
