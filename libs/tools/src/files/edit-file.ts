import { Fault, type FileCondition } from "@bulkhead/core";
import { diffLines } from "../versions/diff-lines.ts";
import { noSuchFile, type FileAsker, type SeenFile } from "./file-access.ts";
import { textOf } from "./read-file.ts";
import { changeFile, type WriteDeps } from "./write-file.ts";

/** Edits of one call. */
export const FILE_EDITS_MAX = 100;
/** Characters of a diff before it is cut. */
const DIFF_CHARS_MAX = 64 * 1024;

/** A text that stands in the file exactly once, and what stands there afterwards. */
export interface FileEdit {
  oldText: string;
  newText: string;
}

interface Editing {
  path: string;
  edits: readonly FileEdit[];
  condition?: FileCondition;
}

/**
 * Does all edits, one after the other, or none. Answers the change as a unified diff. Throws `file.edit_failed` with the first
 * edit that doesn't fit, `file.not_found` and `file.not_text`.
 */
export async function editFile(
  deps: WriteDeps,
  asker: FileAsker,
  { path, edits, condition }: Editing,
): Promise<{ file: SeenFile; diff: string }> {
  if (edits.length === 0 || edits.length > FILE_EDITS_MAX)
    throw editFault("edits", `must be 1 to ${FILE_EDITS_MAX}`);
  let before = "";
  let after = "";
  const asked = { path, ...(condition && { condition }) };
  const { file, former } = await changeFile(deps, asker, asked, (found) => {
    if (found === null) throw noSuchFile(path);
    before = textOf(found.file.path, found.bytes);
    after = applyEdits(before, edits);
    return Buffer.from(after);
  });
  // An edit that leaves nothing of a file which is gone when empty answers what it was.
  const seen = file ?? former;
  if (seen === null) throw noSuchFile(path);
  return { file: seen, diff: diffOf(before, after) };
}

/** Each edit sees what those before it have left. */
function applyEdits(text: string, edits: readonly FileEdit[]): string {
  return edits.reduce((edited, { oldText, newText }, n) => {
    const field = `edits.${n}.oldText`;
    if (oldText === "") throw editFault(field, "must not be empty");
    if (!newText.isWellFormed()) throw editFault(`edits.${n}.newText`, "must not contain lone surrogates");
    const at = edited.indexOf(oldText);
    if (at === -1) throw editFault(field, whyNowhere(edited, oldText));
    if (edited.includes(oldText, at + 1))
      throw editFault(
        field,
        "stands in the file more than once; add lines around it until it stands there once",
      );
    return edited.slice(0, at) + newText + edited.slice(at + oldText.length);
  }, text);
}

function whyNowhere(text: string, oldText: string): string {
  const byLines = oldText.replaceAll(/\r?\n/g, "\r\n");
  if (byLines !== oldText && text.includes(byLines))
    return "does not stand in the file, whose lines end with \\r\\n";
  return "does not stand in the file; it has to be the same to the last space";
}

const editFault = (path: string, message: string): Fault =>
  new Fault("file.edit_failed", {
    detail: `Nothing was changed: ${path} ${message}.`,
    errors: [{ path, message }],
  });

function diffOf(before: string, after: string): string {
  const { unified } = diffLines(before, after);
  return unified.length <= DIFF_CHARS_MAX
    ? unified
    : `${unified.slice(0, DIFF_CHARS_MAX)}\n(The diff has ${unified.length} characters; these are the first ${DIFF_CHARS_MAX}.)\n`;
}
