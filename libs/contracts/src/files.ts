import { FILE_PATH_BYTES_MAX, USER_ID_CHARS_MAX } from "@bulkhead/core";
import { z } from "zod";
import { agentId, pageLimit, text, timestamp, wholeNumber } from "./fields.ts";

const path = text(FILE_PATH_BYTES_MAX, 1).describe(
  "From the root of the workspace, with `/` between its parts, as in `notes/today.md`. Case counts.",
);
const folder = text(FILE_PATH_BYTES_MAX + 1);

/** Whose files are meant. */
const workspace = {
  agentId: agentId
    .optional()
    .describe(
      "The agent whose files are meant; an agent's key is for its own. Left out: the tenant's files.",
    ),
  userId: text(USER_ID_CHARS_MAX, 1)
    .optional()
    .describe("The user whose files are meant. Left out: the user of `Bulkhead-User`, or none."),
};

export const WorkspaceQuery = z.strictObject(workspace);

/** `:path` of a file, slashes included. */
export const FileParams = z.strictObject({ path });

export const FileQuery = z.strictObject({
  ...workspace,
  version: wholeNumber(1, 2 ** 31 - 1)
    .optional()
    .describe("A former version of those that are kept. Left out: the present one."),
});

const header = (meaning: string) => z.string().max(2_000).optional().describe(meaning);
const noneMatch = header(
  "ETags of the file; where it still has one of them the answer is 304, without a body.",
);
const match = header(
  "ETags of the file, one of which it must still have; `*`: it must be there. Else 412 `file.precondition_failed`.",
);

export const GetFileHeaders = z.looseObject({
  "if-none-match": noneMatch,
  range: header("`bytes=0-99`, `bytes=100-` or `bytes=-100`: one range alone, which is answered with 206."),
});
export const DeleteFileHeaders = z.looseObject({ "if-match": match });
export const PutFileHeaders = z.looseObject({
  "if-match": match,
  "if-none-match": header(
    "`*` alone: there must be no file at the path, else 412 `file.precondition_failed`.",
  ),
});

export const FileVersionQuery = z.strictObject({ ...workspace, path });

const yes = z.enum(["true", "false"]);

export const FileListQuery = z.strictObject({
  ...workspace,
  prefix: folder.optional().describe("A folder, with or without `/` behind it. Left out: the root."),
  recursive: yes
    .default("true")
    .describe("`false`: what lies in the folder itself, and its folders with the number of files in them."),
  limit: pageLimit,
  cursor: text(2 * FILE_PATH_BYTES_MAX)
    .optional()
    .describe("The `nextCursor` of the page before. Left out: the first page."),
});

export const DeleteFileQuery = z.strictObject({
  ...workspace,
  recursive: yes.default("false").describe("`true`: a folder goes with all its files."),
});

export const File = z
  .object({
    path: z.string(),
    size: z.int().describe("In bytes."),
    etag: z.string().describe("SHA-256 of the bytes in hex: the ETag without its quotes."),
    version: z.int().describe("Rises with every change of the bytes."),
    contentType: z.string().describe("By the end of the name alone."),
    inherited: z
      .boolean()
      .describe("It is the agent's or the tenant's, which is read while this workspace has none of its own."),
    createdAt: timestamp,
    createdBy: z.string().describe("The id of the key, or of the execution."),
    modifiedAt: timestamp,
    modifiedBy: z.string(),
  })
  .meta({ id: "File" });

export const PutFile = File.extend({
  changed: z.boolean().describe("False: it had these bytes already."),
}).meta({
  id: "PutFile",
});

export const FilePage = z.object({
  files: z.array(File).describe("By path."),
  folders: z
    .array(
      z.object({
        path: z.string(),
        files: z.int().describe("How many files it holds, at any depth."),
      }),
    )
    .describe("With `recursive=false`: the folders of this page, by path."),
  usage: z
    .object({ files: z.int(), bytes: z.int() })
    .optional()
    .describe(
      "What all files of the tenant take of `limits.maxFiles` and `limits.maxAllFileBytes`; not for agents.",
    ),
  nextCursor: z.string().nullable(),
});

export const FileVersionList = z.object({
  file: File,
  versions: z
    .array(
      z.object({
        version: z.int(),
        size: z.int(),
        etag: z.string(),
        modifiedAt: timestamp,
        modifiedBy: z.string(),
      }),
    )
    .describe("The present one and those before it that are kept, newest first."),
  nextCursor: z.null(),
});

export const DeletedFiles = z.object({
  deleted: z.literal(true),
  files: z.int().describe("How many went."),
  bytes: z.int().describe("How much room they took."),
});

export const MoveFile = z.strictObject({
  from: text(FILE_PATH_BYTES_MAX, 1).describe("A file, or a folder with all its files."),
  to: text(FILE_PATH_BYTES_MAX, 1).describe("Its new path, within the same workspace."),
  overwrite: z.boolean().default(false).describe("Whether a file may be put in the place of another one."),
});

export const MovedFiles = z.object({ moved: z.int().describe("How many files have another path now.") });

/** The pattern's own bounds are the search's to tell. */
const PATTERN_CHARS_MAX = 4_096;
const MATCHES_DEFAULT = 100;
const MATCHES_MAX = 1_000;

export const SearchFiles = z.strictObject({
  pattern: text(PATTERN_CHARS_MAX, 1).describe(
    "A regular expression that is matched against each line, in linear time: without lookaround and back-references.",
  ),
  path: folder.optional().describe("A folder. Left out: the root."),
  glob: text(PATTERN_CHARS_MAX, 1)
    .optional()
    .describe("Of which files, as in `**/*.md`, from the folder. Left out: all."),
  ignoreCase: z.boolean().default(false).describe("Whether a letter matches its other case, too."),
  limit: z
    .int()
    .min(1)
    .max(MATCHES_MAX)
    .default(MATCHES_DEFAULT)
    .describe("Lines that are answered at most."),
});

export const FoundInFiles = z.object({
  matches: z.array(
    z.object({
      path: z.string(),
      line: z.int().describe("From 1."),
      column: z.int().describe("Of the match, from 1."),
      text: z.string().describe("The line; of a long one what stands around the match."),
    }),
  ),
  filesSearched: z.int(),
  binarySkipped: z.int().describe("Files that are no text, of those that could have matched."),
  cut: z.enum(["matches", "time"]).nullable().describe("Why there may be more; null: there is not."),
});

/** Files that one glob answers; the use case has the same bound. */
const GLOB_FILES_MAX = 1_000;

export const GlobFiles = z.strictObject({
  pattern: text(PATTERN_CHARS_MAX, 1).describe(
    "As in `**/*.md`: `*` within a part, `**` for any parts, `?`, `[abc]`, `{a,b}`.",
  ),
  path: folder.optional().describe("A folder from which the pattern begins. Left out: the root."),
});

export const GlobbedFiles = z.object({
  files: z.array(File).describe("By path."),
  cut: z
    .boolean()
    .describe(`There are more than the ${GLOB_FILES_MAX.toLocaleString("en")} that are answered.`),
});
