import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { LOCK_BYTES_MAX } from "./bounds.ts";
import { compare } from "./fault-list.ts";
import { STATE_FOLDER } from "./find-units.ts";
import type { DependsOn } from "./depends-on.ts";
import { messageOf, RefusedFile } from "./read-file.ts";

/** What is at a path, in a text that is another as soon as it changes; null: nothing. */
interface Mark {
  text: string | null;
  /** When it was written last, in milliseconds since 1970. */
  writtenMs: number;
}

export interface MarkReader {
  /** Throws `RefusedFile` for what can't be looked at. */
  mark(kind: keyof DependsOn, path: string): Mark;
}

/** Hashes of files, by their paths, for as long as the system says that a file is the same. */
export type KnownHashes = Map<string, { same: string; mark: Mark }>;

/** The time of a file is this coarse at most, in milliseconds: one written later than that may have changed unseen. */
const TIME_MS_MAX = 2_000;

/** Looks at each path once: a reader is for one load. */
export function openMarkReader(known: KnownHashes): MarkReader {
  const asked = { files: new Map<string, Mark>(), folders: new Map(), times: new Map() };
  return {
    mark(kind, path) {
      const old = asked[kind].get(path);
      if (old !== undefined) return old;
      try {
        const found = MAKERS[kind](path, known);
        asked[kind].set(path, found);
        return found;
      } catch (error) {
        // What goes, or may not be read, is as good as not looked at.
        if (error instanceof Error && "syscall" in error)
          throw new RefusedFile("file.unreadable", messageOf(error));
        throw error;
      }
    },
  };
}

/** In the order in which they are looked at. */
export const KINDS = ["files", "folders", "times"] as const satisfies (keyof DependsOn)[];

const NOTHING: Mark = { text: null, writtenMs: 0 };

// Without waiting for each step: of a thousand small files the steps between cost more than the files.
const MAKERS: Readonly<Record<keyof DependsOn, (path: string, known: KnownHashes) => Mark>> = {
  files: markFile,
  folders: markFolder,
  times: markTime,
};

export const hashOf = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

function markFile(path: string, known: KnownHashes): Mark {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return NOTHING;
  const same = `${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}`;
  const old = known.get(path);
  if (old?.same === same) return old.mark;
  if (!found.isFile() || found.size > LOCK_BYTES_MAX) throw new RefusedFile("file.kind", "is not looked at");
  const readMs = Date.now();
  const mark = { text: hashOf(bytesOf(path)), writtenMs: found.mtimeMs };
  if (found.ctimeMs < readMs - TIME_MS_MAX) known.set(path, { same, mark });
  else known.delete(path);
  return mark;
}

/** Never waits for a pipe that came in the file's place. */
function bytesOf(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Names, kinds, and where links end, over however many others: which file an import means depends on them. */
function markFolder(path: string): Mark {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return NOTHING;
  const entries = readdirSync(path, { withFileTypes: true });
  const names = entries.flatMap((entry) => {
    // What is remembered of a folder makes no tool another.
    if (entry.name === STATE_FOLDER) return [];
    const end = entry.isSymbolicLink() ? endOf(join(path, entry.name)) : "";
    return JSON.stringify([entry.name, entry.isDirectory(), end]);
  });
  return {
    text: hashOf(`${realpathSync.native(path)}\n${names.toSorted(compare).join("\n")}`),
    writtenMs: statSync(path).mtimeMs,
  };
}

/** Null for a link that leads nowhere, or around. */
function endOf(link: string): string | null {
  try {
    return realpathSync.native(link);
  } catch {
    return null;
  }
}

function markTime(path: string): Mark {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? NOTHING : { text: String(found.mtimeMs), writtenMs: found.mtimeMs };
}
