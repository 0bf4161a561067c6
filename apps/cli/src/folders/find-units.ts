import { type Dirent, opendirSync } from "node:fs";
import { basename, join } from "node:path";
import { DEPTH_MAX, ENTRIES_MAX } from "./bounds.ts";
import { compare, type TellFault } from "./fault-list.ts";
import { linkRefused, messageOf } from "./read-file.ts";

/** What may hold tools, by paths relative to the folder, with `/`. */
export type Unit =
  /** A folder with a `manifest.json`, whose code is one file. */
  | { kind: "manifest"; folder: string }
  /** A module in a folder of its own, which exports definitions with `id` and `run`. */
  | { kind: "definitions"; file: string }
  /** A module of tools. */
  | { kind: "tools"; file: string }
  /** A module of tools that was asked for by itself. */
  | { kind: "module"; file: string }
  /** What `bulkhead.yaml` says. */
  | { kind: "toolsets"; file: string };

/** What a folder with a manifest may hold, beside its examples. */
export const MANIFEST_FILES = ["manifest.json", "tool.ts", "tool.js", "approval.js", "README.md"];
const TOOL_FILES = ["tool.ts", "tool.js", "tool.mts", "tool.mjs"];
const MODULE_FILES = ["tools.ts", "tools.js", "tools.mts", "tools.mjs"];
const TOOLSET_FILES = ["bulkhead.yaml", "bulkhead.yml"];
const PARTS = ["manifest.json", ...TOOL_FILES, ...MODULE_FILES, ...TOOLSET_FILES];
/** Where the command line remembers what it pushed and pulled; no tool is made of it. */
export const STATE_FOLDER = ".bulkhead";
/** Folders of packages and of what tools make; hidden ones are passed over too. */
const PASSED_OVER = ["node_modules", "dist", "build", "coverage"];

/**
 * Everything in the folder that may hold tools, in the order of paths. Links are not followed, and told where their names mean
 * a tool. Throws what the system says of the folder itself; a folder below that can't be read is a fault. Nothing is waited for:
 * of a thousand small folders the waits would take most of the time.
 */
export function findUnits(root: string, tell: TellFault): Unit[] {
  const walk = { root, tell, left: ENTRIES_MAX, units: [] as Unit[] };
  walkFolder(walk, "", 0);
  return walk.units.toSorted((one, other) => compare(pathOf(one), pathOf(other)));
}

/** A file or folder that is looked into, for messages and for the order. */
const pathOf = (unit: Unit): string => ("folder" in unit ? unit.folder : unit.file);

interface Walk {
  root: string;
  tell: TellFault;
  left: number;
  units: Unit[];
}

function walkFolder(walk: Walk, folder: string, depth: number): void {
  const entries = entriesOf(walk, folder);
  if (entries === null) return;
  const files = new Set<string>();
  const below: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = under(folder, name);
    if (entry.isFile()) files.add(name);
    else if (entry.isDirectory()) {
      if (!name.startsWith(".") && !PASSED_OVER.includes(name)) below.push(path);
    } else if (PARTS.includes(name)) tellStrange(walk.tell, path, entry);
  }
  if (files.has("manifest.json")) {
    walk.units.push({ kind: "manifest", folder });
    return;
  }
  const first = (names: readonly string[]): string | undefined => names.find((name) => files.has(name));
  const tool = first(TOOL_FILES);
  if (tool !== undefined) walk.units.push({ kind: "definitions", file: under(folder, tool) });
  const toolsets = first(TOOLSET_FILES);
  if (toolsets !== undefined) walk.units.push({ kind: "toolsets", file: under(folder, toolsets) });
  const tools = first(MODULE_FILES);
  // A folder whose toolsets are written down exposes what they name and nothing else.
  if (tools !== undefined && toolsets === undefined)
    walk.units.push({ kind: "tools", file: under(folder, tools) });
  if (below.length > 0 && depth === DEPTH_MAX) {
    const message = `has folders more than ${DEPTH_MAX} deep, which are not looked into`;
    walk.tell({ severity: "warning", code: "folder.too_large", file: folder, message });
    return;
  }
  for (const path of below) walkFolder(walk, path, depth + 1);
}

/** By name; null where the folder can't be read, or the bound is reached. The folder itself throws. */
function entriesOf(walk: Walk, folder: string): Dirent[] | null {
  const entries: Dirent[] = [];
  try {
    // Read bit by bit: a folder of a million files is not held whole.
    const open = opendirSync(join(walk.root, folder));
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        if (walk.left === 0) return null;
        walk.left -= 1;
        entries.push(entry);
        if (walk.left > 0) continue;
        const message = `holds more than ${ENTRIES_MAX} files and folders; the rest is not looked at`;
        walk.tell({ code: "folder.too_large", file: folder, message });
        break;
      }
    } finally {
      open.closeSync();
    }
  } catch (error) {
    if (folder === "") throw error;
    walk.tell({ code: "file.unreadable", file: folder, message: `can't be read: ${messageOf(error)}` });
    return null;
  }
  return entries.toSorted((one, other) => compare(one.name, other.name));
}

function tellStrange(tell: TellFault, file: string, entry: Dirent): void {
  if (entry.isSymbolicLink()) tell({ code: "file.link", file, message: linkRefused().message });
  else tell({ code: "file.kind", file, message: "is no plain file (a pipe, a socket or a device)" });
}

const under = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The name of the folder that holds a unit; the root's own name where it is the root. */
export const folderName = (root: string, folder: string): string => basename(folder === "" ? root : folder);
