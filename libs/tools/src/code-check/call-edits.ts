import { blank } from "./take-off-fence.ts";

/** A place of the code, by offsets in it, and what stands there instead. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Each function that is a tool's whole code is called with these. */
export const CALLED_WITH = "(args, context)";

/**
 * The text that is put before a function without a name. Where code begins with it, columns of its first line are
 * counted without it: by `inspectCode`, and by the sandbox, whose test compares the two texts.
 */
export const CALL_START = "return/*the tool*/(";

/** The code as edited; the edits don't overlap. */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}

/** On a line of its own, which a last line comment can't swallow. */
export const callAtEnd = (code: string, name: string): Edit => ({
  start: code.length,
  end: code.length,
  text: `\nreturn ${name}${CALLED_WITH};`,
});

/** Calls the expression at the end of the code, behind what ends at `after`, or at the code's start. */
export function callOfLast(code: string, after: number, end: number): Edit[] {
  const [open, close] = bracketsAround(code, after, end);
  return [open, { ...close, text: `${close.text}${CALLED_WITH}` }];
}

function bracketsAround(code: string, after: number, end: number): [open: Edit, close: Edit] {
  const expressionEnd = code[end - 1] === ";" ? end - 1 : end;
  return [
    { start: after, end: after, text: after === 0 ? CALL_START : `;${CALL_START}` },
    { start: expressionEnd, end: expressionEnd, text: "\n)" },
  ];
}

/** Returns the expression at the end of the code, likewise; what stands `from` … `to` in front of it is taken away. */
export function returnOf(
  code: string,
  after: number,
  { from, to }: { from: number; to: number },
  end: number,
): Edit[] {
  const [open, close] = bracketsAround(code, after, end);
  return [open, blanked(code, from, to), { ...close, text: `${close.text};` }];
}

/** Takes a piece of the code away, and each character of the rest stays in its place. */
export const blanked = (code: string, start: number, end: number): Edit => ({
  start,
  end,
  text: blank(code.slice(start, end)),
});

/** Puts `text` in the place of a longer piece on one line; null where it doesn't fit. */
export function fitted(code: string, start: number, end: number, text: string): Edit | null {
  const rest = code.slice(start + text.length, end);
  if (end - start < text.length || /[\r\n\u2028\u2029]/.test(code.slice(start, start + text.length)))
    return null;
  return { start, end, text: text + blank(rest) };
}

/** Short names, of which a code has hardly all. */
const NAMES = ["$f", "$f0", "$f1", "$f2", "$f3"];

/** A name that the code doesn't have, to call by what has none; null where it has all of them. */
export const unusedName = (code: string): string | null => NAMES.find((name) => !code.includes(name)) ?? null;
