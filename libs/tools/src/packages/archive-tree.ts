import { type ArchiveFile, Fault } from "@bulkhead/core";
import type { ToolFolder } from "./tool-folder.ts";

/** The folder that may stand around those of the tools. */
const AROUND = "tools";

/** Files that systems put into archives by themselves. */
const isLitter = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/** The folders of the tools, each file as its bytes. Throws `archive.invalid` for a file that lies in none. */
export function foldersOfArchive(files: readonly ArchiveFile[]): Record<string, ToolFolder> {
  const folders = new Map<string, ToolFolder>();
  for (const { path, bytes } of withoutAround(files.filter((file) => !isLitter(file.path)))) {
    const [folder = "", ...rest] = path.split("/");
    if (rest.length === 0) {
      const message = "must lie in the folder of a tool";
      throw new Fault("archive.invalid", { detail: `${path} ${message}.`, errors: [{ path, message }] });
    }
    const tool = folders.get(folder) ?? {};
    folders.set(folder, tool);
    const [first = "", ...below] = rest;
    if (first === "examples" && below.length > 0) put(tool, below.join("/"), bytes);
    else tool[rest.join("/")] = bytes;
  }
  return Object.fromEntries(folders);
}

function put(tool: ToolFolder, name: string, bytes: Uint8Array): void {
  const { examples } = tool;
  // A file may be called "examples", and be in the archive beside the folder.
  if (typeof examples === "object" && examples !== null && !(examples instanceof Uint8Array)) {
    Object.assign(examples, { [name]: bytes });
  } else tool["examples"] = { [name]: bytes };
}

/** Without the `tools/` in front, where everything lies in it and it is no tool itself. */
function withoutAround(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  const start = `${AROUND}/`;
  const isAround =
    files.every(({ path }) => path.startsWith(start)) &&
    !files.some(({ path }) => path === `${start}manifest.json`);
  return isAround ? files.map(({ path, bytes }) => ({ path: path.slice(start.length), bytes })) : files;
}

/** Files of the folders; JSON is written to be read. */
export function archiveOf(folders: Readonly<Record<string, ToolFolder>>): ArchiveFile[] {
  return Object.entries(folders).flatMap(([folder, files]) =>
    Object.entries(files).flatMap(([name, content]) =>
      name === "examples"
        ? Object.entries(content as object).map(([example, json]) =>
            fileOf(`${folder}/examples/${example}`, json),
          )
        : [fileOf(`${folder}/${name}`, content)],
    ),
  );
}

const fileOf = (path: string, content: unknown): ArchiveFile => ({
  path,
  bytes: Buffer.from(path.endsWith(".json") ? `${JSON.stringify(content, null, 2)}\n` : String(content)),
});
