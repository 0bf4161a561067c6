import { connectBridge } from "./bridge.ts";
import { call, uncaught } from "./entries.ts";
import { globalScope } from "./primordials.ts";
import { prune } from "./prune.ts";

declare const require: (path: string) => unknown;

/**
 * The bundle's value: makes a context from the snapshot ready for its run, and returns the only function through which the
 * host enters it. V8 refuses a snapshot whose global scope is pruned already.
 */
export function connect(...host: Parameters<typeof connectBridge>): typeof enter {
  connectBridge(...host);
  prune(globalScope);
  return enter;
}

/** The tool can't reach any of it. Parts that only some runs need are loaded at the host's first use. */
function enter(name: string, a: never, b: never, c: never, d: never, e: never): undefined {
  switch (name) {
    case "call":
      call(a, b, c, d, e);
      return;
    case "check":
      (require("./check-body.ts") as typeof import("./check-body.ts")).checkBody(a);
      return;
    case "ring":
      (require("./timers.ts") as typeof import("./timers.ts")).ring(a);
      return;
    case "answered":
      (require("./effects.ts") as typeof import("./effects.ts")).onAnswered(a, b, c);
      return;
    case "answered64":
      (require("./effects.ts") as typeof import("./effects.ts")).onAnswered64(a, b, c);
      return;
    case "refused":
      (require("./effects.ts") as typeof import("./effects.ts")).onRefused(a, b, c);
      return;
    case "watch":
      (require("./late-catch.ts") as typeof import("./late-catch.ts")).watchCatches();
      return;
    case "uncaught":
      uncaught(a);
      return;
  }
}
