import { Fault, type CapabilityAnswer } from "@bulkhead/core";
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import {
  fileExists,
  globFiles,
  listFiles,
  readFile,
  readLines,
  READ_LINES_BYTES_MAX,
  searchFiles,
  statFile,
  type FileAsker,
  type FilesDeps,
} from "../../files.ts";
import { folderPath } from "../../files/file-access.ts";
import {
  ENTRIES_DEFAULT,
  ENTRIES_MAX,
  MATCHES_DEFAULT,
  MATCHES_MAX,
  PATH_CHARS_MAX,
  READ_BYTES_MAX,
  SHOWN_BYTES_MAX,
} from "./bounds.ts";
import {
  compact,
  given,
  line,
  operation,
  path,
  pattern,
  refused,
  told,
  tooLarge,
  type Operate,
} from "./operation.ts";

const entries = z.int().min(1).max(ENTRIES_MAX).default(ENTRIES_DEFAULT);
const READ = z.strictObject({
  path,
  encoding: z.enum(["utf8", "bytes"]).default("utf8"),
  version: z.int().min(1).optional(),
  startLine: line.optional(),
  endLine: line.optional(),
  from: z.int().min(0).optional(),
  to: z.int().min(0).optional(),
});
const SHOW = z.strictObject({ path, startLine: line.optional(), endLine: line.optional() });
const LIST = z.strictObject({
  path: path.default(""),
  recursive: z.boolean().default(false),
  limit: entries,
  cursor: z
    .string()
    .max(PATH_CHARS_MAX * 3)
    .optional(),
});
const GLOB = z.strictObject({ pattern, path: path.optional(), limit: entries });
const SEARCH = z.strictObject({
  pattern,
  path: path.optional(),
  glob: pattern.optional(),
  ignoreCase: z.boolean().default(false),
  limit: z.int().min(1).max(MATCHES_MAX).default(MATCHES_DEFAULT),
});
const PATH = z.strictObject({ path });

const read = operation(READ, async (deps, asker, asked) => {
  const { encoding, version, startLine, endLine, from, to } = asked;
  const isRange = from !== undefined || to !== undefined;
  if (startLine !== undefined || endLine !== undefined) {
    if (encoding === "bytes" || version !== undefined || isRange)
      return refused("lines are read as text, of the file as it is now");
    return wholeLines(deps, asker, asked);
  }
  if (isRange && encoding !== "bytes") return refused('from and to count bytes: read with encoding "bytes"');
  const begin = from ?? 0;
  const range = { from: begin, to: Math.min(to ?? Infinity, begin + READ_BYTES_MAX) };
  if (range.to < begin) return refused("to must not be before from");
  const { file, bytes } = await readFile(deps, asker, compact({ path: asked.path, version, range }));
  if (!isRange && file.size > bytes.length)
    return tooLarge(file, READ_BYTES_MAX, "read its bytes by from and to");
  if (encoding === "bytes") return given(told(file), bytes);
  if (isUtf8(bytes)) return given(told(file), Buffer.from(bytes).toString());
  return { ok: false, code: "conflict", message: `${file.path} is no text in UTF-8: read it as bytes.` };
});

/** Lines of which none may be missing: code that reads them has no way to be told. */
async function wholeLines(deps: FilesDeps, asker: FileAsker, asked: Lines): Promise<CapabilityAnswer> {
  const answer = await lines(deps, asker, asked);
  if (!answer.ok || answer.value["truncated"] !== true) return answer;
  const message = `These lines of ${asked.path} have more than ${READ_LINES_BYTES_MAX} bytes: read fewer.`;
  return { ok: false, code: "capability_limit", message };
}

/** As a model is shown a file: text in lines, another file as a whole where it isn't too large. */
const show = operation(SHOW, async (deps, asker, asked) => {
  try {
    return await lines(deps, asker, asked);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "file.not_text") throw error;
  }
  if (asked.startLine !== undefined || asked.endLine !== undefined)
    return { ok: false, code: "conflict", message: `${asked.path} is no text and has no lines.` };
  const { file, bytes } = await readFile(deps, asker, {
    path: asked.path,
    range: { from: 0, to: SHOWN_BYTES_MAX },
  });
  if (file.size > bytes.length)
    return tooLarge(file, SHOWN_BYTES_MAX, "a file that is no text is shown as a whole");
  return given(told(file), bytes);
});

type Lines = z.output<typeof SHOW>;

async function lines(deps: FilesDeps, asker: FileAsker, asked: Lines): Promise<CapabilityAnswer> {
  const { path: at, startLine: from, endLine: to } = asked;
  const part = await readLines(deps, asker, compact({ path: at, startLine: from, endLine: to }));
  const { file, text, startLine, endLine, totalLines, isCut } = part;
  return given({ ...told(file), startLine, endLine, totalLines, truncated: isCut }, text);
}

const list = operation(LIST, async (deps, asker, { path: folder, recursive, limit, cursor }) => {
  const asked = compact({ folder: folderPath(folder), isRecursive: recursive, limit, cursor });
  const { entries: found, nextCursor } = await listFiles(deps, asker, asked);
  return given({
    entries: found.map((entry) =>
      entry.kind === "file"
        ? { kind: "file", ...told(entry.file) }
        : { kind: "folder", path: entry.path, files: entry.files },
    ),
    nextCursor,
  });
});

const glob = operation(GLOB, async (deps, asker, { pattern: said, path: folder, limit }) => {
  const { files, isCut } = await globFiles(deps, asker, compact({ pattern: said, folder, limit }));
  return given({ files: files.map(told), truncated: isCut });
});

const search = operation(SEARCH, async (deps, asker, { path: folder, ignoreCase, ...asked }) => {
  const { matches, filesSearched, binarySkipped, cut } = await searchFiles(
    deps,
    asker,
    compact({ ...asked, folder, ignoresCase: ignoreCase }),
  );
  return given({ matches: matches.map((match) => ({ ...match })), filesSearched, binarySkipped, cut });
});

const stat = operation(PATH, async (deps, asker, asked) => {
  const found = await statFile(deps, asker, asked.path);
  if (found.kind === "file") return given({ kind: "file", ...told(found.file) });
  return given({ kind: "folder", path: found.path, files: found.files });
});

const exists = operation(PATH, async (deps, asker, asked) => {
  const kind = await fileExists(deps, asker, asked.path);
  return given({ exists: kind !== null, kind });
});

export const READING: Readonly<Record<string, Operate>> = { read, show, list, glob, search, stat, exists };
