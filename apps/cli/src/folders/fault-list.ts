import { HARMFUL } from "@bulkhead/core/harmless";
import { FAULTS_MAX, FRAME_CHARS_MAX, FRAME_LINES_AROUND } from "./bounds.ts";
import type { CodeFrame, FolderFault } from "./loaded-folder.ts";

/** A fault as it is found; what is left out is null, and `severity` an error. */
export type FoundFault = Pick<FolderFault, "code" | "file" | "message"> & Partial<FolderFault>;

/** Whatever gathers faults while a folder is loaded. */
export type TellFault = (fault: FoundFault) => void;

/**
 * Names of files and exports, and what a module throws, are a stranger's: they are printed, and no character of theirs steers a
 * terminal.
 */
export function wholeFault(found: FoundFault): FolderFault {
  const { file, message, export: name = null, stack = null, frame = null } = found;
  return {
    severity: "error",
    line: null,
    column: null,
    ...found,
    file: onOneLine(file),
    message: printable(message),
    export: name === null ? null : onOneLine(name),
    stack: stack === null ? null : printable(stack),
    frame: frame === null ? null : { from: frame.from, lines: frame.lines.map(printable) },
  };
}

/** One mark for each harmful character, so that columns of a frame stay; lines and tabs do. */
const printable = (text: string): string => text.replaceAll(HARMFUL, "\ufffd");

/** Names of files and exports may have line ends, which would begin a line of their own. */
const onOneLine = (text: string): string => printable(text).replaceAll(/[\n\t]/g, "\ufffd");

/** At most FAULTS_MAX, by file and place. */
export const inOrder = (faults: readonly FolderFault[]): FolderFault[] =>
  faults
    .toSorted(
      (one, other) =>
        compare(one.file, other.file) ||
        (one.line ?? 0) - (other.line ?? 0) ||
        (one.column ?? 0) - (other.column ?? 0) ||
        compare(one.export ?? "", other.export ?? ""),
    )
    .slice(0, FAULTS_MAX);

/** By code units, so that the order is the same on every machine. */
export const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** The lines around `line`, which counts from 1; null where the text has no such line. */
export function frameOf(text: string, line: number): CodeFrame | null {
  const lines = text.split(/\r?\n/);
  if (line < 1 || line > lines.length) return null;
  const from = Math.max(1, line - FRAME_LINES_AROUND);
  return {
    from,
    lines: lines
      .slice(from - 1, line + FRAME_LINES_AROUND)
      .map((each) => (each.length > FRAME_CHARS_MAX ? `${each.slice(0, FRAME_CHARS_MAX)}…` : each)),
  };
}
