import { filesOfTools, type ReadFolders, toolFolders } from "./tool-folders.ts";

/** What an import is made of: an archive as it is, or folders that were read here. */
export type ImportSource = { name: string; zip: Blob } | { name: string; read: ReadFolders };

export interface FoundFile {
  /** With the folders that it lies in. */
  path: string;
  file: File;
}

/** More than this is no folder of tools. */
const FILES_MAX = 20_000;
const BYTES_MAX = 50_000_000;

const isZip = ({ name, type }: File): boolean => type.includes("zip") || name.toLowerCase().endsWith(".zip");

/** What was dropped, of a file system or of another page. It has to be asked for before anything is waited for. */
export const readDropped = async (items: DataTransferItemList): Promise<ImportSource> =>
  await readFiles(await filesDropped(items));

/** Each file that was dropped, those in folders with their way. It has to be asked for before anything is waited for. */
export async function filesDropped(items: DataTransferItemList): Promise<FoundFile[]> {
  const dropped = [...items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
  const files = await Promise.all(
    dropped.map(async (one) =>
      one instanceof File ? [{ path: one.name, file: one }] : await filesUnder(one),
    ),
  );
  return files.flat();
}

export const filesChosen = (list: FileList): FoundFile[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What was chosen by a field for files or for a folder. */
export const readChosen = (list: FileList): Promise<ImportSource> => readFiles(filesChosen(list));

async function readFiles(files: readonly FoundFile[]): Promise<ImportSource> {
  const [first] = files;
  if (first === undefined) throw new Error("There are no files in it.");
  if (files.length === 1 && isZip(first.file)) return { name: first.file.name, zip: first.file };
  const wanted = filesOfTools(files);
  if (wanted.length === 0)
    throw new Error(
      "No folder in it has a manifest.json, which makes it a tool. Modules of tools (tools.ts) are bundled and sent by the command line: bulkhead push.",
    );
  if (wanted.reduce((bytes, { file }) => bytes + file.size, 0) > BYTES_MAX)
    throw new Error("There are more than 50 MB in it. Take a part of the folders at a time.");
  const texts = await Promise.all(wanted.map(async ({ path, file }) => ({ path, text: await file.text() })));
  return { name: first.path.split("/")[0] ?? first.path, read: toolFolders(texts) };
}

async function filesUnder(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.slice(1), file }];
  }
  if (["node_modules", ".git"].includes(entry.name)) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FoundFile[] = [];
  for (;;) {
    // A reader gives some at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await filesUnder(one)));
    if (found.length > FILES_MAX) throw new Error("There are more than 20,000 files in it.");
  }
}
