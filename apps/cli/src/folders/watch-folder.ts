import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findUnits } from "./find-units.ts";
import { loadFolder, type LoadOptions } from "./load-folder.ts";
import type { LoadedFolder } from "./loaded-folder.ts";

export interface WatchOptions extends LoadOptions {
  /** Milliseconds between two looks; a folder that takes longer to be looked at is looked at less often. */
  everyMs: number;
  /** Ends the watch. */
  signal: AbortSignal;
}

/** A look at the folder takes a tenth of the time at most. */
const LOOK_SHARE = 10;

/**
 * The folder as it is, and again whenever a file changed that a tool depends on, or one came that may hold a tool. It looks
 * instead of being told: that is the same on every system and file system, and packages in it cost nothing. Throws
 * `UnreadableFolder` at first; later a folder that is gone is waited for.
 */
export async function* watchFolder(path: string, options: WatchOptions): AsyncGenerator<LoadedFolder> {
  const { everyMs, signal } = options;
  let waitMs = everyMs;
  let seen: string | null = null;
  for (;;) {
    const began = Date.now() - CLOCK_MS;
    const loaded = await loadFolder(path, options);
    const stamp = await stampOf(path, loaded.files);
    yield loaded;
    // A file that changed meanwhile may have been read before; then the next look finds another stamp.
    const isLate = stamp !== null && stamp.newestMs >= began && stamp.newestMs <= Date.now();
    seen = isLate ? null : (stamp?.text ?? null);
    for (;;) {
      if (!(await slept(waitMs, signal))) return;
      const started = performance.now();
      const now = await stampOf(path, loaded.files);
      waitMs = Math.max(everyMs, (performance.now() - started) * LOOK_SHARE);
      if (now !== null && now.text !== seen) break;
    }
  }
}

/** The time of a file may be a little behind the clock. */
const CLOCK_MS = 20;

async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, null, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

/** `text` changes with every file that matters. */
interface Stamp {
  text: string;
  newestMs: number;
}

/** Null while the folder can't be read. */
async function stampOf(root: string, files: readonly string[]): Promise<Stamp | null> {
  const units = await findUnits(root, () => undefined).catch(() => null);
  if (units === null) return null;
  const ofUnits = units.flatMap((unit) =>
    "file" in unit ? [unit.file] : FILES.map((file) => join(unit.folder, file)),
  );
  const paths = [...new Set([...ofUnits.map((file) => join(root, file)), ...files])].toSorted();
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return {
    text: found
      .map((one, at) => `${paths[at]} ${one === null ? "-" : `${one.mtimeMs} ${one.size} ${one.ino}`}`)
      .join("\n"),
    newestMs: Math.max(0, ...found.map((one) => one?.mtimeMs ?? 0)),
  };
}

/** What a folder with a manifest may hold; examples that come and go change the time of their folder. */
const FILES = ["manifest.json", "tool.js", "tool.ts", "README.md", "examples"];
