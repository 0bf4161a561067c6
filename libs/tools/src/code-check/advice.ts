import type { CodeRule } from "./code-fault.ts";

/** Names that a tool may use as variables only where it declares them itself. */
export type FreeName = Exclude<CodeRule, "syntax" | "uncalled" | "import" | "with">;

const NO_FILES = "a tool has no files of its own: take what it needs from args.";
/** The globals that stand for the modules which people import most. */
export const GLOBALS_INSTEAD =
  "what a tool may use is a global, as fetch, crypto.randomUUID(), utils.hash, utils.base64Encode and Buffer are; call other tools with utils.callTool.";
const NO_GLOBAL_OBJECT =
  "is not available to tools: keep what you need in local variables, and use the documented globals by their names.";

/** The advice for each name. A Map, since `__proto__` is no key for an object. */
const ADVICE: ReadonlyMap<string, string> = new Map<FreeName, string>([
  [
    "process",
    "process is not available to tools: read settings with utils.getApiKey, and end with return or throw.",
  ],
  ["require", `require is not available to tools: ${GLOBALS_INSTEAD}`],
  ["__dirname", `__dirname is not available to tools: ${NO_FILES}`],
  ["__filename", `__filename is not available to tools: ${NO_FILES}`],
  ["global", `global ${NO_GLOBAL_OBJECT}`],
  ["globalThis", `globalThis ${NO_GLOBAL_OBJECT}`],
  ["eval", "eval is not available to tools: write the code out; for data use JSON.parse."],
  ["Function", "Function is not available to tools: write the function out; for a type test use typeof."],
  [
    "__proto__",
    "__proto__ is not available to tools: use Object.getPrototypeOf or Object.create, and a Map for keys from outside.",
  ],
  [
    "constructor",
    "constructor leads to making code from text: name the class itself; comparing it and reading its .name are fine.",
  ],
]);

/** Whether a name is one of those that a tool may use only as its own. */
export const isFreeName = (name: string): name is FreeName => ADVICE.has(name);

/** The advice for a name. */
export const adviceOn = (name: FreeName): string => ADVICE.get(name) ?? `${name} is not available to tools.`;

/** Strict code has no `with`; the parser itself stops there. */
export const WITH_ADVICE =
  "with is not available to tools: name the object, or take its fields apart with const { … }.";
