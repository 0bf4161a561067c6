import type { ExecutionEvent } from "@bulkhead/client";
import { shownEvent } from "../executions/shown-events.ts";
import { frameLines } from "../examples/places.ts";
import { exampleJson, failureLines, indented, shownTime } from "../examples/shown-example.ts";
import { tellFolderFault } from "../examples/shown-fault.ts";
import type { TriedExample } from "../examples/try-example.ts";
import type { CodeFrame, FolderFault, LoadedTool, Place } from "../folders.ts";
import { harmlessJson } from "@bulkhead/core/harmless";
import type { Terminal } from "../terminal/terminal.ts";

const RESULT_CHARS_MAX = 400;

/** Milliseconds from when the change was seen: all of it, and its parts. */
interface Times {
  totalMs: number;
  loadMs: number;
  uploadMs: number;
  runMs: number;
}

/** A tool that was uploaded and tried. */
interface TriedTool {
  tool: LoadedTool;
  times: Times;
  examples: readonly TriedExample[];
  /** What the server remarks on the code. */
  warnings: readonly string[];
  /** Whether the log of its runs was told as it came. */
  isLogTold: boolean;
}

/** Tells what goes on: lines for people, and for scripts one object a line. */
export class Teller {
  readonly #terminal: Terminal;
  readonly #isVerbose: boolean;

  constructor(terminal: Terminal, isVerbose: boolean) {
    this.#terminal = terminal;
    this.#isVerbose = isVerbose;
  }

  /** For scripts the object; false: people read, and are told in words. */
  #isTold(kind: string, said: object): boolean {
    if (!this.#terminal.json) return false;
    this.#terminal.valueLine({ kind, ...said });
    return true;
  }

  watching(folder: string, url: string, agent: string): void {
    if (this.#isTold("watching", { folder, url, agentId: agent })) return;
    const shown = folder === "." ? "this folder" : folder;
    this.#terminal.note(`Watching ${shown}. Drafts are agent ${agent}'s at ${url}. Ctrl-C leaves.`, "dim");
  }

  fault(fault: FolderFault): void {
    if (!this.#isTold("fault", fault)) tellFolderFault(this.#terminal, fault);
  }

  log({ record }: LoadedTool, event: ExecutionEvent): void {
    const shown = shownEvent(event, (text) => this.#terminal.asCalled(text));
    if (this.#isTold("event", { tool: record.name, ...event }) || shown === null) return;
    for (const line of shown.text.split("\n"))
      this.#terminal.line(`${record.name} | ${line}`, shown.format ?? "dim");
  }

  tried(one: TriedTool): void {
    const { tool, times, examples, warnings } = one;
    const { name } = tool.record;
    const isRight = examples.every(({ outcome }) => outcome === "passed");
    const ms = Object.fromEntries(Object.entries(times).map(([part, each]) => [part, Math.round(each)]));
    const said = {
      tool: name,
      outcome: outcomeOf(examples),
      ...ms,
      ownLoadMs: Math.round(tool.durationMs),
      warnings,
    };
    if (this.#isTold("tried", { ...said, examples: examples.map(resultJson) })) return;
    const terminal = this.#terminal;
    for (const each of warnings) terminal.warn(`! ${name}: ${each}`, "yellow");
    for (const each of examples) this.#example(each, one.isLogTold);
    const own = this.#isVerbose ? `, this tool's part of it ${shownTime(tool.durationMs)}` : "";
    const parts = `load ${Math.round(times.loadMs)}${own}, upload ${Math.round(times.uploadMs)}, run ${Math.round(times.runMs)}`;
    const word = examples.length === 0 ? "uploaded, without an example," : isRight ? "ok" : "failed";
    const text = `${isRight ? "✓" : "✗"} ${name} ${word} in ${shownTime(times.totalMs)}: ${parts}`;
    terminal.line(text, isRight ? (examples.length === 0 ? "yellow" : "green") : "red");
  }

  #example(one: TriedExample, isLogTold: boolean): void {
    const { tool, tried, outcome, result } = one;
    const who = `${tool.record.name}: ${tried.name}`;
    if (outcome === "failed") {
      this.#terminal.line(`✗ ${who}  ${tried.file}`, "red");
      for (const line of failureLines(one, { withLog: !isLogTold })) this.#terminal.line(indented(line));
      return;
    }
    const text = result === undefined ? `the error ${one.error?.code}, as expected` : harmlessJson(result, 0);
    const shown =
      text.length > RESULT_CHARS_MAX ? `${text.slice(0, RESULT_CHARS_MAX).toWellFormed()}…` : text;
    this.#terminal.line(`  ${who} → ${shown}`);
  }

  /** The service takes the tool not as it is. */
  refused(
    { record }: LoadedTool,
    lines: readonly string[],
    place: Place | null,
    frame: CodeFrame | null,
  ): void {
    if (this.#isTold("refused", { tool: record.name, lines, place, frame })) return;
    this.#terminal.line(`✗ ${record.name} is refused`, "red");
    const shown = frame === null || place === null ? [] : frameLines(frame, place);
    for (const line of [...lines, ...shown]) this.#terminal.line(indented(line));
  }

  problem(problem: string): void {
    if (!this.#isTold("problem", { problem })) this.#terminal.warn(`! ${problem}`, "yellow");
  }

  superseded({ record }: LoadedTool): void {
    if (this.#isTold("superseded", { tool: record.name })) return;
    this.#terminal.note(`↻ ${record.name} was saved again; the older run is cancelled.`, "dim");
  }

  gone(name: string): void {
    if (this.#isTold("gone", { tool: name })) return;
    this.#terminal.note(`− ${name} is not in the folder any more; its draft is deleted.`, "dim");
  }

  server(message: string | null): void {
    if (this.#isTold("server", { isAway: message !== null, message })) return;
    if (message === null) this.#terminal.warn("✓ The server answers again.", "green");
    else this.#terminal.warn(`! ${message} It goes on when the server is back.`, "yellow");
  }

  types(file: string, problem: string | null): void {
    if (this.#isTold("types", { file, problem })) return;
    if (problem !== null) this.#terminal.warn(`! ${file} can't be written: ${problem}`, "yellow");
    else if (this.#isVerbose) this.#terminal.note(`✓ Wrote ${file}.`, "dim");
  }

  left(agent: string, deleted: number, left: number): void {
    if (this.#isTold("left", { agentId: agent, deleted, left })) return;
    if (left > 0)
      this.#terminal.warn(
        `! ${left} drafts of agent ${agent} stay; the next dev here takes them over.`,
        "yellow",
      );
    else if (deleted > 0)
      this.#terminal.note(`${deleted} ${deleted === 1 ? "draft is" : "drafts are"} deleted.`, "dim");
  }
}

const outcomeOf = (examples: readonly TriedExample[]): "passed" | "failed" | "untried" => {
  if (examples.length === 0) return "untried";
  return examples.every(({ outcome }) => outcome === "passed") ? "passed" : "failed";
};

const resultJson = (one: TriedExample) => ({ ...exampleJson(one), result: one.result });
