import { ask } from "./bridge.ts";
import { budget, sayLine } from "./budget.ts";
import { setTool } from "./function-text.ts";
import type { GlobalName } from "./global-names.ts";
import { makeGlobal } from "./globals.ts";
import { defineProperty, globalScope, parseJson } from "./primordials.ts";
import { runFacts } from "./run-facts.ts";
import { callTool, settling } from "./settle.ts";

function define(name: string, value: unknown): void {
  defineProperty(globalScope, name, { value, writable: true, configurable: true, enumerable: false });
}

/** The facts that a run gets before the tool is called. */
interface Beginning {
  network: boolean;
  /** The families of capabilities that it has; unset: none. */
  capabilities?: readonly string[];
  logBytes: number;
  logLines: number;
  resultBytes: number;
  /** The names in the tool's code that this run may have, and those that no run has. */
  names: GlobalName[];
  absent: string[];
}

/** Gives the context the globals that the tool's code names, and calls the tool. */
export function call(
  beginningJson: string,
  argumentsJson: string,
  contextJson: string,
  configJson: string,
  tool: () => Promise<unknown>,
): void {
  const beginning = parseJson(beginningJson) as Beginning;
  const { network, capabilities, logBytes, logLines, resultBytes, names, absent } = beginning;
  budget.bytesMax = logBytes;
  budget.bytesLeft = logBytes;
  budget.linesLeft = logLines;
  settling.resultBytes = resultBytes;
  runFacts.argumentsJson = argumentsJson;
  runFacts.contextJson = contextJson;
  runFacts.configJson = configJson;
  runFacts.network = network;
  if (capabilities !== undefined) runFacts.capabilities = capabilities;
  for (let i = 0; i < names.length; i++) define(names[i] as string, makeGlobal(names[i] as GlobalName));
  for (let i = 0; i < absent.length; i++) define(absent[i] as string, undefined);
  setTool(tool);
  callTool(tool);
}

/** Logs an error that the tool never caught, before the host's call returns; it doesn't fail the run. */
export function uncaught(text: string): void {
  sayLine(`Uncaught ${text}`, "error");
  ask("pause", "", "");
}
