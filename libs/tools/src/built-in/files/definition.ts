import type { FileToolName, ProvidedTool, ToolHints } from "@bulkhead/core";
import { READ_LINES_BYTES_MAX } from "../../files.ts";
import { MATCHES_MAX, SHOWN_BYTES_MAX, WRITE_CHARS_MAX } from "./bounds.ts";
import { FILE_TOOL_PARAMETERS } from "./schema.ts";

const KIB = 1_024;
const READS: ToolHints = { readOnlyHint: true, openWorldHint: false };
const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const CHANGES: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

const define = (
  name: FileToolName,
  title: string,
  description: string,
  annotations: ToolHints,
): ProvidedTool => ({
  name,
  title,
  description,
  group: "fs",
  parameters: FILE_TOOL_PARAMETERS[name],
  annotations,
  needs: "filesystem",
  letBy: "policy",
  capability: "files",
});

/** As models are told of them: what, when, and within what bounds. */
export const FILE_TOOLS: Readonly<Record<FileToolName, ProvidedTool>> = {
  read_file: define(
    "read_file",
    "Read a file",
    `Reads a file of the workspace: { path, startLine, endLine, totalLines, truncated, text, etag }. The text comes as it ` +
      `is, without line numbers. At most ${READ_LINES_BYTES_MAX / KIB} KiB come at once; where truncated is true, go on with ` +
      `startLine. Images and other files that are no text come as content, up to ${SHOWN_BYTES_MAX / KIB} KiB.`,
    READS,
  ),
  write_file: define(
    "write_file",
    "Write a file",
    `Writes a whole text file of the workspace, new or in place of what was there: { path, size, etag, created }. Use ` +
      `edit_file to change a part. At most ${WRITE_CHARS_MAX / KIB} Ki characters. What is secret is stored as [REDACTED], and the answer then has covered: true.`,
    { ...CHANGES, idempotentHint: true },
  ),
  edit_file: define(
    "edit_file",
    "Edit a file",
    `Replaces texts in a file of the workspace; each oldText must be there exactly once, so take enough lines around it. ` +
      `All edits are made or none. Answers { path, etag, diff }; read the file first.`,
    CHANGES,
  ),
  list_files: define(
    "list_files",
    "List files",
    `Lists a folder of the workspace: { entries, nextCursor }, folders with the number of their files. Use glob to find files by name.`,
    READS,
  ),
  search: define(
    "search",
    "Search in files",
    `Finds the lines of files in the workspace that match a regular expression: { matches: [{ path, line, column, text }], ` +
      `filesSearched, binarySkipped, cut }. At most ${MATCHES_MAX} matches; cut says why there may be more.`,
    READS,
  ),
  glob: define(
    "glob",
    "Find files by name",
    `Finds files of the workspace by a pattern of their paths: { files: [{ path, size, … }], truncated }. Use search for what is in them.`,
    READS,
  ),
  delete_file: define(
    "delete_file",
    "Delete a file",
    `Deletes a file of the workspace, or with recursive a folder and all in it: { removed, bytes }. It can't be undone by tools.`,
    CHANGES,
  ),
  move_file: define(
    "move_file",
    "Move a file",
    `Moves or renames a file or a folder of the workspace: { moved: [{ from, to }] }. Refused where something is at the new path.`,
    ADDS,
  ),
  file_exists: define(
    "file_exists",
    "Is there a file?",
    `Tells whether something is at a path of the workspace: { exists, kind }, the kind file, folder or null.`,
    READS,
  ),
  file_info: define(
    "file_info",
    "About a file",
    `Tells of a file of the workspace its size, content type, version, etag and times, of a folder how many files it has.`,
    READS,
  ),
};
