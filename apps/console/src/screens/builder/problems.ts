import type { ImportAnswer } from "@bulkhead/client";
import type { EditorProblem } from "../../code-editor/code-editor.tsx";
import { type BenchTab, MAIN_TABS, SIDE_TABS } from "./builder-search.ts";

/** What the server has against a draft, or what it warns of. */
export interface Problem {
  /** The field, and the place within it: `limits.wallMs`, `parameters.properties.a.type`; empty: none of them. */
  path: string;
  message: string;
  severity: "error" | "warning";
  line?: number;
  column?: number;
}

type Told = Pick<Problem, "path" | "message"> & { line?: number; column?: number; rule?: string };

const FILES: readonly (readonly [file: RegExp, field: string])[] = [
  [/\/tool\.[jt]s$/, "code"],
  [/\/approval\.js$/, "approvalCode"],
  [/\/manifest\.json$/, ""],
];

/** The field that a path of an import means: `name/manifest.json: limits.wallMs` is of the limits. */
function fieldIn(path: string): string {
  const [, field] = /\/manifest\.json: (.*)$/s.exec(path) ?? [];
  return field ?? FILES.find(([file]) => file.test(path))?.[1] ?? path;
}

const PLACE = /\(line (\d{1,9}), column (\d{1,9})\)/;
const TOLD_PLACE = /^line \d{1,9}, column \d{1,9}: /;
const TOLD_RULE = / \([\w-]+\)$/;

function fault({ path, message, line, column }: Told): Problem {
  const field = fieldIn(path);
  // Its place is shown beside it.
  const words = line === undefined ? message : message.replace(TOLD_PLACE, "").replace(TOLD_RULE, "");
  return { path: field, message: words, severity: "error", ...placed(line, column) };
}

const placed = (line?: number, column?: number): Pick<Problem, "line" | "column"> =>
  line === undefined ? {} : { line, column: column ?? 1 };

/** What a fault of a command repeats of it: a placeholder, or how one begins. */
const REPEATED = /\{\{\s*\.[A-Za-z_][A-Za-z0-9_-]*\s*\}\}|"(?:[^"\\]|\\.)*"/;

/** Where in the command the fault is, by what it repeats of it; the command's beginning where it repeats nothing. */
export function inCommand(command: string, problem: Problem): Problem {
  if (problem.path !== "command" || problem.line !== undefined) return problem;
  const [said = ""] = REPEATED.exec(problem.message) ?? [];
  const text = said.startsWith('"') ? readText(said) : said;
  const at = Math.max(0, command.indexOf(text));
  const before = command.slice(0, at).split("\n");
  return { ...problem, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function readText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    // Words in quotes, which are no JSON.
    return json;
  }
}

/** Which field a warning is about, by its words. */
const ABOUT: readonly (readonly [words: RegExp, field: string])[] = [
  [/^(parameters|outputSchema)\b/, ""],
  [/: name one in requiredConfigServices /, "requiredConfigServices"],
  [/^approvalCode|^The approvalCode/, "approvalCode"],
  [/^env\./, "env"],
];

function warning(message: string): Problem {
  const [, line, column] = PLACE.exec(message) ?? [];
  const about = ABOUT.find(([words]) => words.test(message));
  const [field = ""] = /^\w+/.exec(message) ?? [];
  const [variable] = /^env\.\w+/.exec(message) ?? [];
  const path = about === undefined ? "code" : (variable ?? (about[1] || field));
  const place = line === undefined ? {} : { line: Number(line), column: Number(column) };
  return { path, message, severity: "warning", ...place };
}

/** What an import that only looks says of the draft's folder. */
export const problemsOf = ([tool]: ImportAnswer["tools"]): Problem[] => [
  ...(tool?.error === undefined ? [] : faultsOf(tool.error)),
  ...(tool?.warnings ?? []).map(warning),
];

/** The faults of a refusal; where it names no field, the refusal itself. */
export const faultsOf = ({ message, errors }: { message: string; errors: readonly Told[] }): Problem[] =>
  errors.length === 0 ? [{ path: "", message, severity: "error" }] : errors.map(fault);

const TAB_OF: Readonly<Record<string, BenchTab>> = {
  code: "code",
  language: "code",
  command: "code",
  workingDirectory: "code",
  timeoutSeconds: "code",
  env: "code",
  parameters: "parameters",
  outputSchema: "output",
  permissions: "permissions",
  allowedHosts: "permissions",
  requiredConfigServices: "permissions",
  requiredApiKeys: "permissions",
  limits: "permissions",
};

const headOf = (path: string): string => /^\w*/.exec(path)?.[0] ?? "";

/** Where a problem's field stands. */
export const tabOf = ({ path }: Pick<Problem, "path">): BenchTab => {
  const head = headOf(path);
  return head === "" ? "code" : (TAB_OF[head] ?? "details");
};

/** How many problems each tab has. */
export function countsOf(problems: readonly Problem[]): Readonly<Record<BenchTab, number>> {
  const counts = Object.fromEntries([...MAIN_TABS, ...SIDE_TABS].map(({ name }) => [name, 0])) as Record<
    BenchTab,
    number
  >;
  for (const problem of problems) counts[tabOf(problem)] += 1;
  return counts;
}

/** Those of one field and of what is within it. */
export const ofField = (problems: readonly Problem[], field: string): Problem[] =>
  problems.filter(
    ({ path }) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`),
  );

/** What is wrong with one field, in words; undefined: nothing is. */
export function faultOf(problems: readonly Problem[], field: string): string | undefined {
  const found = ofField(problems, field).filter(({ severity }) => severity === "error");
  if (found.length === 0) return undefined;
  return found
    .map(({ path, message }) => (path === field ? message : `${path.slice(field.length + 1)}: ${message}`))
    .join("; ");
}

/** Those that have a place in the text. */
export const inEditor = (problems: readonly Problem[], field: string): EditorProblem[] =>
  ofField(problems, field).flatMap(({ line, column, message, severity }) =>
    line === undefined || column === undefined ? [] : [{ line, column, message, severity }],
  );
