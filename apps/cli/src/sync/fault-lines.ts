import { CliFault, EXIT } from "../faults/cli-fault.ts";
import type { FolderFault } from "../folders/loaded-folder.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Where it is, and what it is. */
export const placeOf = ({ file, line, column }: FolderFault): string =>
  line === null ? file : `${file}:${line}:${column}`;

/** Tells all faults of a folder on stderr. */
export function tellFaults(terminal: Terminal, faults: readonly FolderFault[]): void {
  for (const fault of faults) {
    const isError = fault.severity === "error";
    const name = fault.export === null ? "" : `${fault.export} `;
    terminal.warn(
      `${isError ? "✗" : "!"} ${placeOf(fault)}: ${name}${fault.message}`,
      isError ? "red" : "yellow",
    );
  }
}

/** What can't be loaded is not known: a push of the rest could delete or forget it. */
export function requireNoErrors(faults: readonly FolderFault[]): void {
  const errors = faults.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  throw new CliFault(
    `The folder has ${errors.length === 1 ? "a fault" : `${errors.length} faults`}; nothing was pushed.`,
    {
      exit: EXIT.usage,
      code: "cli.folder_faulty",
      next: "Mend what is told above, then push again.",
      errors: errors.map((fault) => ({ path: placeOf(fault), message: fault.message })),
    },
  );
}
