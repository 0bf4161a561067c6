import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import type { Cli } from "../cli.ts";
import { type CliFault, usageFault } from "../faults/cli-fault.ts";
import { loadFolder, UnreadableFolder, userCacheFolder, type LoadedFolder } from "../folders.ts";
import { repositoryOf } from "../folders/repository-of.ts";

/** A folder of tools as it was named, its real path, and the folder that its modules may import from. */
export interface ToolFolder {
  said: string;
  root: string;
  /** The Git repository around it, so that code beside the folder may be imported; the folder itself where there is none. */
  within: string;
  /** Where what was made of a folder is kept between runs. */
  cacheFolder: string;
}

/** Throws a fault that says why the folder can't be read. */
export async function findToolFolder(said: string, env: Cli["env"]): Promise<ToolFolder> {
  const root = await realpath(said).catch((error: Error) => {
    throw folderFault(`${said} can't be read: ${error.message}.`);
  });
  const cacheFolder = userCacheFolder({ env, home: homedir() });
  return { said, root, within: repositoryOf(root) ?? root, cacheFolder };
}

export async function loadToolFolder({ root, within, cacheFolder }: ToolFolder): Promise<LoadedFolder> {
  try {
    return await loadFolder(root, { within, cacheFolder });
  } catch (error) {
    throw faultOfFolder(error);
  }
}

/** What a folder that can't be read ends a command with; anything else is passed on. */
export const faultOfFolder = (error: unknown): unknown =>
  error instanceof UnreadableFolder ? folderFault(`${error.message}.`) : error;

const folderFault = (message: string): CliFault =>
  usageFault(message, "Name the folder of your tools first, then tools: . is the one that you are in.");

/** The tools of these names, all of them where none is named; a name that no tool has is a fault. */
export function chosenTools({ tools }: LoadedFolder, names: readonly string[], said: string) {
  const isNamed = (name: string, { record }: LoadedFolder["tools"][number]): boolean =>
    record.name === name || record.alias === name;
  for (const name of names)
    if (!tools.some((tool) => isNamed(name, tool)))
      throw usageFault(`There is no tool "${name}" in ${said}.`, `There are: ${listOf(tools)}.`);
  if (names.length === 0) return tools;
  return tools.filter((tool) => names.some((name) => isNamed(name, tool)));
}

const NAMES_SHOWN_MAX = 20;

function listOf(tools: LoadedFolder["tools"]): string {
  const shown = tools.slice(0, NAMES_SHOWN_MAX).map(({ record }) => record.name);
  return shown.length === 0
    ? "none that could be loaded"
    : shown.join(", ") + (tools.length > shown.length ? ", …" : "");
}
