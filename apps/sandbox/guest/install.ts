import { apply, defineProperty, parseJson } from "./primordials.ts";
import { budget, cutTo, spend } from "./budget.ts";
import { LINE_BYTES_MAX } from "./console.ts";
import type { GlobalName } from "./global-names.ts";
import { GLOBALS } from "./globals.ts";
import { lazily } from "./lazily.ts";
import { checkBody, prune } from "./prune.ts";
import { runFacts } from "./run-facts.ts";
import { callTool, settling } from "./settle.ts";
import { ring } from "./timers.ts";

declare const require: (path: string) => unknown;

const effects = lazily(() => require("./effects.ts") as typeof import("./effects.ts"));

const scope = globalThis;

function define(name: string, value: unknown): void {
  defineProperty(scope, name, { value, writable: true, configurable: true, enumerable: false });
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
function call(
  beginningJson: string,
  argumentsJson: string,
  contextJson: string,
  configJson: string,
  tool: () => Promise<unknown>,
): void {
  const { network, logBytes, logLines, resultBytes, names, absent } = parseJson(beginningJson) as Beginning;
  budget.bytesLeft = logBytes;
  budget.linesLeft = logLines;
  settling.resultBytes = resultBytes;
  runFacts.argumentsJson = argumentsJson;
  runFacts.contextJson = contextJson;
  runFacts.configJson = configJson;
  runFacts.network = network;
  for (let i = 0; i < names.length; i++) define(names[i] as string, GLOBALS[names[i] as GlobalName]());
  for (let i = 0; i < absent.length; i++) define(absent[i] as string, undefined);
  callTool(tool);
}

/** An error that nobody in the tool caught is told in the log; the run goes on, as in a browser. */
function uncaught(text: string): void {
  spend("log", cutTo(LINE_BYTES_MAX, `Uncaught ${text}`), "error");
}

/** What the host calls after the bootstrap; nothing of it is reachable from the tool. */
const ENTRIES: Record<string, (...args: never[]) => unknown> = {
  check: checkBody,
  call,
  ring,
  answered: (id: number, head: string, body: string) => effects().onAnswered(id, head, body),
  answered64: (id: number, head: string, body: string) => effects().onAnswered64(id, head, body),
  refused: (id: number, code: string, message: string) => effects().onRefused(id, code, message),
  uncaught,
};

prune(scope);

/** The bundle's value: the one door from the host into this context. */
export const enter = (name: string, ...values: unknown[]): unknown => {
  apply(ENTRIES[name] as () => unknown, undefined, values);
  return undefined;
};
