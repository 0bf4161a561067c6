import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The Git repository that a folder lies in, or is; no Git is asked. A worktree has a file where others have a folder. */
export function repositoryOf(path: string): string | null {
  if (existsSync(join(path, ".git"))) return path;
  const above = dirname(path);
  return above === path ? null : repositoryOf(above);
}
