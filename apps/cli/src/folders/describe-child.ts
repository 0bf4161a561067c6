import { readFileSync, writeSync } from "node:fs";
import { constants, createContext, runInContext } from "node:vm";

// A module of a tool's folder, and packages in it that nobody has read, are evaluated in this process: it is started without
// an environment and without the right to files, network, processes and threads. The context below is one wall more.

const RESULT_FD = 3;

/** What modules look for when they are evaluated; tools have these too. */
const GIVEN = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "FormData",
  "Headers",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "atob",
  "btoa",
  "structuredClone",
] as const;

/** Of these a module only gets the name: what they do is for a call. */
const IDLE = `var emit = () => {};
var fetch = async () => { throw new Error("A tool may use fetch when it is called, not while it is loaded."); };
var console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };
var setTimeout = () => 0, clearTimeout = () => {}, setInterval = () => 0, clearInterval = () => {};
var queueMicrotask = () => {};`;

// Nothing of the module's signals, ends or inspects a process.
for (const name of ["abort", "binding", "dlopen", "kill", "_debugProcess", "_kill", "_linkedBinding"])
  Object.defineProperty(process, name, { value: undefined });

const { describer, module } = JSON.parse(readFileSync(0, "utf8")) as { describer: string; module: string };
const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
const give = (name: string, value: unknown) =>
  Object.defineProperty(context, name, { value, writable: true });
for (const name of GIVEN) give(name, globalThis[name]);
runInContext(IDLE, context);
runInContext(describer, context, { filename: "describer.js" });
let told: unknown;
try {
  runInContext(module, context, { filename: "module.js" });
  told = runInContext("describer.describe(bulkhead.module)", context);
} catch (error) {
  // What was thrown is looked at where it comes from, so that only a text comes out.
  give("thrown", error);
  told = runInContext("describer.describeThrown(thrown)", context);
}
const bytes = Buffer.from(String(told));
for (let written = 0; written < bytes.length;) written += writeSync(RESULT_FD, bytes, written);
