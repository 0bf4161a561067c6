/** A line that opens a fence of Markdown: three marks or more, and what language it says. No code begins with them. */
const OPENING = /^[ \t]*(`{3,}|~{3,})[^`~\r\n]*(?:\r\n|[\r\n])/;

/** Everything but what ends a line. */
const NO_LINE_END = /[^\r\n\u2028\u2029]/g;

/** The same length and the same lines, without what they say. */
export const blank = (text: string): string => text.replaceAll(NO_LINE_END, " ");

/**
 * The code without the fence of Markdown that is around all of it, each character of the rest in its place; the code as it
 * is where there is none. A fence that was never closed is one: answers of models are cut off there.
 */
export function takeOffFence(code: string): string {
  const start = code.length - code.trimStart().length;
  const opening = OPENING.exec(code.slice(start));
  const mark = opening?.[1];
  if (!opening || mark === undefined) return code;
  const inner = start + opening[0].length;
  const end = code.trimEnd().length;
  const lastLine = Math.max(inner, code.lastIndexOf("\n", end - 1) + 1, code.lastIndexOf("\r", end - 1) + 1);
  const isClosed = isClosing(code.slice(lastLine, end).trim(), mark);
  return (
    blank(code.slice(0, inner)) +
    code.slice(inner, isClosed ? lastLine : code.length) +
    (isClosed ? blank(code.slice(lastLine)) : "")
  );
}

/** At least as many of the same marks, and nothing else. */
const isClosing = (line: string, mark: string): boolean =>
  line.length >= mark.length && line === (mark[0] ?? "").repeat(line.length);
