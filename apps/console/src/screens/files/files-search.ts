import type { Workspace } from "../../data/workspace-files.ts";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface FilesSearch {
  agent?: string;
  user?: string;
  /** The folder that is shown; the root where it is not said. */
  in?: string;
  /** The file that is open. */
  open?: string;
  tab?: "versions";
  /** A regular expression for lines, a glob for paths. */
  q?: string;
  glob?: string;
  case?: "ignored";
}

/** Goes to what the address says then; `replace` leaves no step for the way back. */
export type ChangeFiles = (
  next: { [Name in keyof FilesSearch]?: FilesSearch[Name] | undefined },
  replace?: boolean,
) => void;

const PATH_CHARS_MAX = 1_024;
export const PATTERN_CHARS_MAX = 4_096;
export const WHO_CHARS_MAX = 200;

export const readFilesSearch = (raw: Record<string, unknown>): FilesSearch =>
  chosen<FilesSearch>({
    agent: wordsIn(raw["agent"], WHO_CHARS_MAX),
    user: wordsIn(raw["user"], WHO_CHARS_MAX),
    in: wordsIn(raw["in"], PATH_CHARS_MAX),
    open: wordsIn(raw["open"], PATH_CHARS_MAX),
    tab: oneOf(["versions"], raw["tab"]),
    q: wordsIn(raw["q"], PATTERN_CHARS_MAX),
    glob: wordsIn(raw["glob"], PATTERN_CHARS_MAX),
    case: oneOf(["ignored"], raw["case"]),
  });

export const workspaceOf = ({ agent, user }: FilesSearch): Workspace =>
  chosen<{ agentId?: string; userId?: string }>({ agentId: agent, userId: user });

/** The folder that a path lies in; empty: the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const joined = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** Each folder down to this one, with its whole path. */
export const stepsTo = (folder: string): { name: string; path: string }[] =>
  folder === ""
    ? []
    : folder.split("/").map((name, at, names) => ({ name, path: names.slice(0, at + 1).join("/") }));
