import { join } from "node:path";
import { frameOf } from "../folders/fault-list.ts";
import { readText, RefusedFile } from "../folders/read-file.ts";
import type { CodeFrame, LoadedFolder, LoadedTool, Place } from "../folders.ts";

/** Where a text of the service's names a place of a tool's code. */
const IN_CODE = /\btool\.js:(\d{1,9}):(\d{1,9})/g;

/** A text about a tool's code in which places are the developer's, and the first of them that is in a file of theirs. */
export interface Placed {
  text: string;
  place: Place | null;
}

/** Puts the developer's files and lines where the service named those of the code that it got. */
export function placedIn({ placeOf }: Pick<LoadedTool, "placeOf">, text: string): Placed {
  let first: Place | null = null;
  const placed = text.replaceAll(IN_CODE, (whole, line: string, column: string) => {
    const place = placeOf(Number(line), Number(column));
    if (place === null) return whole;
    first ??= place;
    return shownPlace(place);
  });
  return { text: placed, place: first };
}

export const shownPlace = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/**
 * The lines around a place. Only a file that a tool is made of is read: a package's map of sources may name any file of the
 * machine. Null for others, and where the file is gone.
 */
export async function frameAt(
  root: string,
  { files }: Pick<LoadedFolder, "files">,
  { file, line }: Place,
): Promise<CodeFrame | null> {
  const path = join(root, file);
  if (!files.includes(path)) return null;
  try {
    return frameOf(await readText(path), line);
  } catch (error) {
    if (error instanceof RefusedFile) return null;
    throw error;
  }
}

/** A frame with the numbers of its lines, and a mark under the column. */
export function frameLines(
  { from, lines }: CodeFrame,
  at: { line: number; column: number | null },
): string[] {
  const width = String(from + lines.length - 1).length;
  return lines.flatMap((text, index) => {
    const number = from + index;
    const isMeant = number === at.line;
    const shown = `${isMeant ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd();
    if (!isMeant || at.column === null || at.column > text.length + 1) return [shown];
    // Tabs stay tabs, so that the mark is under its character however wide they are.
    const before = text.slice(0, at.column - 1).replaceAll(/[^\t]/g, " ");
    return [shown, `  ${" ".repeat(width)} | ${before}^`];
  });
}
