import { readSync, writeSync } from "node:fs";
import { constants, createContext, runInContext } from "node:vm";

// A module of a tool's folder, and packages in it that nobody has read, are evaluated in this process: it is started without
// an environment and without the right to files, network, processes and threads. The context below is one wall more.

const TEXTS_FD = 0;
const RESULT_FD = 3;
const READ_BYTES = 64 * 1024;
const LINE_END = 10;

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

let left: Buffer = Buffer.alloc(0);

/** Waits for a text, which is a line of JSON: our own comes first, and the module's as soon as there is one. */
function readText(): string {
  const chunks: Buffer[] = [];
  for (let chunk = left; ; chunk = readChunk()) {
    const end = chunk.indexOf(LINE_END);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) continue;
    left = chunk.subarray(end + 1);
    return JSON.parse(Buffer.concat(chunks).toString()) as string;
  }
}

function readChunk(): Buffer {
  const chunk = Buffer.alloc(READ_BYTES);
  const bytes = readSync(TEXTS_FD, chunk);
  // Who would have sent a module is gone, or does not need one any more.
  if (bytes === 0) process.exit(0);
  return chunk.subarray(0, bytes);
}

// Nothing of the module's signals, ends or inspects a process.
for (const name of ["abort", "binding", "dlopen", "kill", "_debugProcess", "_kill", "_linkedBinding"])
  Object.defineProperty(process, name, { value: undefined });

const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
const give = (name: string, value: unknown) =>
  Object.defineProperty(context, name, { value, writable: true });
// Each when it is first looked for: Node loads half of them no sooner, which takes as long as all else here.
for (const name of GIVEN)
  Object.defineProperty(context, name, {
    configurable: true,
    get: () => globalThis[name],
    set: (value: unknown) => {
      give(name, value);
    },
  });
runInContext(IDLE, context);
runInContext(readText(), context, { filename: "describer.js" });
const module = readText();
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
