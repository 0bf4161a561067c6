import type { FileToolName, JsonObject } from "@bulkhead/core";
import {
  EDIT_CHARS_MAX,
  EDITS_MAX,
  ENTRIES_DEFAULT,
  ENTRIES_MAX,
  MATCHES_DEFAULT,
  MATCHES_MAX,
  PATH_CHARS_MAX,
  PATTERN_CHARS_MAX,
  WRITE_CHARS_MAX,
} from "./bounds.ts";

const object = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const path = (description: string): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength: PATH_CHARS_MAX,
  description,
});
const folder = path("The folder to look in, such as `notes`; left out: the whole workspace.");
const line = (description: string): JsonObject => ({ type: "integer", minimum: 1, description });
const limit = (byDefault: number, maximum: number): JsonObject => ({
  type: "integer",
  minimum: 1,
  maximum,
  default: byDefault,
  description: "How many at most.",
});
const recursive: JsonObject = {
  type: "boolean",
  default: false,
  description: "A folder with all that is in it.",
};
const text = (maxLength: number, description: string): JsonObject => ({
  type: "string",
  maxLength,
  description,
});

const edit = object(
  {
    oldText: {
      ...text(EDIT_CHARS_MAX, "Text that is in the file exactly once, white space included."),
      minLength: 1,
    },
    newText: text(EDIT_CHARS_MAX, "What stands there instead."),
  },
  ["oldText", "newText"],
);

/** The arguments of each tool. */
export const FILE_TOOL_PARAMETERS: Readonly<Record<FileToolName, JsonObject>> = {
  read_file: object(
    {
      path: path("The file, from the root of the workspace, such as `notes/today.md`."),
      startLine: line("The first line, counted from 1."),
      endLine: line("The last line, which is read too."),
    },
    ["path"],
  ),
  write_file: object(
    {
      path: path("The file; folders on the way to it come by themselves."),
      content: text(WRITE_CHARS_MAX, "All of the file's text."),
    },
    ["path", "content"],
  ),
  edit_file: object(
    {
      path: path("The file to change."),
      edits: {
        type: "array",
        items: edit,
        minItems: 1,
        maxItems: EDITS_MAX,
        description: "All or none is made.",
      },
    },
    ["path", "edits"],
  ),
  list_files: object(
    {
      path: folder,
      recursive: { ...recursive, description: "All files below, not only what lies in the folder itself." },
      limit: limit(ENTRIES_DEFAULT, ENTRIES_MAX),
      cursor: text(PATH_CHARS_MAX * 3, "The `nextCursor` of the answer before, for what comes next."),
    },
    [],
  ),
  search: object(
    {
      pattern: {
        ...text(
          PATTERN_CHARS_MAX,
          "A regular expression in the syntax of RE2: without back-references and lookaround.",
        ),
        minLength: 1,
      },
      path: folder,
      ignoreCase: { type: "boolean", default: false },
      limit: limit(MATCHES_DEFAULT, MATCHES_MAX),
    },
    ["pattern"],
  ),
  glob: object(
    {
      pattern: {
        ...text(
          PATTERN_CHARS_MAX,
          "Such as `**/*.md` or `src/{a,b}/*.ts`: `*` within a name, `**` over folders.",
        ),
        minLength: 1,
      },
      limit: limit(ENTRIES_DEFAULT, ENTRIES_MAX),
    },
    ["pattern"],
  ),
  delete_file: object({ path: path("The file or folder to delete."), recursive }, ["path"]),
  move_file: object(
    {
      from: path("The file or folder as it is called now."),
      to: path("As it is called then; nothing may be there."),
    },
    ["from", "to"],
  ),
  file_exists: object({ path: path("The file or folder.") }, ["path"]),
  file_info: object({ path: path("The file or folder.") }, ["path"]),
};
