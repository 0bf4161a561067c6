import {
  apply,
  dateIso,
  getOwnPropertyDescriptor,
  indexOf,
  isArray,
  mapEach,
  mapSize,
  objectToString,
  ownKeys,
  setEach,
  setSize,
  slice,
  stringifyJson,
  symbolText,
  toText,
  weakSetAdd,
  weakSetDelete,
  weakSetHas,
  WeakSetCtor,
} from "./primordials.ts";
import { head } from "./budget.ts";
import { lazily } from "./lazily.ts";
import { describeError, isErrorLike } from "./errors.ts";

declare const require: (path: string) => unknown;

const responses = lazily(() => require("./thrown-response.ts") as typeof import("./thrown-response.ts"));
const templates = lazily(() => require("./format-template.ts") as typeof import("./format-template.ts"));

const DEPTH_MAX = 4;
const ENTRIES_MAX = 100;
/** A little over one line: a longer text is cut anyway. */
export const FORMATTED_CHARS_MAX = 9_000;

interface Writing {
  text: string;
  seen: WeakSet<object>;
}

/** A value as a person reads it: strings bare, the rest like JSON; bounded in depth, entries and length. */
export function format(value: unknown): string {
  if (typeof value === "string") return head(value, FORMATTED_CHARS_MAX);
  const writing: Writing = { text: "", seen: new WeakSetCtor() };
  write(writing, value, 0);
  return slice(writing.text, 0, FORMATTED_CHARS_MAX);
}

/** The values of one line, a space between them, or as the directives in the first one say; stops a little over `charsMax`. */
export function formatLine(values: readonly unknown[], charsMax: number): string {
  const first = values[0];
  if (values.length > 1 && typeof first === "string") {
    const template = head(first, FORMATTED_CHARS_MAX);
    if (indexOf(template, "%") >= 0) return templates().formatTemplate(template, values, charsMax);
  }
  let line = "";
  for (let i = 0; i < values.length && line.length <= charsMax; i++) {
    line += (i > 0 ? " " : "") + format(values[i]);
  }
  return line;
}

function write(out: Writing, value: unknown, depth: number): void {
  if (typeof value === "string") out.text += stringifyJson(head(value, FORMATTED_CHARS_MAX));
  else if (typeof value === "bigint") out.text += `${toText(value)}n`;
  else if (typeof value === "symbol") out.text += symbolText(value);
  else if (typeof value === "function") out.text += "[function]";
  else if (typeof value === "object" && value !== null) writeObject(out, value, depth);
  else out.text += toText(value);
}

function writeObject(out: Writing, value: object, depth: number): void {
  if (weakSetHas(out.seen, value)) out.text += "[circular]";
  else if (depth >= DEPTH_MAX) out.text += isArray(value) ? "[…]" : "{…}";
  else {
    weakSetAdd(out.seen, value);
    try {
      writeEntries(out, value, depth);
    } catch {
      // A proxy or getter of the tool's own threw: the log line goes on without that value.
      out.text += "[unreadable]";
    }
    weakSetDelete(out.seen, value);
  }
}

function writeEntries(out: Writing, value: object, depth: number): void {
  const tag = objectToString(value);
  if (isErrorLike(value)) out.text += describeError(value).text;
  else if (isArray(value)) writeArray(out, value, depth);
  else if (tag === "[object Date]") out.text += dateIso(value);
  else if (tag === "[object RegExp]") out.text += toText(value);
  else if (tag === "[object Map]") writeMap(out, value, depth);
  else if (tag === "[object Set]") writeSet(out, value, depth);
  else if (tag === "[object Response]" && responses().isResponse(value))
    out.text += responses().responseTitle(value);
  else writeFields(out, value, depth);
}

const isFull = (out: Writing, index: number): boolean =>
  index >= ENTRIES_MAX || out.text.length >= FORMATTED_CHARS_MAX;

function writeArray(out: Writing, value: unknown[], depth: number): void {
  out.text += "[";
  for (let i = 0; i < value.length; i++) {
    if (i > 0) out.text += ", ";
    if (isFull(out, i)) {
      out.text += `… ${value.length - i} more`;
      break;
    }
    write(out, value[i], depth + 1);
  }
  out.text += "]";
}

function writeFields(out: Writing, value: object, depth: number): void {
  const keys = ownKeys(value);
  let written = 0;
  out.text += "{";
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | symbol;
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor?.enumerable !== true) continue;
    if (isFull(out, written)) {
      out.text += ", …";
      break;
    }
    out.text += written++ > 0 ? ", " : " ";
    out.text += typeof key === "symbol" ? `[${symbolText(key)}]: ` : `${key}: `;
    writeField(out, value, descriptor, depth);
  }
  out.text += written > 0 ? " }" : "}";
}

/** A descriptor, its getter as a plain function. */
interface Field {
  value?: unknown;
  get?: (() => unknown) | undefined;
}

function writeField(out: Writing, holder: object, field: Field, depth: number): void {
  let shown: unknown = field.value;
  try {
    if (field.get !== undefined) shown = apply(field.get, holder, []);
  } catch {
    // The tool's own getter threw: the other fields are shown all the same.
    return void (out.text += "[unreadable]");
  }
  write(out, shown, depth + 1);
}

function writeMap(out: Writing, value: object, depth: number): void {
  let index = 0;
  out.text += `Map(${mapSize(value)}) {`;
  mapEach(value, (item: unknown, key: unknown) => {
    if (isFull(out, index)) return;
    out.text += index++ > 0 ? ", " : " ";
    write(out, key, depth + 1);
    out.text += " => ";
    write(out, item, depth + 1);
  });
  out.text += index > 0 ? " }" : "}";
}

function writeSet(out: Writing, value: object, depth: number): void {
  let index = 0;
  out.text += `Set(${setSize(value)}) {`;
  setEach(value, (item: unknown) => {
    if (isFull(out, index)) return;
    out.text += index++ > 0 ? ", " : " ";
    write(out, item, depth + 1);
  });
  out.text += index > 0 ? " }" : "}";
}
