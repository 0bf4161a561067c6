import { Fault, type FileVersion } from "@bulkhead/core";
import { isUtf8 } from "node:buffer";
import {
  filePath,
  findFile,
  noSuchFile,
  termsOf,
  type FileAsker,
  type FilesDeps,
  type SeenFile,
} from "./file-access.ts";

/** Bytes of the lines that one call answers. */
export const READ_LINES_BYTES_MAX = 256 * 1024;

type Deps = Pick<FilesDeps, "files" | "tenants">;

/** Throws `file.not_found`. */
async function requireFile(deps: Deps, asker: FileAsker, said: string): Promise<SeenFile> {
  const path = filePath(said);
  const file = await findFile(deps, asker, await termsOf(deps, asker), path);
  if (!file) throw noSuchFile(path);
  return file;
}

interface BytesAsked {
  path: string;
  /** Unset: the present one. */
  version?: number;
  /**
   * From the first byte that is meant to behind the last one, or so many bytes before the end; unset: all. What lies beyond the
   * end is left out.
   */
  range?: { from: number; to: number } | { back: number };
  /** Called with the file's size where the range begins behind its end. */
  tellSize?: (size: number) => void;
}

/** Throws `file.not_found`, `file.version_not_found` and `file.range_beyond`. */
export async function readFile(
  deps: Deps,
  asker: FileAsker,
  { path, version, range = { from: 0, to: Infinity }, tellSize }: BytesAsked,
): Promise<{ file: SeenFile; bytes: Uint8Array; from: number }> {
  const found = await requireFile(deps, asker, path);
  const file = await atVersion(deps, found, version);
  const { from, to } = "back" in range ? { from: Math.max(0, file.size - range.back), to: file.size } : range;
  if (from > 0 && from >= file.size) {
    tellSize?.(file.size);
    throw new Fault("file.range_beyond", { detail: `The file has ${file.size} bytes.` });
  }
  const bytes = await deps.files.read(file, file.version, { from, to: Math.min(to, file.size) });
  // It was changed so often since it was found that this version has gone.
  if (bytes === null) throw noSuchVersion(file.version);
  return { file, bytes, from };
}

async function atVersion(deps: Deps, file: SeenFile, version = file.version): Promise<SeenFile> {
  if (version === file.version) return file;
  const former = (await deps.files.versions(file)).find((one) => one.version === version);
  if (!former) throw noSuchVersion(version);
  return { ...file, ...former };
}

const noSuchVersion = (version: number): Fault =>
  new Fault("file.version_not_found", { detail: `The version ${version} of the file is not kept.` });

/** The versions that are kept, newest first. Throws `file.not_found`. */
export async function listVersions(
  deps: Deps,
  asker: FileAsker,
  path: string,
): Promise<{ file: SeenFile; versions: FileVersion[] }> {
  const file = await requireFile(deps, asker, path);
  return { file, versions: await deps.files.versions(file) };
}

/** A text whole. Throws `file.not_text` for what is no UTF-8, and for what holds NUL. */
export function textOf(path: string, bytes: Uint8Array): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return Buffer.from(bytes).toString();
  throw new Fault("file.not_text", { detail: `${path} is no text in UTF-8.` });
}

interface LinesAsked {
  path: string;
  /** From 1 on, inclusive; unset: the first, the last. */
  startLine?: number;
  endLine?: number;
  /** Lines are left out at the end that would take more; `READ_LINES_BYTES_MAX` at most. */
  bytesMax?: number;
}

interface LinesRead {
  file: SeenFile;
  text: string;
  startLine: number;
  /** The last line of the text; below `startLine` where the text is empty. */
  endLine: number;
  totalLines: number;
  /** Lines that were asked for are left out, or the only one is cut. */
  isCut: boolean;
}

/** Throws `file.not_found`, `file.not_text`, and `file.range_beyond` where it begins behind the last line. */
export async function readLines(
  deps: Deps,
  asker: FileAsker,
  { path, startLine = 1, endLine = Infinity, bytesMax = READ_LINES_BYTES_MAX }: LinesAsked,
): Promise<LinesRead> {
  const { file, bytes } = await readFile(deps, asker, { path });
  const lines = linesOf(textOf(file.path, bytes));
  if (startLine > Math.max(lines.length, 1))
    throw new Fault("file.range_beyond", { detail: `${file.path} has ${lines.length} lines.` });
  const asked = lines.slice(startLine - 1, endLine);
  const { text, count } = withinBytes(asked, Math.min(bytesMax, READ_LINES_BYTES_MAX));
  const isCut = count < asked.length || text.length < asked.slice(0, count).join("").length;
  return { file, text, startLine, endLine: startLine + count - 1, totalLines: lines.length, isCut };
}

/** Each with its end; what follows the last end is a line where it is something. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** So many whole lines as fit; where not even the first does, as much of it. */
function withinBytes(lines: readonly string[], bytesMax: number): { text: string; count: number } {
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line);
    if (bytes > bytesMax) break;
    count += 1;
  }
  const [first = ""] = lines;
  if (count > 0 || first === "") return { text: lines.slice(0, count).join(""), count };
  // The decoder leaves a replacement where the cut goes through a character.
  return {
    text: Buffer.from(first)
      .subarray(0, bytesMax)
      .toString()
      .replace(/\ufffd$/, ""),
    count: 1,
  };
}
