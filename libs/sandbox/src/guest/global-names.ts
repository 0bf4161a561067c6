/**
 * The names beside the language that a tool may use. A tool's code can reach a global only by naming it, since nothing
 * leads to the global object and no text becomes code: so a run's context gets the globals that its code names, and no
 * others.
 */
export const GLOBAL_NAMES = [
  "args",
  "input",
  "context",
  "console",
  "emit",
  "setTimeout",
  "setInterval",
  "clearTimeout",
  "clearInterval",
  "queueMicrotask",
  "structuredClone",
  "atob",
  "btoa",
  "crypto",
  "performance",
  "TextEncoder",
  "TextDecoder",
  "TextEncoderStream",
  "TextDecoderStream",
  "URL",
  "URLSearchParams",
  "Headers",
  "Request",
  "Response",
  "FormData",
  "Blob",
  "Buffer",
  "File",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "CountQueuingStrategy",
  "ByteLengthQueuingStrategy",
  "Event",
  "CustomEvent",
  "EventTarget",
  "AbortController",
  "AbortSignal",
  "DOMException",
  "Temporal",
  "utils",
  "api",
] as const;

/** Names that need the permission `network`; undefined in every other tool. */
export const NETWORK_NAMES = ["fetch"] as const;

/** Names of other hosts that tools probe for: undefined, where naming them would throw a ReferenceError. */
export const FOREIGN_NAMES = [
  "global",
  "process",
  "require",
  "module",
  "exports",
  "__dirname",
  "__filename",
] as const;

export type GlobalName = (typeof GLOBAL_NAMES)[number] | (typeof NETWORK_NAMES)[number];

/** The globals that a run of some code gets, and those that are reported as undefined. */
export interface NamedGlobals {
  names: readonly string[];
  absent: readonly string[];
}

/** The globals that this code may name; all of them where an escape could spell one. Too many cost time, never safety. */
export function globalsFor(code: string, network: boolean): NamedGlobals {
  const mayName = code.includes("\\u") ? () => true : (name: string) => code.includes(name);
  const networkNames = NETWORK_NAMES.filter(mayName);
  const absent: string[] = FOREIGN_NAMES.filter(mayName);
  const names: string[] = GLOBAL_NAMES.filter(mayName);
  (network ? names : absent).push(...networkNames);
  return { names, absent };
}
