import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CLOCK_MS } from "./bounds.ts";
import { findUnits, MANIFEST_FILES, type Unit } from "./find-units.ts";
import { wholeFault } from "./fault-list.ts";
import { loadWith, UnreadableFolder } from "./load-folder.ts";
import type { FolderFault, LoadedFolder } from "./loaded-folder.ts";
import { type Loader, type LoadOptions, openLoader } from "./loader.ts";
import { packageFolder } from "./read-lock.ts";

export interface WatchOptions extends LoadOptions {
  /** Milliseconds between two looks; a folder that takes longer to be looked at is looked at less often. */
  everyMs: number;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Has a process wait for the next module that is saved, where the folder holds any: a person waits for what comes of it. */
  isWarm?: boolean;
  /** Further files and folders whose changes count, such as examples; absolute. */
  also?: (loaded: LoadedFolder) => Promise<readonly string[]>;
}

/** A look at the folder takes a tenth of the time at most. */
const LOOK_SHARE = 10;

/**
 * The folder as it is, and again whenever a file changed that a tool depends on, or one came that may hold a tool. It looks
 * instead of being told: that is the same on every system and file system, and packages in it cost nothing. Throws
 * `UnreadableFolder` at first; later a folder that is gone is given with its former tools and one fault, and waited for.
 */
export async function* watchFolder(path: string, options: WatchOptions): AsyncGenerator<LoadedFolder> {
  const loader = await openLoader(options);
  try {
    yield* watchWith(path, options, loader);
  } finally {
    await loader.close();
  }
}

async function* watchWith(path: string, options: WatchOptions, loader: Loader): AsyncGenerator<LoadedFolder> {
  const { everyMs, signal, isWarm = false } = options;
  let began = Date.now() - CLOCK_MS;
  let loaded = await loadWith(path, options, loader);
  let isGone = false;
  let waitMs = everyMs;
  for (;;) {
    const files = [...loaded.files, ...meantIn(loaded), ...((await options.also?.(loaded)) ?? [])];
    const hasModules = loaded.tools.some(({ from }) => from.export !== null);
    const stamp = stampOf(path, files);
    yield loaded;
    // A file that changed meanwhile may have been read before; then the next look finds another stamp.
    const isLate = stamp === GONE || (stamp.newestMs >= began && stamp.newestMs <= Date.now());
    const seen = isGone ? GONE.text : isLate ? null : stamp.text;
    for (;;) {
      if (!(await slept(waitMs, signal))) return;
      const started = performance.now();
      const now = stampOf(path, files);
      waitMs = Math.max(everyMs, (performance.now() - started) * LOOK_SHARE);
      if (now.text !== seen) break;
      // Not before what was saved last had the time of one look to itself.
      if (isWarm && hasModules) loader.describer.warm();
    }
    began = Date.now() - CLOCK_MS;
    const again = await loadWith(path, options, loader).catch((error: unknown) => goneFault(error));
    isGone = "severity" in again;
    loaded = "severity" in again ? { ...loaded, faults: [again] } : again;
  }
}

/** A file or package that comes to lie there may be what an import means; the folder's time tells that something came. */
const meantIn = ({ dependsOn: { files, folders, times } }: LoadedFolder): string[] => [
  ...files.filter((file) => packageFolder(file) === null),
  ...folders,
  ...times,
];

async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, null, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

function goneFault(error: unknown): FolderFault {
  if (!(error instanceof UnreadableFolder)) throw error;
  const message = `${error.message}; its tools stay as they were until it can be read again`;
  return wholeFault({ code: "file.unreadable", file: "", message });
}

/** `text` changes with every file that matters. */
interface Stamp {
  text: string;
  newestMs: number;
}

/** The folder can't be read. */
const GONE: Stamp = { text: "gone", newestMs: 0 };

function unitsOrNull(root: string): Unit[] | null {
  try {
    return findUnits(root, () => undefined);
  } catch {
    // A folder that is gone is waited for.
    return null;
  }
}

function stampOf(root: string, files: readonly string[]): Stamp {
  const units = unitsOrNull(root);
  if (units === null) return GONE;
  const ofUnits = units.flatMap((unit) =>
    "file" in unit ? [unit.file] : FILES.map((file) => join(unit.folder, file)),
  );
  const paths = [...new Set([...ofUnits.map((file) => join(root, file)), ...files])].toSorted();
  const found = paths.map(statOrNull);
  return {
    text: found
      .map(
        (one, at) =>
          `${paths[at]} ${one === null ? "-" : `${one.mtimeMs} ${one.ctimeMs} ${one.size} ${one.ino}`}`,
      )
      .join("\n"),
    newestMs: Math.max(0, ...found.map((one) => one?.mtimeMs ?? 0)),
  };
}

/** Without waiting for each: of a thousand files the waits would take most of the look's time. */
function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Examples that come and go change the time of their folder. */
const FILES = [...MANIFEST_FILES, "examples"];
