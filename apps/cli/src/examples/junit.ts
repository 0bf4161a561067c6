import { harmless } from "@bulkhead/core/harmless";
import type { FolderFault } from "../folders.ts";
import { shownPlace } from "./places.ts";
import { failureLines, logLines } from "./shown-example.ts";
import { grouped } from "./grouped.ts";
import type { TriedExample } from "./try-example.ts";

/** Characters that XML can't hold, which are not among the harmful ones. */
const NO_XML = /[\ufffe\uffff]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
};

const written = (text: string): string => harmless(text).replaceAll(NO_XML, "\ufffd");
const inText = (text: string): string => written(text).replaceAll(/[&<>]/g, (one) => ESCAPES[one] ?? one);
const inAttribute = (text: string): string =>
  `"${written(text).replaceAll(/[&<>"\n\t]/g, (one) => ESCAPES[one] ?? one)}"`;

const secondsOf = (ms: number): string => (ms / 1_000).toFixed(3);

interface Case {
  suite: string;
  name: string;
  file: string;
  ms: number;
  /** The kind of failure and its words; null: it passed. */
  failure: { kind: "failure" | "error"; type: string; lines: string[] } | null;
  log: string[];
}

interface JunitParts {
  examples: readonly TriedExample[];
  /** What kept tools from being loaded. */
  faults: readonly FolderFault[];
  /** Tools that were to have an example. */
  missing: readonly { name: string; file: string }[];
}

/** The outcome as JUnit's XML, a suite for each tool, as build servers read it. Strangers' text is escaped. */
export function junitXml({ examples, faults, missing }: JunitParts): string {
  const cases: Case[] = [
    ...faults.map(faultCase),
    ...missing.map(({ name, file }): Case => {
      const lines = ["The tool has no example."];
      return {
        suite: name,
        name: "examples",
        file,
        ms: 0,
        failure: { kind: "failure", type: "missing", lines },
        log: [],
      };
    }),
    ...examples.map(exampleCase),
  ];
  const suites = [...grouped(cases, ({ suite }) => suite)].map(
    ([name, own]) =>
      `  <testsuite name=${inAttribute(name)}${totals(own)}>\n${own.map(caseXml).join("")}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bulkhead test"${totals(cases)}>\n${suites.join("")}</testsuites>\n`;
}

const faultCase = ({ file, export: name, line, column, code, message }: FolderFault): Case => {
  const place = line === null ? file : shownPlace({ file, line, column: column ?? 1 });
  const failure: Case["failure"] = { kind: "error", type: code, lines: [`${place} ${message}`] };
  return { suite: file === "" ? "folder" : file, name: name ?? "loads", file, ms: 0, failure, log: [] };
};

const exampleCase = (one: TriedExample): Case => ({
  suite: one.tool.record.name,
  name: one.tried.name,
  file: one.tried.file,
  ms: one.durationMs,
  failure:
    one.outcome === "passed"
      ? null
      : {
          kind: "failure",
          type: one.error?.code ?? "difference",
          lines: failureLines(one, { withLog: false }),
        },
  log: logLines(one),
});

function totals(cases: readonly Case[]): string {
  const count = (kind: "failure" | "error"): number =>
    cases.filter(({ failure }) => failure?.kind === kind).length;
  const ms = cases.reduce((sum, one) => sum + one.ms, 0);
  return ` tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" time="${secondsOf(ms)}"`;
}

function caseXml({ suite, name, file, ms, failure, log }: Case): string {
  const head = `    <testcase classname=${inAttribute(suite)} name=${inAttribute(name)} file=${inAttribute(file)} time="${secondsOf(ms)}"`;
  const parts: string[] = [];
  if (failure !== null) {
    const [first = ""] = failure.lines;
    const about = `type=${inAttribute(failure.type)} message=${inAttribute(first)}`;
    parts.push(`      <${failure.kind} ${about}>${inText(failure.lines.join("\n"))}</${failure.kind}>\n`);
  }
  if (log.length > 0) parts.push(`      <system-out>${inText(log.join("\n"))}</system-out>\n`);
  return parts.length === 0 ? `${head}/>\n` : `${head}>\n${parts.join("")}    </testcase>\n`;
}
