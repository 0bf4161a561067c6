import type { FolderFault } from "../folders.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { frameLines, shownPlace } from "./places.ts";
import { indented } from "./shown-example.ts";

/** A fault of a folder for people: where, what, the lines of the file, and what the module threw. */
export function tellFolderFault(terminal: Pick<Terminal, "warn">, fault: FolderFault): void {
  const { severity, file, export: name, line, column, message, frame, stack } = fault;
  const where = line === null ? file : shownPlace({ file, line, column: column ?? 1 });
  const isError = severity === "error";
  const what = [where, name, message].filter(Boolean).join(" ");
  terminal.warn(`${isError ? "✗" : "!"} ${what}`, isError ? "red" : "yellow");
  if (frame !== null && line !== null)
    for (const text of frameLines(frame, { line, column })) terminal.warn(indented(text));
  if (stack !== null) for (const text of stack.split("\n")) terminal.warn(indented(text), "dim");
}
