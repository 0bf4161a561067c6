import { emit, toolConsole } from "./console.ts";
import type { GlobalName } from "./global-names.ts";
import { lazily } from "./lazily.ts";
import { runFacts, toolArguments, toolContext } from "./run-facts.ts";
import { queueMicrotask } from "./queue-microtask.ts";
import { clearTimer, setInterval, setTimeout } from "./timers.ts";

/** The bundler turns a require of a constant into a module that runs when it is called. */
declare const require: (path: string) => unknown;

const abort = lazily(() => require("./abort.ts") as typeof import("./abort.ts"));
const api = lazily(() => require("./api.ts") as typeof import("./api.ts"));
const base64 = lazily(() => require("./base64.ts") as typeof import("./base64.ts"));
const blob = lazily(() => require("./blob.ts") as typeof import("./blob.ts"));
const clone = lazily(() => require("./clone.ts") as typeof import("./clone.ts"));
const crypto = lazily(() => require("./crypto.ts") as typeof import("./crypto.ts"));
const fetching = lazily(() => require("./fetch.ts") as typeof import("./fetch.ts"));
const forms = lazily(() => require("./form-data.ts") as typeof import("./form-data.ts"));
const headers = lazily(() => require("./headers.ts") as typeof import("./headers.ts"));
const networkApi = lazily(() => require("./network-api.ts") as typeof import("./network-api.ts"));
const request = lazily(() => require("./request.ts") as typeof import("./request.ts"));
const response = lazily(() => require("./response.ts") as typeof import("./response.ts"));
const streams = lazily(() => require("./readable-stream.ts") as typeof import("./readable-stream.ts"));
const textCoding = lazily(() => require("./text-coding.ts") as typeof import("./text-coding.ts"));
const temporal = lazily(() => require("./temporal.ts") as typeof import("./temporal.ts"));
const url = lazily(() => require("./url.ts") as typeof import("./url.ts"));
const utils = lazily(() => require("./utils/utils.ts") as typeof import("./utils/utils.ts"));

/** How each global is made for a run whose code names it; a new one also needs its entry in `global-names.ts`. */
export const GLOBALS: Readonly<Record<GlobalName, () => unknown>> = {
  args: toolArguments,
  input: toolArguments,
  context: toolContext,
  console: () => toolConsole,
  emit: () => emit,
  setTimeout: () => setTimeout,
  setInterval: () => setInterval,
  clearTimeout: () => clearTimer,
  clearInterval: () => clearTimer,
  queueMicrotask: () => queueMicrotask,
  structuredClone: () => clone().structuredClone,
  atob: () => base64().atob,
  btoa: () => base64().btoa,
  crypto: () => crypto().crypto,
  TextEncoder: () => textCoding().TextEncoder,
  TextDecoder: () => textCoding().TextDecoder,
  URL: () => url().URL,
  URLSearchParams: () => url().URLSearchParams,
  Headers: () => headers().Headers,
  Request: () => request().Request,
  Response: () => response().Response,
  FormData: () => forms().FormData,
  Blob: () => blob().Blob,
  File: () => blob().File,
  ReadableStream: () => streams().ReadableStream,
  AbortController: () => abort().AbortController,
  AbortSignal: () => abort().AbortSignal,
  Temporal: () => temporal().coarseTemporal(),
  utils: () => utils().utils,
  api: () => api().buildApi(runFacts.network ? networkApi() : null),
  fetch: () => fetching().fetch,
};
