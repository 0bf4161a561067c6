import { until } from "@bulkhead/testing";
import type { Collector, Span } from "./collector.ts";

/** Whether a span of this name is among them. */
export const has = (name: string) => (spans: Span[]) => spans.some((span) => span.name === name);
export const named = (spans: Span[], name: string): Span[] => spans.filter((span) => span.name === name);

/** The spans of a trace once `isWhole` says so, oldest first; of those that begin at one moment what was over first. */
export const wholeTrace = (
  collector: Collector,
  traceId: string,
  isWhole: (spans: Span[]) => boolean,
): Promise<Span[]> =>
  until(
    () => {
      const spans = collector.spansOf(traceId).toSorted((a, b) => a.start - b.start || a.end - b.end);
      return isWhole(spans) ? spans : null;
    },
    { timeoutMs: 20_000, what: `the whole trace ${traceId}` },
  );

/** Steps that hang on different readings of the clock, each to a millisecond: what began so close may have begun together. */
const TOGETHER_MS = 2;

/**
 * The spans below one, a line each, indented by their depth, in the order in which they began; of those that began together
 * what ended first comes first: of a wait of no length nobody can tell whether it began before what it waited for.
 */
export function treeBelow(spans: Span[], spanId: string, indent = ""): string[] {
  const children = spans
    .filter(({ parentSpanId }) => parentSpanId === spanId)
    .toSorted((a, b) => (Math.abs(a.start - b.start) <= TOGETHER_MS ? a.end - b.end : a.start - b.start));
  return children.flatMap((span) => {
    const tool = span.attributes["bulkhead.tool.name"];
    const line = `${indent}${span.kind} ${span.name}${typeof tool === "string" ? ` (${tool})` : ""}`;
    return [line, ...treeBelow(spans, span.spanId, `${indent}  `)];
  });
}
