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

/** What one run is told before the tool is called. */
interface Beginning {
  network: boolean;
  logBytes: number;
  logLines: number;
  resultBytes: number;
  /** What the tool's code names and this run may have, and what it names that nobody has. */
  names: GlobalName[];
  absent: string[];
}

/** Fills the context with what the tool's code names, and calls the tool. */
export function call(
  beginningJson: string,
  argumentsJson: string,
  contextJson: string,
  configJson: string,
  tool: () => Promise<unknown>,
): void {
  const { network, logBytes, logLines, resultBytes, names, absent } = parseJson(beginningJson) as Beginning;
  budget.bytesMax = logBytes;
  budget.bytesLeft = logBytes;
  budget.linesLeft = logLines;
  settling.resultBytes = resultBytes;
  runFacts.argumentsJson = argumentsJson;
  runFacts.contextJson = contextJson;
  runFacts.configJson = configJson;
  runFacts.network = network;
  for (let i = 0; i < names.length; i++) define(names[i] as string, makeGlobal(names[i] as GlobalName));
  for (let i = 0; i < absent.length; i++) define(absent[i] as string, undefined);
  setTool(tool);
  callTool(tool);
}

/** An error that nobody in the tool caught is told in the log, and heard before this is over; it doesn't fail the run. */
export function uncaught(text: string): void {
  sayLine(`Uncaught ${text}`, "error");
  ask("pause", "", "");
}
