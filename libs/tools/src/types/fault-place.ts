/** A place in a text; both count from 1, columns in UTF-16 units. */
interface Place {
  line: number;
  column: number;
}

/** Lines of the wrapper before the code. */
const LINES_BEFORE = 1;

/**
 * The place of a parser's error in the code. The parser tells its place only as a picture: the line's number, then
 * lines of the code as a terminal shows them, with carets below. So the code is stripped once more in a form in which
 * each character takes one column.
 */
export function placeOf(code: string, error: Error, strip: (code: string) => string): Place {
  const plain = plainForm(code);
  const seen = pictureOf(plain === code ? error : errorOf(() => strip(plain))) ?? pictureOf(error);
  const lines = plain.split("\n");
  if (seen === null) return { line: 1, column: 1 };
  const line = seen.line - LINES_BEFORE;
  const text = lines[line - 1];
  // Past the end: something is open that was never closed.
  if (text === undefined) return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  return { line, column: seen.column ?? columnOfWord(text, error.message) };
}

/** The offset of a place in the code. */
export function offsetOf(code: string, { line, column }: Place): number {
  const before = plainForm(code)
    .split("\n")
    .slice(0, line - 1);
  return before.reduce((length, text) => length + text.length + 1, 0) + column - 1;
}

/** ASCII of the same length, with the line breaks that JavaScript knows as `\n`. */
const plainForm = (code: string): string =>
  code
    .replaceAll("\r\n", " \n")
    .replaceAll(/[\r\u2028\u2029]/g, "\n")
    .replaceAll(/[^\S\n]/g, " ")
    .replaceAll(/[^\n -~]/g, "x");

function errorOf(work: () => unknown): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : null;
  }
}

/** The line, and the column where the picture has it: of what spans several lines it shows none. */
function pictureOf(error: Error | null): { line: number; column: number | null } | null {
  const stack = error?.stack ?? "";
  const head = /^[^\n]*?:(\d+)\n/.exec(stack);
  if (!head) return null;
  const picture = stack.slice(head[0].length, stack.indexOf("\n\nSyntaxError")).split("\n");
  const carets = picture.findLast((row) => /^ *\^+$/.test(row));
  return { line: Number(head[1]), column: carets === undefined ? null : carets.indexOf("^") + 1 };
}

/** Of the first word of the line that the message names, else of the first word at all. */
function columnOfWord(line: string, message: string): number {
  const named = line.matchAll(/[a-z]+/gi).find(([word]) => message.split(" ").includes(word));
  return (named?.index ?? Math.max(0, line.search(/\S/))) + 1;
}
