import type { Identifier } from "acorn";
import { isFreeName } from "./advice.ts";
import { UNDECLARED_NAMES_MAX, UNDECLARED_NAME_CHARS_MAX } from "./bounds.ts";

/** A variable that is used and that nothing declares; `at` is its first place in the text that was parsed. */
export interface UndeclaredName {
  /** Cut where it is very long. */
  name: string;
  at: number;
  /** It names a replacement, where one is known. */
  instead: string | null;
}

const OUTCOME = "a tool returns its result; leave it out.";
const BROWSER = "a tool runs on a server, not in a page.";
const HTTP = "use fetch or api.rest.";
const FILES = "a tool has no files: take what it needs from args.";
const HASHES = "use utils.hash, utils.hmac or crypto.subtle.digest.";
const DATES = "use Date, Temporal or utils.formatDate.";
const IDS = "use crypto.randomUUID().";
const LISTS =
  "write it with the language's own arrays and objects, or with utils.groupBy, utils.unique and utils.getPath.";
const ABSENT = "tools don't have it.";

/** Names that exist in other places where code runs, each with what a tool has instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    module: OUTCOME,
    exports: OUTCOME,
    window: BROWSER,
    self: BROWSER,
    document: BROWSER,
    navigator: BROWSER,
    location: BROWSER,
    localStorage: BROWSER,
    sessionStorage: BROWSER,
    alert: "use console.log.",
    XMLHttpRequest: HTTP,
    axios: HTTP,
    got: HTTP,
    http: HTTP,
    https: HTTP,
    fs: FILES,
    path: FILES,
    os: FILES,
    CryptoJS: HASHES,
    createHash: HASHES,
    createHmac: HASHES,
    moment: DATES,
    dayjs: DATES,
    uuid: IDS,
    uuidv4: IDS,
    nanoid: IDS,
    randomUUID: IDS,
    _: LISTS,
    lodash: LISTS,
    setImmediate: "use setTimeout with 0.",
    clearImmediate: "use clearTimeout.",
    env: "read settings with utils.getApiKey.",
    Deno: "read settings with utils.getApiKey.",
    Bun: "read settings with utils.getApiKey.",
    params: "the arguments are args.",
    parameters: "the arguments are args.",
    event: "the arguments are args.",
    $input: "the arguments are args.",
    z: "declare the schema as the tool's parameters.",
    WebAssembly: ABSENT,
    SharedArrayBuffer: ABSENT,
    Atomics: ABSENT,
    FinalizationRegistry: ABSENT,
    WebSocket: ABSENT,
    EventSource: ABSENT,
    Worker: ABSENT,
  }),
);

/** Of names that the code doesn't declare, those that no tool has either, in the order of the text and each once, the first ones. */
export function findUndeclared(references: readonly Identifier[]): UndeclaredName[] {
  const first = new Map<string, number>();
  for (const { name, start } of references) {
    if (isToolName(name) || isFreeName(name)) continue;
    first.set(name, Math.min(start, first.get(name) ?? start));
  }
  return [...first]
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, UNDECLARED_NAMES_MAX)
    .map(([name, at]) => ({ name: cut(name), at, instead: INSTEAD.get(name) ?? null }));
}

const cut = (name: string): string =>
  name.length > UNDECLARED_NAME_CHARS_MAX ? `${name.slice(0, UNDECLARED_NAME_CHARS_MAX)}…` : name;

/** Globals of the language. */
const LANGUAGE =
  "AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError Float16Array Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt undefined unescape";

/** Globals of the sandbox; a test there compares this list with its own. */
const SANDBOX =
  "AbortController AbortSignal Blob Buffer ByteLengthQueuingStrategy CountQueuingStrategy CustomEvent DOMException Event EventTarget File FormData Headers ReadableStream Request Response Temporal TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream URL URLSearchParams WritableStream api args atob btoa clearInterval clearTimeout console context crypto emit fetch input performance queueMicrotask setInterval setTimeout structuredClone utils";

const NAMES: ReadonlySet<string> = new Set([...LANGUAGE.split(" "), ...SANDBOX.split(" ")]);

/** Whether a variable of this name is there without a declaration. */
export const isToolName = (name: string): boolean => NAMES.has(name);
