/** A file as it was dropped: its path below what was dropped, which begins without a slash. */
export interface TextFile {
  path: string;
  text: string;
}

/** Tools' folders in the form of an import. */
export type Folders = Record<string, Record<string, unknown>>;

export interface ReadFolders {
  folders: Folders;
  /** Why something of it is no tool, each with its file. */
  faults: readonly { path: string; message: string }[];
}

const MANIFEST = "manifest.json";

/** What systems and editors put beside the files of a tool. */
const isLitter = (path: string): boolean =>
  path
    .split("/")
    .some((part) => part.startsWith(".") || ["__MACOSX", "node_modules", "Thumbs.db"].includes(part));

/** The folders that hold a manifest, and in no other such folder. */
function rootsOf(paths: readonly string[]): string[] {
  const roots = paths
    .filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`))
    .map((path) => path.slice(0, -MANIFEST.length))
    .sort((one, other) => one.length - other.length);
  return roots.filter((root, at) => !roots.slice(0, at).some((outer) => root.startsWith(outer)));
}

/** Which of the files belong to tools; the others need not be read. */
export function filesOfTools<T extends { path: string }>(files: readonly T[]): T[] {
  const clean = files.filter(({ path }) => !isLitter(path));
  const roots = rootsOf(clean.map(({ path }) => path));
  return clean.filter(({ path }) => roots.some((root) => path.startsWith(root)));
}

/** The tools that lie in the files, wherever among them: each folder with a manifest is one. */
export function toolFolders(files: readonly TextFile[]): ReadFolders {
  const folders = new Map<string, Record<string, unknown>>();
  const faults: { path: string; message: string }[] = [];
  for (const root of rootsOf(files.map(({ path }) => path))) {
    const name = root.split("/").at(-2);
    if (name === undefined) {
      faults.push({
        path: MANIFEST,
        message: "Drop the tool's folder, not its files: its name is the tool's.",
      });
      continue;
    }
    if (folders.has(name)) {
      faults.push({ path: root, message: "Another folder has the same name." });
      continue;
    }
    const folder: Record<string, unknown> = {};
    folders.set(name, folder);
    for (const { path, text } of files.filter((file) => file.path.startsWith(root))) {
      const fault = put(folder, path.slice(root.length), text);
      if (fault === null) continue;
      faults.push({ path, message: fault });
      // What can't be read whole is not sent in part.
      folders.delete(name);
    }
  }
  return { folders: Object.fromEntries(folders), faults };
}

/** Puts a file where an import has it; the reason if its JSON is none. */
function put(folder: Record<string, unknown>, name: string, text: string): string | null {
  const example = /^examples\/(.+)$/.exec(name)?.[1];
  try {
    if (example !== undefined) {
      const examples = (folder["examples"] ??= {}) as Record<string, unknown>;
      examples[example] = JSON.parse(text);
    } else folder[name] = name === MANIFEST ? JSON.parse(text) : text;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Characters of the tools in one import, which takes 2 MiB, and how many tools it takes. */
const CHARS_AT_ONCE = 700_000;
const FOLDERS_AT_ONCE = 1_000;

/** As many folders at a time as one import takes, however many bytes their characters have. */
export function inParts(folders: Folders): Folders[] {
  const parts: [string, Record<string, unknown>][][] = [];
  let chars = Infinity;
  for (const [name, folder] of Object.entries(folders)) {
    const size = JSON.stringify(folder).length;
    const part = parts.at(-1);
    if (part === undefined || chars + size > CHARS_AT_ONCE || part.length >= FOLDERS_AT_ONCE) {
      parts.push([[name, folder]]);
      chars = size;
    } else {
      part.push([name, folder]);
      chars += size;
    }
  }
  return parts.map((part) => Object.fromEntries(part));
}
