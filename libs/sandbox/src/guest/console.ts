import { LINE_BYTES_MAX } from "./bounds.ts";
import { head, sayLine } from "./budget.ts";
import { addGroup, closeGroup, indented } from "./console-groups.ts";
import { lazily } from "./lazily.ts";
import {
  dateNow,
  ErrorCtor,
  indexOf,
  mapDelete,
  mapGet,
  mapSet,
  MapCtor,
  slice,
  toText,
} from "./primordials.ts";

declare const require: (path: string) => unknown;

const formatting = lazily(() => require("./format.ts") as typeof import("./format.ts"));
const tables = lazily(() => require("./console-table.ts") as typeof import("./console-table.ts"));

/** Characters of the name of a counter or timer that tell it from others. */
const LABEL_CHARS_MAX = 1_000;

type Level = "info" | "warn" | "error" | "debug";

const say = (level: Level, values: readonly unknown[], before = ""): void =>
  sayLine(indented(before + formatting().formatLine(values, LINE_BYTES_MAX)), level);

const write =
  (level: Level) =>
  (...values: unknown[]): void =>
    say(level, values);

const labelOf = (label: unknown): string =>
  label === undefined ? "default" : head(toText(label), LABEL_CHARS_MAX);

const counts = new MapCtor<string, number>();
const started = new MapCtor<string, number>();

function count(given?: unknown): void {
  const label = labelOf(given);
  const now = ((mapGet(counts, label) as number | undefined) ?? 0) + 1;
  mapSet(counts, label, now);
  sayLine(indented(`${label}: ${now}`), "info");
}

function countReset(given?: unknown): void {
  const label = labelOf(given);
  if (!mapDelete(counts, label)) sayLine(indented(`There is no count "${label}".`), "warn");
}

function time(given?: unknown): void {
  const label = labelOf(given);
  if (mapGet(started, label) === undefined) mapSet(started, label, dateNow());
  else sayLine(indented(`The timer "${label}" runs already.`), "warn");
}

function timeLog(given?: unknown, ...values: unknown[]): void {
  const label = labelOf(given);
  const at = mapGet(started, label) as number | undefined;
  if (at === undefined) sayLine(indented(`There is no timer "${label}".`), "warn");
  else say("info", values, `${label}: ${dateNow() - at}ms${values.length > 0 ? " " : ""}`);
}

function timeEnd(given?: unknown): void {
  timeLog(given);
  mapDelete(started, labelOf(given));
}

function assert(condition?: unknown, ...values: unknown[]): void {
  if (condition) return;
  say("error", values, values.length > 0 ? "Assertion failed: " : "Assertion failed");
}

function trace(...values: unknown[]): void {
  const line = formatting().formatLine(values, LINE_BYTES_MAX);
  sayLine(indented(`Trace${line === "" ? "" : `: ${line}`}${toolFrames(new ErrorCtor().stack)}`), "info");
}

/** The lines of a stack that are the tool's own. */
function toolFrames(stack: unknown): string {
  let frames = "";
  if (typeof stack !== "string") return frames;
  for (let at = indexOf(stack, "\n"); at >= 0 && frames.length < LINE_BYTES_MAX;) {
    const end = indexOf(stack, "\n", at + 1);
    const frame = end < 0 ? slice(stack, at) : slice(stack, at, end);
    if (indexOf(frame, "tool.js:") >= 0) frames += frame;
    at = end;
  }
  return frames;
}

function group(...values: unknown[]): void {
  if (values.length > 0) say("info", values);
  addGroup();
}

function table(data?: unknown, columns?: unknown): void {
  const text = tables().tableOf(data, columns);
  if (text === null) say("info", [data]);
  else sayLine(indented(text), "info");
}

/**
 * Each call is one line of the run's log, cut like every line, even if a table or a trace has line ends in it. Levels are
 * the Console standard's: its level `log` is `info` here.
 */
export const toolConsole = {
  log: write("info"),
  info: write("info"),
  warn: write("warn"),
  error: write("error"),
  debug: write("debug"),
  dir: (value?: unknown): void => say("info", [value]),
  dirxml: write("info"),
  table,
  trace,
  assert,
  count,
  countReset,
  time,
  timeLog,
  timeEnd,
  group,
  groupCollapsed: group,
  groupEnd: closeGroup,
  /** Nothing is cleared: logged lines stay. */
  clear: (): void => undefined,
};
