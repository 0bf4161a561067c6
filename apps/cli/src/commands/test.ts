import { resolve } from "node:path";
import type { Cli, Define } from "../cli.ts";
import { openExampleSchemas } from "../examples/check-schema.ts";
import { findExamples, type FoundExamples } from "../examples/find-examples.ts";
import { junitXml } from "../examples/junit.ts";
import { limitedTo } from "../examples/limited.ts";
import { exampleJson, failureLines, indented, logLines, shownTime } from "../examples/shown-example.ts";
import { tellFolderFault } from "../examples/shown-fault.ts";
import { tryExample, type TriedExample, type TryDeps } from "../examples/try-example.ts";
import { CliFault, EXIT, interruptedFault, usageFault } from "../faults/cli-fault.ts";
import type { LoadedFolder, LoadedTool } from "../folders.ts";
import { chosenTools, findToolFolder, loadToolFolder } from "../input/tool-folder.ts";
import { writeWhole } from "../settings/write-whole.ts";
import { withInterrupt } from "../terminal/interrupt.ts";

interface TestOptions {
  junit?: string;
  live?: true;
  requireExamples?: true;
  verbose?: true;
}

/** Examples that run at one time. */
const EXAMPLES_AT_ONCE = 8;

export const defineTest: Define = (command, act) => {
  command
    .argument("[folder]", "the folder of the tools", ".")
    .argument("[names...]", "only these tools")
    .option("--junit <file>", "write the outcome as JUnit's XML, for build servers")
    .option("--require-examples", "a tool without an example is a failure")
    .option("--live", "leave out what examples record: runs reach the network, services and other tools")
    .option("-v, --verbose", "tell also how long each tool took to load, and what each run said")
    .addHelpText(
      "after",
      `
Runs each tool's examples/*.json on the server's sandbox, without storing anything; beside a module that holds several
tools they are examples/<tool>.json and examples/<tool>/*.json. An example is
  {"arguments": {…}, "result": …, "fetch": [{"url": "https://…", "body": {…}}], "calls": [{"name": …, "result": …}]}
and its result a whole value, {"$match": …}, {"$schema": …} or {"$error": "tool.threw"}. What it doesn't record is refused.`,
    )
    .action(
      act((cli, folder: string, names: string[], options: TestOptions) => test(cli, folder, names, options)),
    );
};

/** All that was found and tried. */
interface Outcome {
  loaded: LoadedFolder;
  tools: readonly LoadedTool[];
  found: FoundExamples;
  examples: TriedExample[];
}

async function test(cli: Cli, said: string, names: readonly string[], options: TestOptions): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  const folder = await findToolFolder(said, cli.env);
  const loaded = await terminal.during(`loading ${said}`, () => loadToolFolder(folder));
  const tools = chosenTools(loaded, names, said);
  if (loaded.tools.length + loaded.faults.length === 0)
    throw usageFault(`There is no tool in ${said}.`, "Make one: bulkhead new");
  const found = await findExamples(folder.root, loaded.tools);
  if (!terminal.json) tellLoaded(cli, loaded, found);
  const schemas = openExampleSchemas();
  const leaving = new AbortController();
  let isInterrupted = false;
  const deps: TryDeps = {
    client,
    checkSchema: schemas.checkSchema,
    root: folder.root,
    loaded,
    isLive: options.live ?? false,
  };
  try {
    const { result: examples } = await withInterrupt(
      () => {
        isInterrupted = true;
        leaving.abort();
      },
      () => tryAll(cli, deps, { tools, found, leaving, options }),
    );
    const outcome = { loaded, tools, found, examples };
    await writeJunit(outcome, options);
    tellEnd(cli, outcome, options);
  } catch (error) {
    if (!isInterrupted) throw error;
    throw interruptedFault("You stopped here; what still ran was cancelled.");
  } finally {
    terminal.status("");
    await schemas.close();
  }
}

function tellLoaded({ terminal }: Cli, { faults }: LoadedFolder, { problems }: FoundExamples): void {
  for (const fault of faults) tellFolderFault(terminal, fault);
  for (const problem of problems) terminal.warn(`! ${problem}`, "yellow");
}

interface Trying {
  tools: readonly LoadedTool[];
  found: FoundExamples;
  leaving: AbortController;
  options: TestOptions;
}

/** In the order of the folder, however they end; the first that can't be tried at all ends the others. */
async function tryAll(
  cli: Cli,
  deps: TryDeps,
  { tools, found, leaving, options }: Trying,
): Promise<TriedExample[]> {
  const { terminal } = cli;
  const inTurn = limitedTo(EXAMPLES_AT_ONCE);
  const { signal } = leaving;
  let done = 0;
  const all = tools.reduce((sum, tool) => sum + (found.of.get(tool)?.length ?? 0), 0);
  const running = tools.map((tool) =>
    Promise.all(
      (found.of.get(tool) ?? []).map((tried) =>
        inTurn(async () => {
          signal.throwIfAborted();
          const one = await tryExample(deps, tool, tried, { signal });
          done += 1;
          terminal.status(`${done} of ${all} examples`);
          return one;
        }),
      ),
    ),
  );
  const settled = Promise.allSettled(running);
  const examples: TriedExample[] = [];
  try {
    for (const [at, tool] of tools.entries()) {
      const own = (await running[at]) ?? [];
      if (!terminal.json) tellTool(cli, tool, own, options);
      examples.push(...own);
    }
  } catch (error) {
    leaving.abort(error);
    await settled;
    throw error;
  }
  return examples;
}

function tellTool(
  { terminal }: Cli,
  { record, from, durationMs }: LoadedTool,
  own: readonly TriedExample[],
  { verbose, requireExamples }: TestOptions,
): void {
  const loads = verbose ? `, loaded in ${shownTime(durationMs)}` : "";
  if (own.length === 0) {
    const [mark, format] = requireExamples ? (["✗", "red"] as const) : (["!", "yellow"] as const);
    terminal.warn(`${mark} ${record.name} has no example (${from.file}${loads})`, format);
    return;
  }
  for (const one of own) {
    const isRight = one.outcome === "passed";
    const line = `${isRight ? "✓" : "✗"} ${record.name}: ${one.tried.name} (${shownTime(one.durationMs)}${loads})`;
    if (isRight) terminal.line(line, "green");
    else terminal.line(`${line}  ${one.tried.file}`, "red");
    const lines = isRight ? (verbose ? logLines(one) : []) : failureLines(one);
    for (const text of lines) terminal.line(indented(indented(text)));
  }
}

const withoutExample = ({ tools, found }: Outcome) =>
  tools
    .filter((tool) => (found.of.get(tool) ?? []).length === 0)
    .map(({ record, from }) => ({ name: record.name, file: from.file }));

async function writeJunit(outcome: Outcome, { junit, requireExamples }: TestOptions): Promise<void> {
  if (junit === undefined) return;
  const { examples, loaded } = outcome;
  const faults = loaded.faults.filter(({ severity }) => severity === "error");
  const missing = requireExamples ? withoutExample(outcome) : [];
  try {
    await writeWhole(resolve(junit), junitXml({ examples, faults, missing }));
  } catch (error) {
    throw usageFault(
      `${junit} can't be written: ${(error as Error).message}.`,
      "Name another file by --junit.",
    );
  }
}

/** The sum of it; a fault where anything failed. */
function tellEnd({ terminal }: Cli, outcome: Outcome, { requireExamples, verbose }: TestOptions): void {
  const { loaded, tools, found, examples } = outcome;
  const missing = withoutExample(outcome);
  const failed = examples.filter((one) => one.outcome === "failed").length;
  const broken = loaded.faults.filter(({ severity }) => severity === "error").length;
  if (terminal.json) {
    terminal.value({
      passed: examples.length - failed,
      failed,
      withoutExample: missing.map(({ name }) => name),
      examples: examples.map(exampleJson),
      faults: loaded.faults,
      problems: found.problems,
      ...(verbose
        ? { loadMs: Object.fromEntries(tools.map((tool) => [tool.record.name, tool.durationMs])) }
        : {}),
    });
  }
  const parts = [
    `${examples.length - failed} of ${examples.length} examples passed`,
    ...(missing.length > 0 ? [`${counted(missing.length, "tool")} without an example`] : []),
    ...(broken > 0 ? [`${counted(broken, "fault")} of loading`] : []),
  ];
  const sum = `${parts.join(", ")}.`;
  if (failed + broken === 0 && !(requireExamples && missing.length > 0)) {
    if (!terminal.json) terminal.note(`✓ ${sum}`, "green");
    return;
  }
  throw new CliFault(sum, { exit: EXIT.toolFailed, code: "cli.examples_failed" });
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
