import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { STATE_FOLDER } from "../folders/find-units.ts";

/** What Git says of a folder in a repository. */
interface GitPlace {
  /** The repository and the folder in it, as `github.com/acme/tools#payments`; null: it has no `origin`. */
  source: string | null;
  /** Whether the repository holds a state, which is a clone's own. */
  hasState: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

const GIT_MS_MAX = 5_000;
/** A server takes twice as many, with whose tools they are. */
const SOURCE_CHARS_MAX = 256;

/** Null outside of a repository, and where there is no Git. */
export async function gitPlaceOf(folder: string, env: Env): Promise<GitPlace | null> {
  const [prefix, remote, state] = await Promise.all([
    git(folder, env, ["rev-parse", "--show-prefix"]),
    git(folder, env, ["config", "--get", "remote.origin.url"]),
    // Some disks take .Bulkhead for the same.
    git(folder, env, ["ls-files", "--", `:(icase)${STATE_FOLDER}`]),
  ]);
  if (prefix === null) return null;
  const source = remote === null ? null : sourceOf(remote.trim(), prefix.trimEnd());
  return { source, hasState: state !== null && state !== "" };
}

/** What Git says on stdout; null where it fails. What a hook's Git was told is not for this folder. */
async function git(folder: string, all: Env, words: readonly string[]): Promise<string | null> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_PREFIX: _prefix, GIT_INDEX_FILE: _index, ...env } = all;
  try {
    const how = { env, timeout: GIT_MS_MAX, encoding: "utf8" } as const;
    return (await promisify(execFile)("git", ["-C", folder, ...words], how)).stdout;
  } catch {
    // A folder may be in no repository, a repository may have no origin, a machine no Git: each means the same here.
    return null;
  }
}

/** The host and the path of a remote, without its protocol, user, password and `.git`, and the folder below its root. */
export function sourceOf(remote: string, prefix: string): string | null {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/]+)\/(.+)$/i.exec(remote) ??
    /^(?:[^/@:]+@)?([^/:@]+):(.+)$/.exec(remote) ??
    [];
  if (host === undefined || path === undefined) return null;
  const place = `${host.toLowerCase()}/${path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")}`;
  const within = prefix.replace(/\/+$/, "");
  const source = within === "" ? place : `${place}#${within}`;
  return source.length <= SOURCE_CHARS_MAX ? source : null;
}
