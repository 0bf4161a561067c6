import { apply, defineProperty, isArray, objectFreeze, ownKeys, parseJson } from "./primordials.ts";
import { AbortController, AbortSignal } from "./abort.ts";
import { atob, btoa } from "./base64.ts";
import { budget, cutTo, spend } from "./budget.ts";
import { structuredClone } from "./clone.ts";
import { emit, LINE_BYTES_MAX, toolConsole } from "./console.ts";
import { crypto } from "./crypto.ts";
import { fetch, onFetched } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { checkBody, prune } from "./prune.ts";
import { queueMicrotask } from "./queue-microtask.ts";
import { Response } from "./response.ts";
import { callTool, settling } from "./settle.ts";
import { clearTimer, ring, setInterval, setTimeout } from "./timers.ts";
import { URL, URLSearchParams } from "./url.ts";
import { TextDecoder, TextEncoder } from "./utf8.ts";

/** What every tool finds, besides the language; later parts of the guest add theirs here. */
const GLOBALS: Record<string, unknown> = {
  console: toolConsole,
  emit,
  setTimeout,
  setInterval,
  clearTimeout: clearTimer,
  clearInterval: clearTimer,
  queueMicrotask,
  structuredClone,
  atob,
  btoa,
  crypto,
  TextEncoder,
  TextDecoder,
  URL,
  URLSearchParams,
  Headers,
  Response,
  AbortController,
  AbortSignal,
};

const scope = globalThis;

function define(name: string, value: unknown): void {
  defineProperty(scope, name, { value, writable: true, configurable: true, enumerable: false });
}

/** What one run is told before the tool is called. */
interface Beginning {
  network: boolean;
  logBytes: number;
  logLines: number;
  resultBytes: number;
}

function begin(beginningJson: string, argumentsJson: string, contextJson: string): void {
  const beginning = parseJson(beginningJson) as Beginning;
  budget.bytesLeft = beginning.logBytes;
  budget.linesLeft = beginning.logLines;
  settling.resultBytes = beginning.resultBytes;
  const args: unknown = parseJson(argumentsJson);
  define("args", args);
  define("input", args);
  define("context", freezeDeep(parseJson(contextJson)));
  define("fetch", beginning.network ? fetch : undefined);
}

function freezeDeep(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const keys = isArray(value) ? [] : ownKeys(value);
  for (let i = 0; i < keys.length; i++) freezeDeep((value as Record<string, unknown>)[keys[i] as string]);
  return objectFreeze(value);
}

/** An error that nobody in the tool caught is told in the log; the run goes on, as in a browser. */
function uncaught(text: string): void {
  spend("log", cutTo(LINE_BYTES_MAX, `Uncaught ${text}`), "error");
}

/** What the host calls after the bootstrap; nothing of it is reachable from the tool. */
const ENTRIES: Record<string, (...args: never[]) => unknown> = {
  begin,
  check: checkBody,
  call: callTool,
  ring,
  fetched: onFetched,
  uncaught,
};

const names = ownKeys(GLOBALS);
for (let i = 0; i < names.length; i++) define(names[i] as string, GLOBALS[names[i] as string]);
prune(scope);

/** The bundle's value: the one door from the host into this context. */
export const enter = (name: string, a: unknown, b: unknown, c: unknown): unknown => {
  apply(ENTRIES[name] as () => unknown, undefined, [a, b, c]);
  return undefined;
};
