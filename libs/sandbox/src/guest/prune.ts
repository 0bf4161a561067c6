import { hideSources } from "./function-text.ts";
import { defineProperty, getPrototypeOf, setPrototypeOf } from "./primordials.ts";

/**
 * Parts of the language that no tool gets: those that compile text into code, that share memory or escape the heap's
 * limit, that run after the run has ended (FinalizationRegistry), and the global object itself.
 */
const REMOVED = [
  "eval",
  "Function",
  "WebAssembly",
  "SharedArrayBuffer",
  "Atomics",
  "FinalizationRegistry",
  "globalThis",
];

function refuseToCompile(): never {
  throw new EvalError("Code generation from strings disallowed for this context");
}

/** Takes away the four constructors of functions, which stay reachable through every function's prototype. */
function removeConstructors(): void {
  const samples = [function* () {}, async () => undefined, async function* () {}, () => undefined];
  for (let i = 0; i < samples.length; i++) {
    const prototype = getPrototypeOf(samples[i] as object) as object;
    defineProperty(prototype, "constructor", {
      value: refuseToCompile,
      writable: false,
      configurable: false,
      enumerable: false,
    });
  }
}

export function prune(scope: object): void {
  removeConstructors();
  hideSources(getPrototypeOf(refuseToCompile) as object);
  // A getter on Object.prototype would otherwise be called with the global object as its receiver.
  setPrototypeOf(scope, null);
  for (let i = 0; i < REMOVED.length; i++) {
    defineProperty(scope, REMOVED[i] as string, {
      value: undefined,
      writable: false,
      configurable: false,
      enumerable: false,
    });
  }
}
