import { shownEvent } from "../executions/shown-events.ts";
import { shownDuration } from "../input/times.ts";
import { harmlessLine } from "@bulkhead/core/harmless";
import { frameLines } from "./places.ts";
import type { TriedExample } from "./try-example.ts";

/** Lines of a run's own words that are shown with a failure; the last ones. */
const LOG_LINES_MAX = 20;

/** What is wrong with an example that failed, in lines: expected and got by path, the error with its place, and the log. */
export function failureLines(one: TriedExample, { withLog = true } = {}): string[] {
  const { tried, differences, error, place, frame } = one;
  if (tried.example === null) return tried.faults.map((fault) => `the example can't be read: ${fault}`);
  const lines = differences.flatMap(({ path, expected, got }) => [
    path === "" ? "result" : `result.${harmlessLine(path)}`,
    `  expected ${harmlessLine(expected)}`,
    `  got      ${harmlessLine(got)}`,
  ]);
  if (error !== null) lines.push(...error.message.split("\n"));
  if (frame !== null && place !== null) lines.push(...frameLines(frame, place));
  return withLog ? [...lines, ...logLines(one)] : lines;
}

/** What the run said, with its beginning left out where it said much. */
export function logLines({ events }: Pick<TriedExample, "events">): string[] {
  const said = events.flatMap((event) => shownEvent(event)?.text.split("\n") ?? []);
  if (said.length === 0) return [];
  const left = said.length - LOG_LINES_MAX;
  return [
    "log:",
    ...(left > 0 ? [`  … ${left} lines before`] : []),
    ...said.slice(-LOG_LINES_MAX).map(indented),
  ];
}

export const indented = (line: string): string => `  ${line}`;

export const shownTime = (ms: number): string => shownDuration(Math.round(ms));

/** One example for scripts. */
export const exampleJson = ({
  tool,
  tried,
  outcome,
  durationMs,
  differences,
  error,
  place,
  events,
}: TriedExample) => ({
  tool: tool.record.name,
  ...(tool.record.agentId === undefined ? {} : { agentId: tool.record.agentId }),
  example: tried.file,
  outcome,
  durationMs: Math.round(durationMs),
  ...(tried.faults.length > 0 ? { faults: tried.faults } : {}),
  differences,
  ...(error === null ? {} : { error }),
  ...(place === null ? {} : { place }),
  log: events.flatMap(({ event, data }) => (event === "execution.log" ? [data] : [])),
});
