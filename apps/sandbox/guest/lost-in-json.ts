import { head, spend } from "./budget.ts";
import {
  getOwnPropertyDescriptor,
  indexOf,
  isArray,
  isView,
  matchOf,
  objectToString,
  ownKeys,
  toText,
} from "./primordials.ts";

/** What JSON has no words for: it becomes {}, or nothing at all. */
const LOST =
  /^\[object ((?:Weak)?(?:Map|Set)|WeakRef|Promise|RegExp|Error|DOMException|ArrayBuffer|DataView|(?:Async)?(?:Generator)?Function|(?:Async)?Generator|Response|Request|Headers|FormData|Blob|File|URLSearchParams|ReadableStream)\]$/;
/** An integer of many digits, as JSON of the tool's own has it; perhaps in a text. */
const LONG_INTEGER = /(?:^|[[:,])-?\d{16,}(?:[,\]}]|$)/;
const FIELDS_LOOKED_AT = 100;
const SHOWN_CHARS_MAX = 60;

/** How a value left. */
type Leaving = "returned" | "emitted" | "sent";
const HOLDERS = { returned: "The result", emitted: "An emitted value", sent: "A sent body" } as const;

/** What was told already. A text, where a set would be one more object in every context. */
let told = "";

/**
 * A warning in the run's log where a value, or the first of its own fields, loses what it held; `json` is what left. Each kind
 * of loss is told once for each way out.
 */
export function warnOfLoss(value: unknown, json: string, leaving: Leaving): void {
  try {
    if (matchOf(LONG_INTEGER, json) !== null) warnOfRounding(json, leaving);
    const lost = kindLost(value);
    if (lost === null) return warnOfFields(value, leaving);
    const shown = head(json, SHOWN_CHARS_MAX);
    warn(leaving, lost, `The tool ${leaving} ${lost}; only JSON leaves the sandbox: it became ${shown}.`);
  } catch {
    // A getter or proxy of the tool's own threw: the value stands as it is, and nothing can be said of it.
  }
}

declare const require: (path: string) => unknown;

/** A reader of JSON may keep no more digits than JavaScript does, and where the number was written here it lost some already. */
function warnOfRounding(json: string, leaving: Leaving): void {
  const { inexactName } = require("./exact-json.ts") as typeof import("./exact-json.ts");
  const name = inexactName(json);
  if (name === null) return;
  const where = name === "" ? HOLDERS[leaving] : `${HOLDERS[leaving]}'s "${head(name, SHOWN_CHARS_MAX)}"`;
  const number = "an integer beyond 9007199254740991";
  warn(leaving, number, `${where} is ${number}, where digits are lost: make it a string.`);
}

function warnOfFields(value: unknown, leaving: Leaving): void {
  if (typeof value !== "object" || value === null || isView(value) || "toJSON" in value) return;
  const keys = isArray(value) ? null : ownKeys(value);
  const count = keys === null ? (value as unknown[]).length : keys.length;
  for (let i = 0; i < count && i < FIELDS_LOOKED_AT; i++) {
    const key = keys === null ? i : (keys[i] as string | symbol);
    const field = getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || field?.enumerable !== true) continue;
    const lost = kindLost(field.value);
    if (lost === null) continue;
    const place = `${HOLDERS[leaving]}'s "${head(toText(key), SHOWN_CHARS_MAX)}"`;
    return warn(leaving, lost, `${place} is ${lost}; only JSON leaves the sandbox: what it holds is lost.`);
  }
}

/** "a Map", or null for what JSON can say. A kind that a tool claims for itself is told as it claims. */
function kindLost(value: unknown): string | null {
  if (typeof value !== "function" && (typeof value !== "object" || value === null)) return null;
  const tag = objectToString(value);
  if (tag === "[object Object]" || tag === "[object Array]" || "toJSON" in value) return null;
  const name = matchOf(LOST, tag)?.[1];
  if (name === undefined) return null;
  const vowel = name === "Error" || name[0] === "A";
  return `${vowel ? "an" : "a"} ${name}`;
}

function warn(leaving: Leaving, lost: string, text: string): void {
  const kind = `${leaving} ${lost};`;
  if (indexOf(told, kind) >= 0) return;
  told += kind;
  spend("log", text, "warn");
}
