import { stop } from "esbuild";
import type { FolderFaultCode } from "./loaded-folder.ts";

export interface BundleFault {
  code: FolderFaultCode;
  message: string;
  /** Absolute; null: that of the module. */
  file: string | null;
  line: number | null;
  column: number | null;
}

/** What the bundler can't do. */
export class BundleFailure extends Error {
  override readonly name = "BundleFailure";
  readonly faults: BundleFault[];

  constructor(faults: BundleFault[]) {
    super(faults[0]?.message);
    this.faults = faults;
  }
}

const BROKE = "breaks the bundler: something in it, or in what it imports, nests too deeply";

let alone: Promise<unknown> = Promise.resolve();

/**
 * Does a build, also where a module breaks the bundler's process, which all modules share: then each that was under way is built
 * again, one after the other, and the one that breaks it alone is at fault. Throws what esbuild throws, and `BundleFailure`.
 */
export async function buildSafely<T>(build: () => Promise<T>): Promise<T> {
  // What is built alone must not be ended by another.
  await alone;
  try {
    return await build();
  } catch (error) {
    if (!isBroken(error)) throw error;
  }
  const turn = alone.then(() => buildAgain(build));
  alone = turn.catch(() => undefined);
  return turn;
}

async function buildAgain<T>(build: () => Promise<T>): Promise<T> {
  await stop();
  try {
    return await build();
  } catch (error) {
    if (!isBroken(error)) throw error;
    await stop();
    throw new BundleFailure([
      { code: "import.failed", message: BROKE, file: null, line: null, column: null },
    ]);
  }
}

/** The bundler's process has no code for it. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  !("errors" in error) &&
  /service (?:was stopped|is no longer)/.test(error.message);
