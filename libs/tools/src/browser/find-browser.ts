import type { LaunchSize, McpLauncher } from "@bulkhead/core";
import { findOnPath } from "@bulkhead/process";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The names under which systems have it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const VERSION_MS_MAX = 15_000;
const VERSION_CHARS_MAX = 100;

export type FoundBrowser = { file: string; version: string } | { missing: string };

/**
 * The Chromium that a setting names, else the first one of the PATH, asked for its version; or why there is none. Never
 * rejects.
 */
export async function findBrowser(setting: string | undefined, path: string): Promise<FoundBrowser> {
  const file = setting ?? (await firstOnPath(path));
  if (file === null)
    return { missing: `none of ${NAMES.join(", ")} is on the PATH, and CHROMIUM names none` };
  try {
    const { stdout } = await promisify(execFile)(file, ["--version"], { timeout: VERSION_MS_MAX, env: {} });
    return { file, version: stdout.trim().slice(0, VERSION_CHARS_MAX) };
  } catch (error) {
    return { missing: `${file} does not tell its version: ${(error as Error).message.split("\n")[0]}` };
  }
}

async function firstOnPath(path: string): Promise<string | null> {
  for (const name of NAMES) {
    const file = await findOnPath(name, path);
    if (file !== null) return file;
  }
  return null;
}

/** A program that was found, or why there is none. */
type Found = { file: string } | { missing: string };

/** The same where this machine keeps a process of this size in; else why it doesn't. Never rejects. */
export async function whereKeptIn<T extends Found>(
  found: T,
  launcher: McpLauncher,
  size: LaunchSize,
): Promise<T | { missing: string }> {
  if (!("file" in found)) return found;
  const any = { tenantId: "", command: process.execPath, args: ["--version"], env: {} };
  try {
    const tried = await launcher.launch({ ...any, size });
    await tried.ended;
    return found;
  } catch (error) {
    return { missing: `${found.file} can't be kept in. ${(error as Error).message.replace(/\.$/, "")}` };
  }
}
