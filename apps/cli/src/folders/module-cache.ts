import { LRUCache } from "lru-cache";
import { lstat, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import {
  CLOCK_MS,
  KEPT_DISK_BYTES_MAX,
  KEPT_FILES_MAX,
  KEPT_MEMORY_BYTES_MAX,
  KEPT_MODULE_BYTES_MAX,
} from "./bounds.ts";
import type { DependsOn } from "./depends-on.ts";
import { hashOf, KINDS, type KnownHashes, type MarkReader, openMarkReader } from "./marks.ts";
import { messageOf, readText, RefusedFile } from "./read-file.ts";

const Marked = z.array(z.tuple([z.string(), z.string().nullable()]));
const place = z.number().int().nullable();
const Kept = z.object({
  /** All but the files that decides what the tools are. */
  given: z.string(),
  depends: z.object({ files: Marked, folders: Marked, times: Marked }),
  made: z.object({
    tools: z.array(
      z.object({
        record: z.record(z.string(), z.unknown()),
        from: z.object({ file: z.string(), export: z.string().nullable() }),
        packages: z.array(
          z.object({ name: z.string(), version: z.string(), integrity: z.string().nullable() }),
        ),
        places: z.object({ map: z.string(), headLines: z.number().int() }).nullable(),
      }),
    ),
    faults: z.array(
      z.looseObject({
        code: z.string(),
        file: z.string(),
        message: z.string(),
        line: place.optional(),
        column: place.optional(),
      }),
    ),
    files: z.array(z.string()),
  }),
});
type Kept = z.infer<typeof Kept>;

interface Sized {
  kept: Kept;
  /** Characters of its text. */
  size: number;
}

/** What became of a module: texts alone, of which nothing is run. */
export type KeptModule = Kept["made"];

interface FoundModule {
  made: KeptModule;
  dependsOn: DependsOn;
}

interface ModuleKey {
  /** The module, and how its tools are chosen. */
  id: string;
  /** Hash of what else decides, its files left out. */
  given: string;
}

/** What was made of a module is kept until something that it depends on changes. */
export interface ModuleCache {
  /** For one load, in which each file is looked at once to find what was made of it. */
  open(): CacheLook;
}

export interface CacheLook {
  find(key: ModuleKey): Promise<FoundModule | null>;
  /** What changed since `beganMs` may have been read before, and is not kept. */
  keep(key: ModuleKey, on: DependsOn, made: KeptModule, beganMs: number): Promise<void>;
  /** Takes away what is over the bounds, the first time in a run. Says why something could not be kept; null: all was. */
  close(): Promise<string | null>;
}

/** Where a program keeps them for its user: below `XDG_CACHE_HOME`, or `~/.cache`. */
export const userCacheFolder = ({ env, home }: { env: NodeJS.ProcessEnv; home: string }): string =>
  join(env["XDG_CACHE_HOME"] || join(home, ".cache"), "bulkhead", "folders");

/**
 * Kept in memory, and in the folder where one is given: it must be the user's alone, for what is found in it becomes the code
 * of tools. Throws `RefusedFile` for a folder that others may write, and for one that can't be made.
 */
export async function openModuleCache(folder: string | undefined): Promise<ModuleCache> {
  const memory = new LRUCache<string, Sized>({
    maxSize: KEPT_MEMORY_BYTES_MAX,
    sizeCalculation: ({ size }) => size,
  });
  const known: KnownHashes = new Map();
  let isBounded = false;
  if (folder !== undefined) await ownFolder(folder);
  return {
    open() {
      const reader = openMarkReader(known);
      let written = 0;
      let failed: string | null = null;
      // A full disk keeps no tool from being loaded.
      const note = (error: unknown): void => void (failed ??= messageOf(error));
      return {
        async find({ id, given }) {
          const found = memory.get(id) ?? (folder === undefined ? null : await readKept(folder, id));
          if (found === null || found.kept.given !== given || !holds(reader, found.kept.depends)) return null;
          memory.set(id, found);
          return { made: found.kept.made, dependsOn: pathsOf(found.kept.depends) };
        },
        async keep({ id, given }, on, made, beganMs) {
          // Looked at anew: what was looked at before it was read may have changed between, and may change back.
          const depends = marked(openMarkReader(known), on, beganMs - CLOCK_MS);
          if (depends === null) return;
          const kept: Kept = { given, depends, made };
          const text = JSON.stringify(kept);
          if (text.length > KEPT_MODULE_BYTES_MAX) return;
          memory.set(id, { kept, size: text.length });
          if (folder === undefined) return;
          written += 1;
          await writeFile(join(folder, fileOf(id)), `${hashOf(text)}\n${text}`, { mode: 0o600 }).catch(note);
        },
        async close() {
          if (folder === undefined || written === 0 || isBounded) return failed;
          isBounded = true;
          await keepBounds(folder).catch(note);
          return failed;
        },
      };
    },
  };
}

const OTHERS_WRITE = 0o022;

async function ownFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    const isOthers = process.platform !== "win32" && (found.mode & OTHERS_WRITE) !== 0;
    if (found.isDirectory() && isOwn && !isOthers) return;
  } catch (error) {
    throw new RefusedFile("cache.unusable", `can't be made or read: ${messageOf(error)}`);
  }
  throw new RefusedFile(
    "cache.unusable",
    "is a link, or other users may change it: make it a folder of your own, with chmod 700",
  );
}

const FILE = /^[0-9a-f]{64}\.json$/;
const fileOf = (id: string): string => `${hashOf(id)}.json`;

/** Null where there is none, and for one that is torn or of another program. */
async function readKept(folder: string, id: string): Promise<Sized | null> {
  try {
    const text = await readText(join(folder, fileOf(id)), KEPT_MODULE_BYTES_MAX * 4);
    const end = text.indexOf("\n");
    const json = text.slice(end + 1);
    if (text.slice(0, end) !== hashOf(json)) return null;
    const kept = Kept.safeParse(JSON.parse(json)).data;
    return kept === undefined ? null : { kept, size: json.length };
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof SyntaxError) return null;
    throw error;
  }
}

function holds(reader: MarkReader, depends: Kept["depends"]): boolean {
  return orRefused(false, () =>
    KINDS.every((kind) => depends[kind].every(([path, text]) => reader.mark(kind, path).text === text)),
  );
}

function pathsOf({ files, folders, times }: Kept["depends"]): DependsOn {
  const paths = (marks: typeof files): string[] => marks.map(([path]) => path);
  return { files: paths(files), folders: paths(folders), times: paths(times) };
}

/** Null where something was written since, or can't be looked at. */
function marked(reader: MarkReader, on: DependsOn, sinceMs: number): Kept["depends"] | null {
  return orRefused(null, () => {
    const depends: Kept["depends"] = { files: [], folders: [], times: [] };
    const now = Date.now();
    for (const kind of KINDS)
      for (const path of on[kind]) {
        const { text, writtenMs } = reader.mark(kind, path);
        if (writtenMs >= sinceMs && writtenMs <= now) return null;
        depends[kind].push([path, text]);
      }
    return depends;
  });
}

function orRefused<T>(instead: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedFile) return instead;
    throw error;
  }
}

/** What was written first goes first. */
async function keepBounds(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name));
  const found = await Promise.all(
    names.map(async (name) => ({ name, stat: await stat(join(folder, name)).catch(() => null) })),
  );
  const newestFirst = found
    .flatMap(({ name, stat: one }) => (one === null ? [] : [{ name, size: one.size, at: one.mtimeMs }]))
    .toSorted((one, other) => other.at - one.at);
  let bytes = 0;
  for (const [at, { name, size }] of newestFirst.entries()) {
    bytes += size;
    if (at >= KEPT_FILES_MAX || bytes > KEPT_DISK_BYTES_MAX) await rm(join(folder, name), { force: true });
  }
}
