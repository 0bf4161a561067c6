import { charCodeAt, slice } from "./primordials.ts";
import { LINE_BYTES_MAX } from "./bounds.ts";
import { post } from "./bridge.ts";

/** UTF-8 bytes of a text; a lone surrogate counts as its replacement, three bytes. Stops counting above `stopAbove`. */
export function utf8Bytes(text: string, stopAbove: number): number {
  let bytes = 0;
  for (let i = 0; i < text.length && bytes <= stopAbove; i++) {
    const unit = charCodeAt(text, i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Two halves of a pair make four bytes.
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(charCodeAt(text, i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** A rope of joined strings is cheap until it is read: one this long is described by its length instead. */
const READ_CHARS_MAX = 16_777_216;

/** The first `charsMax` characters, or, if it is too long to be read at all, their number. */
export const head = (text: string, charsMax: number): string =>
  text.length > READ_CHARS_MAX ? `[${text.length} characters]` : slice(text, 0, charsMax);

/** The wire's; the host looks for it. */
export const CUT_MARK = " … (cut)";
const CUT_MARK_BYTES = 10;

/** The text, or its start and a mark where it has more than `bytesMax` bytes in UTF-8. */
export function cutTo(bytesMax: number, text: string): string {
  if (text.length <= bytesMax / 3 || utf8Bytes(text, bytesMax) <= bytesMax) return text;
  const room = bytesMax - CUT_MARK_BYTES;
  let end = 0;
  for (let bytes = 0; end < text.length; end++) {
    const unit = charCodeAt(text, end);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > room) break;
  }
  return slice(text, 0, end) + CUT_MARK;
}

export const budget = { bytesMax: 0, bytesLeft: 0, linesLeft: 0, cutOff: false, cutLine: false };

/** The wire's LOG_LINE_OVERHEAD_BYTES; the host counts with it too. */
const LINE_OVERHEAD_BYTES = 1;

/**
 * Sends a line, cut to a line's bytes; the first one that is cut is followed by a warning, which counts as any line. One
 * that does not fit is left out and costs later ones nothing: the cut line has a mark.
 */
export function sayLine(text: string, level: string): void {
  const line = cutTo(LINE_BYTES_MAX, text);
  if (!spend("log", line, level) || line === text || budget.cutLine) return;
  budget.cutLine = true;
  say("log", "Log lines end at 8,192 bytes; longer ones are cut.", "warn");
}

/**
 * Sends a line or value if the run's limits allow it. A large one that doesn't fit is left out by name, at no cost but the
 * warning's, and output goes on; if an ordinary one doesn't fit, the limit is reached: one warning, then silence. True if
 * it was sent.
 */
export function spend(operation: string, text: string, level: string): boolean {
  if (budget.cutOff) return false;
  if (say(operation, text, level)) return true;
  if (isLarge(text) && say("log", leftOut(operation, text), "warn")) return false;
  budget.cutOff = true;
  const limit = budget.linesLeft < 1 ? LINES_LIMIT : "limits.logBytes";
  post("log", 0, `The log limit (${limit}) is reached; the rest of the output is cut off.`, "warn");
  return false;
}

/** The text for the wire's LOG_LINES_MAX. */
const LINES_LIMIT = "10,000 lines and emitted values of a run";

/** False where it is more than is left; then nothing is sent. */
function say(operation: string, text: string, level: string): boolean {
  // As many bytes as characters or more: a long text is judged before it is read.
  if (text.length > budget.bytesLeft || budget.linesLeft < 1) return false;
  const bytes = utf8Bytes(text, budget.bytesLeft) + LINE_OVERHEAD_BYTES;
  if (bytes > budget.bytesLeft) return false;
  budget.bytesLeft -= bytes;
  budget.linesLeft -= 1;
  post(operation, 0, text, level);
  return true;
}

/** The line exceeds one line's bytes, or the whole limit: later ones may well be smaller. */
function isLarge(text: string): boolean {
  const bytesMax = budget.bytesMax < LINE_BYTES_MAX ? budget.bytesMax : LINE_BYTES_MAX;
  return text.length > bytesMax || utf8Bytes(text, bytesMax) > bytesMax;
}

const leftOut = (operation: string, text: string): string =>
  `${operation === "log" ? "A log line" : "An emitted value"} of ${text.length} characters was left out: ` +
  `${budget.bytesLeft} of ${budget.bytesMax} bytes (limits.logBytes) are left.`;
