import { EXAMPLE_CHARS_MAX, EXAMPLES_MAX, readInput, ToolExample } from "@bulkhead/contracts";
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { messageOf, readText, RefusedFile } from "../folders/read-file.ts";
import type { LoadedTool } from "../folders.ts";
import { grouped } from "./grouped.ts";

/** One file of examples: what it says, or why it can't be tried. */
export interface ExampleCase {
  /** The file's name without `.json`. */
  name: string;
  /** Relative to the folder, with `/`. */
  file: string;
  example: ToolExample | null;
  /** A line each, with the field; empty where there is an example. */
  faults: string[];
}

export interface FoundExamples {
  /** Of each tool, in the order of the files' names; none for a tool without. */
  of: ReadonlyMap<LoadedTool, readonly ExampleCase[]>;
  /** A sentence for each file or folder that is nobody's example, or can't be read. */
  problems: string[];
  /** What changes when an example does: absolute paths of the files and of the folders that hold them. */
  watched: string[];
}

const EXTENSION = ".json";
const EXAMPLES = "examples";
/** A character takes four bytes at most. */
const BYTES_MAX = 4 * EXAMPLE_CHARS_MAX;

/**
 * The examples of tools. A folder with a manifest holds its own in `examples/*.json`, which came with the tool. Beside a module
 * `examples/<tool>.json` and `examples/<tool>/*.json` are a tool's, and of a module's only tool all of `examples/*.json` are.
 * Links are not followed.
 */
export async function findExamples(root: string, tools: readonly LoadedTool[]): Promise<FoundExamples> {
  const of = new Map<LoadedTool, ExampleCase[]>();
  const problems: string[] = [];
  const watched: string[] = [];
  const beside = grouped(tools, ({ from }) => posix.join(posix.dirname(from.file), EXAMPLES));
  for (const [folder, own] of beside) {
    const look = { root, folder, watched, problems };
    const [only] = own;
    const packed = only && own.length === 1 ? packedExamples(only) : null;
    if (only && packed) {
      const files = Object.keys(packed).map((name) => join(root, folder, name));
      watched.push(join(root, folder), ...files);
      of.set(only, casesOf(folder, packed));
      continue;
    }
    const found = await entriesOf(look, "");
    for (const tool of own) of.set(tool, await casesBeside(look, found, tool, own.length === 1));
    const known = new Set(own.flatMap(({ record: { name, alias } }) => [name, alias ?? name]));
    if (own.length > 1)
      for (const { name } of found)
        if (!known.has(nameOf(name)))
          problems.push(`${posix.join(folder, name)} belongs to no tool: its name must be a tool's`);
  }
  return { of, problems: problems.toSorted(), watched };
}

/** What an import keeps of `examples/`: JSON by the names of the files. */
function packedExamples({ record }: LoadedTool): Record<string, unknown> | null {
  const kept = (record.metadata as { package?: { examples?: unknown } } | undefined)?.package?.examples;
  return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : null;
}

const casesOf = (folder: string, contents: Readonly<Record<string, unknown>>): ExampleCase[] =>
  Object.entries(contents).map(([name, value]) => caseOf(posix.join(folder, name), value));

interface Look {
  root: string;
  folder: string;
  watched: string[];
  problems: string[];
}

async function casesBeside(
  look: Look,
  found: readonly Dirent[],
  { record: { name, alias } }: LoadedTool,
  isOnly: boolean,
): Promise<ExampleCase[]> {
  const isOwn = (file: string): boolean => [name, alias].includes(nameOf(file));
  const paths: string[] = [];
  for (const entry of found) {
    if (entry.isDirectory()) {
      if (!isOwn(entry.name)) continue;
      for (const inner of await entriesOf(look, entry.name))
        if (!inner.isDirectory()) paths.push(posix.join(entry.name, inner.name));
    } else if (isOnly || isOwn(entry.name)) paths.push(entry.name);
  }
  const cases = await Promise.all(paths.slice(0, EXAMPLES_MAX).map((path) => readCase(look, path)));
  const [first] = paths.slice(EXAMPLES_MAX);
  if (first !== undefined) cases.push(faulty(look, first, `is one too many: ${EXAMPLES_MAX} are the most`));
  return cases;
}

/** Folders and files of JSON, by name; none where there is no such folder, or it is a link. */
async function entriesOf({ root, folder, watched, problems }: Look, inner: string): Promise<Dirent[]> {
  const path = join(root, folder, inner);
  watched.push(path);
  const stat = await lstat(path).catch(() => null);
  if (!stat?.isDirectory()) return [];
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // One that went meanwhile is seen as gone at the next look.
    if (error.code !== "ENOENT")
      problems.push(`${posix.join(folder, inner)} can't be read: ${messageOf(error)}`);
    return [];
  });
  return entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.name.endsWith(EXTENSION)))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function readCase(look: Look, path: string): Promise<ExampleCase> {
  const absolute = join(look.root, look.folder, path);
  look.watched.push(absolute);
  try {
    return caseOf(posix.join(look.folder, path), JSON.parse(await readText(absolute, BYTES_MAX)));
  } catch (error) {
    if (error instanceof RefusedFile) return faulty(look, path, error.message);
    if (error instanceof SyntaxError) return faulty(look, path, `is no JSON: ${error.message}`);
    throw error;
  }
}

const faulty = ({ folder }: Look, path: string, fault: string): ExampleCase => {
  const file = posix.join(folder, path);
  return { name: nameOf(posix.basename(file)), file, example: null, faults: [fault] };
};

function caseOf(file: string, value: unknown): ExampleCase {
  const { value: example, faults } = readInput(ToolExample, value);
  const told = (faults ?? []).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return { name: nameOf(posix.basename(file)), file, example, faults: told };
}

const nameOf = (file: string): string => (file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : file);
