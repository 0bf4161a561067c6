import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STATE_FOLDER } from "../folders/find-units.ts";
import type { DependsOn } from "../folders/depends-on.ts";
import { readText, RefusedFile } from "../folders/read-file.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { isRecord } from "../input/is-record.ts";
import { writeWhole } from "../settings/write-whole.ts";

/** What a tool was when folder and server were last the same. */
export interface Known {
  /** The hash of the folder's record, and the server's of its own. */
  mine: string;
  theirs: string;
  /** Where the folder had it. */
  file: string;
}

/** A tool of the folder as it was last loaded. */
export interface SeenTool {
  name: string;
  agentId?: string;
  hash: string;
  file: string;
  /** Whether its file is a manifest's own code, which can be written back. */
  isPlain: boolean;
}

/** A folder that was loaded without a fault: while its files are the same, so are its tools. */
export interface SeenFolder {
  /** Of all that its tools depend on. */
  digest: string;
  /** Relative to the folder. */
  dependsOn: DependsOn;
  tools: SeenTool[];
}

export interface SyncState {
  /** By server, tenant and agent, then by tool. */
  places: Record<string, Record<string, Known>>;
  seen: SeenFolder | null;
}

const FILE = "state.json";
const VERSION = 2;
const STATE_BYTES_MAX = 16 * 1024 * 1024;
/** A folder of the command line's own keeps itself out of Git. */
const IGNORED = "# What bulkhead last pushed and pulled from this clone; every clone has its own.\n*\n";

const pathOf = (root: string): string => join(root, STATE_FOLDER, FILE);

/** Empty where there is none. A file that is not what was written is a fault: what it says decides what is overwritten. */
export async function readState(root: string): Promise<SyncState> {
  const path = pathOf(root);
  await requireOwnFolder(root);
  if (!(await isThere(path))) return { places: {}, seen: null };
  try {
    const state = parseState(JSON.parse(await readText(path, STATE_BYTES_MAX)));
    if (state) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RefusedFile)) throw error;
    throw unusable(path, error.message, error);
  }
  throw unusable(path, "it is not what this version writes");
}

/** Writes it whole, in a folder that Git passes over. */
export async function writeState(root: string, { places, seen }: SyncState): Promise<void> {
  await requireOwnFolder(root);
  const folder = join(root, STATE_FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, ".gitignore"), IGNORED, { flag: "wx" }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
  await writeWhole(pathOf(root), `${JSON.stringify({ version: VERSION, places, seen })}\n`);
}

/** A link would have the state of another folder read, and that folder written to. */
async function requireOwnFolder(root: string): Promise<void> {
  const path = join(root, STATE_FOLDER);
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isDirectory()) throw unusable(path, "it is no folder");
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const unusable = (path: string, why: string, cause?: unknown): CliFault =>
  new CliFault(`${path} can't be used: ${why}.`, {
    exit: EXIT.usage,
    code: "cli.state_unusable",
    next: "Delete it: the next push compares with the server anew.",
    cause,
  });

/** Whoever wrote it would decide what a push overwrites and prunes, and which tools it takes for unchanged. */
export const sharedState = (root: string): CliFault =>
  new CliFault(`${join(root, STATE_FOLDER)} is in the Git repository, and every clone has its own.`, {
    exit: EXIT.usage,
    code: "cli.state_unusable",
    next: "Take it out, in the folder of the tools: git rm -rf .bulkhead. The next push compares with the server anew.",
  });

const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Names are whatever somebody wrote: a map without a prototype holds them. */
function mapped<T>(value: unknown, read: (one: unknown) => T | null): Record<string, T> | null {
  if (!isRecord(value)) return null;
  const map = Object.create(null) as Record<string, T>;
  for (const [name, one] of Object.entries(value)) {
    const each = read(one);
    if (each === null) return null;
    map[name] = each;
  }
  return map;
}

function parseState(json: unknown): SyncState | null {
  if (!isRecord(json) || json["version"] !== VERSION) return null;
  const places = mapped(json["places"], (tools) => mapped(tools, readKnown));
  if (places === null) return null;
  const { seen } = json;
  if (seen === null) return { places, seen };
  const folder = readSeen(seen);
  return folder && { places, seen: folder };
}

function readKnown(value: unknown): Known | null {
  if (!isRecord(value)) return null;
  const { mine, theirs, file } = value;
  return isHash(mine) && isHash(theirs) && isText(file) ? { mine, theirs, file } : null;
}

function readSeen(value: unknown): SeenFolder | null {
  if (!isRecord(value)) return null;
  const { digest, dependsOn: on, tools } = value;
  if (!isHash(digest) || !isRecord(on) || !Array.isArray(tools)) return null;
  const { files, folders, times } = on;
  const seen = tools.map(readSeenTool);
  if (!isTexts(files) || !isTexts(folders) || !isTexts(times)) return null;
  return seen.every((one) => one !== null)
    ? { digest, dependsOn: { files, folders, times }, tools: seen }
    : null;
}

function readSeenTool(value: unknown): SeenTool | null {
  if (!isRecord(value)) return null;
  const { name, agentId, hash, file, isPlain } = value;
  if (!isText(name) || !isHash(hash) || !isText(file) || typeof isPlain !== "boolean") return null;
  if (agentId !== undefined && !isText(agentId)) return null;
  return { name, ...(agentId === undefined ? {} : { agentId }), hash, file, isPlain };
}
