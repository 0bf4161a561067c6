/** What the language gives a tool. */
const LANGUAGE =
  "AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError Float16Array Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt undefined unescape";

/** What the sandbox gives it; a test there compares this with what it has. */
const SANDBOX =
  "AbortController AbortSignal Blob Buffer ByteLengthQueuingStrategy CountQueuingStrategy CustomEvent DOMException Event EventTarget File FormData Headers ReadableStream Request Response Temporal TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream URL URLSearchParams WritableStream api args atob btoa clearInterval clearTimeout console context crypto emit fetch input performance queueMicrotask setInterval setTimeout structuredClone utils";

const NAMES: ReadonlySet<string> = new Set([...LANGUAGE.split(" "), ...SANDBOX.split(" ")]);

/** Whether a variable of this name is there without a declaration. */
export const isToolName = (name: string): boolean => NAMES.has(name);
