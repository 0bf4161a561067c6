import { emit } from "./emit.ts";
import type { GlobalName } from "./global-names.ts";
import { queueMicrotask } from "./queue-microtask.ts";
import { runFacts, toolArguments, toolContext } from "./run-facts.ts";
import { clearTimer, setInterval, setTimeout } from "./timers.ts";

/** The bundler turns a require of a constant into a module that is run once, when it is first called for. */
declare const require: (path: string) => unknown;

/**
 * Makes a global for a run whose code names it; a new one also needs its entry in `global-names.ts`. It is a switch, since
 * a table of functions would be made anew in every context, however little of it is used.
 */
export function makeGlobal(name: GlobalName): unknown {
  switch (name) {
    case "args":
      return toolArguments();
    case "input":
      return toolArguments();
    case "context":
      return toolContext();
    case "console":
      return (require("./console.ts") as typeof import("./console.ts")).toolConsole;
    case "emit":
      return emit;
    case "setTimeout":
      return setTimeout;
    case "setInterval":
      return setInterval;
    case "clearTimeout":
      return clearTimer;
    case "clearInterval":
      return clearTimer;
    case "queueMicrotask":
      return queueMicrotask;
    case "structuredClone":
      return (require("./clone.ts") as typeof import("./clone.ts")).structuredClone;
    case "atob":
      return (require("./base64.ts") as typeof import("./base64.ts")).atob;
    case "btoa":
      return (require("./base64.ts") as typeof import("./base64.ts")).btoa;
    case "crypto":
      return (require("./crypto.ts") as typeof import("./crypto.ts")).crypto;
    case "performance":
      return (require("./performance.ts") as typeof import("./performance.ts")).performance;
    case "TextEncoder":
      return (require("./text-coding.ts") as typeof import("./text-coding.ts")).TextEncoder;
    case "TextDecoder":
      return (require("./text-coding.ts") as typeof import("./text-coding.ts")).TextDecoder;
    case "TextEncoderStream":
      return (require("./text-streams.ts") as typeof import("./text-streams.ts")).TextEncoderStream;
    case "TextDecoderStream":
      return (require("./text-streams.ts") as typeof import("./text-streams.ts")).TextDecoderStream;
    case "URL":
      return (require("./url.ts") as typeof import("./url.ts")).URL;
    case "URLSearchParams":
      return (require("./url-search-params.ts") as typeof import("./url-search-params.ts")).URLSearchParams;
    case "Headers":
      return (require("./headers.ts") as typeof import("./headers.ts")).Headers;
    case "Request":
      return (require("./request.ts") as typeof import("./request.ts")).Request;
    case "Response":
      return (require("./response.ts") as typeof import("./response.ts")).Response;
    case "FormData":
      return (require("./form-data.ts") as typeof import("./form-data.ts")).FormData;
    case "Blob":
      return (require("./blob.ts") as typeof import("./blob.ts")).Blob;
    case "Buffer":
      return (require("./buffer.ts") as typeof import("./buffer.ts")).Buffer;
    case "File":
      return (require("./blob.ts") as typeof import("./blob.ts")).File;
    case "ReadableStream":
      return (require("./streams.ts") as typeof import("./streams.ts")).ReadableStream;
    case "WritableStream":
      return (require("./streams.ts") as typeof import("./streams.ts")).WritableStream;
    case "TransformStream":
      return (require("./streams.ts") as typeof import("./streams.ts")).TransformStream;
    case "CountQueuingStrategy":
      return (require("./streams.ts") as typeof import("./streams.ts")).CountQueuingStrategy;
    case "ByteLengthQueuingStrategy":
      return (require("./streams.ts") as typeof import("./streams.ts")).ByteLengthQueuingStrategy;
    case "Event":
      return (require("./event.ts") as typeof import("./event.ts")).Event;
    case "CustomEvent":
      return (require("./event.ts") as typeof import("./event.ts")).CustomEvent;
    case "EventTarget":
      return (require("./event-target.ts") as typeof import("./event-target.ts")).EventTarget;
    case "AbortController":
      return (require("./abort.ts") as typeof import("./abort.ts")).AbortController;
    case "AbortSignal":
      return (require("./abort.ts") as typeof import("./abort.ts")).AbortSignal;
    case "DOMException":
      return (require("./dom-exception.ts") as typeof import("./dom-exception.ts")).DOMException;
    case "Temporal":
      return (require("./temporal.ts") as typeof import("./temporal.ts")).coarseTemporal();
    case "utils":
      return (require("./utils/utils.ts") as typeof import("./utils/utils.ts")).utils;
    case "api":
      return (require("./api.ts") as typeof import("./api.ts")).buildApi(
        runFacts.network ? (require("./network-api.ts") as typeof import("./network-api.ts")) : null,
      );
    case "fetch":
      return (require("./fetch.ts") as typeof import("./fetch.ts")).fetch;
    default:
      return name satisfies never;
  }
}
