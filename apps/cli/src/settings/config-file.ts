import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { isRecord } from "../input/is-record.ts";
import { writeWhole } from "./write-whole.ts";

/** A server and a key of it, kept under a name. */
export interface Profile {
  url: string;
  key: string;
}

export interface ConfigFile {
  /** The profile that counts where none is named; absent until somebody logs in. */
  current?: string;
  profiles: Record<string, Profile>;
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

const CONFIG_BYTES_MAX = 1_048_576;
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

/** `~/.config/bulkhead/config.json`, or the same below `XDG_CONFIG_HOME` where that is set. */
export const configPath = ({ env, home }: Place): string =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "bulkhead", "config.json");

const broken = (path: string, why: string, next: string, cause?: unknown): CliFault =>
  new CliFault(`${path} ${why}.`, { exit: EXIT.usage, code: "cli.config_unusable", next, cause });

function parseConfig(text: string): ConfigFile | null {
  const json: unknown = JSON.parse(text);
  if (!isRecord(json) || !isRecord(json["profiles"])) return null;
  const profiles: [string, Profile][] = [];
  for (const [name, profile] of Object.entries(json["profiles"])) {
    if (!isRecord(profile)) return null;
    const { url, key } = profile;
    if (typeof url !== "string" || typeof key !== "string") return null;
    profiles.push([name, { url, key }]);
  }
  const { current } = json;
  if (current !== undefined && typeof current !== "string") return null;
  return { ...(current === undefined ? {} : { current }), profiles: Object.fromEntries(profiles) };
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/**
 * What is kept; without a file, nothing is. A file that other users may write is refused, since they could have a key sent to
 * themselves; of one that they may read, `warn` is told, since the harm is done.
 */
export async function readConfig(path: string, warn: (sentence: string) => void): Promise<ConfigFile> {
  try {
    const { mode, size } = await stat(path);
    const unix = process.platform !== "win32";
    if (unix && (mode & OTHERS_WRITE) !== 0)
      throw broken(path, "may be changed by other users, so it is not used", `Run: chmod 600 ${path}`);
    if (unix && (mode & OTHERS_READ) !== 0)
      warn(`Other users may read ${path}, which holds keys. Run: chmod 600 ${path}`);
    if (size > CONFIG_BYTES_MAX) throw broken(path, "is too large", "Remove it and log in again.");
    const config = parseConfig(await readFile(path, "utf8"));
    if (config === null) throw broken(path, "holds no profiles", "Remove it and log in again.");
    return config;
  } catch (error) {
    if (error instanceof CliFault) throw error;
    if (isMissing(error)) return { profiles: {} };
    // A parser would quote the text around the fault, and that may be a key.
    if (error instanceof SyntaxError)
      throw broken(path, "is not valid JSON", "Mend it, or remove it and log in again.");
    throw broken(
      path,
      `can't be read: ${(error as Error).message}`,
      "Give yourself the right to read it.",
      error,
    );
  }
}

/** Readable by its owner alone, as is a folder that is made for it. */
export const writeConfig = (path: string, config: ConfigFile): Promise<void> =>
  writeWhole(path, `${JSON.stringify(config, null, 2)}\n`, { file: 0o600, folder: 0o700 });
