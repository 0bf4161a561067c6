import { homedir } from "node:os";
import { relative } from "node:path";
import type { Cli } from "../cli.ts";
import { CLOCK_MS } from "../folders/bounds.ts";
import type { FolderFault, LoadedTool, ToolRecord } from "../folders/loaded-folder.ts";
import type { DependsOn } from "../folders/depends-on.ts";
import { folderDigest, type FolderDigest } from "./folder-digest.ts";
import type { SeenFolder, SeenTool } from "./state-file.ts";

/** The tools of a folder, by name and owner. Their records are only there once they are asked for: that loads the folder. */
export interface Mine {
  tools: ReadonlyMap<string, SeenTool>;
  /** Errors and warnings; of a folder whose files are as they were seen there are none. */
  faults: readonly FolderFault[];
  records(): Promise<ReadonlyMap<string, ToolRecord>>;
  /** To be remembered; null where the folder has errors, so that they are found anew. */
  seen: SeenFolder | null;
}

interface MineOptions {
  /** Real paths: the folder, and the one around it that its modules may take files from. */
  root: string;
  within: string;
  env: Cli["env"];
  /** Whose tools they are that say no owner; the folder is read while it is asked for. */
  owner: Promise<string | undefined>;
  seen: SeenFolder | null;
}

/** A name has no `@`. */
export const keyOf = ({ name, agentId }: { name: string; agentId?: string | undefined }): string =>
  agentId === undefined ? name : `${name}@${agentId}`;

/** Reads a folder; where its files are those that it was seen with, nothing is bundled. Throws `UnreadableFolder`. */
export async function readMine({ root, within, env, owner, seen }: MineOptions): Promise<Mine> {
  let loading: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> => (loading ??= loadMine({ root, within, env }));
  const records = async () => {
    const [{ loaded }, agent] = [await load(), await owner];
    return new Map(loaded.map((tool) => recordOf(tool, agent)));
  };
  if (seen !== null && digestOf(root, seen.dependsOn)?.digest === seen.digest)
    return { tools: byKey(seen.tools, await owner), faults: [], records, seen };
  const { tools, faults, seen: now } = await load();
  return { tools: byKey(tools, await owner), faults, records, seen: now };
}

function digestOf(root: string, on: DependsOn): FolderDigest | null {
  try {
    return folderDigest(root, on);
  } catch {
    // A folder or file that can't be read is told by whoever loads it.
    return null;
  }
}

const byKey = (tools: readonly SeenTool[], agent: string | undefined): Map<string, SeenTool> =>
  new Map(
    tools.map((tool) => {
      const agentId = tool.agentId ?? agent;
      return [
        keyOf({ name: tool.name, agentId }),
        { ...tool, ...(agentId === undefined ? {} : { agentId }) },
      ];
    }),
  );

interface Loaded {
  tools: SeenTool[];
  faults: FolderFault[];
  loaded: LoadedTool[];
  seen: SeenFolder | null;
}

async function loadMine({
  root,
  within,
  env,
}: Pick<MineOptions, "root" | "within" | "env">): Promise<Loaded> {
  // A folder that is as it was seen needs neither the bundler nor the rules for tools.
  const [{ loadFolder, userCacheFolder }, { hashOf }] = await Promise.all([
    import("../folders.ts"),
    import("./write-back.ts"),
  ]);
  const cacheFolder = userCacheFolder({ env, home: homedir() });
  const began = Date.now() - CLOCK_MS;
  const { tools: loaded, faults, dependsOn } = await loadFolder(root, { within, cacheFolder });
  const tools = loaded.map(({ record, from }): SeenTool => {
    const { name, agentId } = record;
    const owner = agentId === undefined ? {} : { agentId };
    return { name, ...owner, hash: hashOf(record), file: from.file, isPlain: from.export === null };
  });
  const below = (paths: readonly string[]): string[] => paths.map((path) => relative(root, path));
  const { files, folders, times } = dependsOn;
  const on = { files: below(files), folders: below(folders), times: below(times) };
  const isWhole = !faults.some(({ severity }) => severity === "error");
  const found = isWhole ? digestOf(root, on) : null;
  // A file that changed while it was loaded would be seen as it was not.
  const isSeen = found !== null && found.newestMs < began;
  const seen = isSeen ? { digest: found.digest, dependsOn: on, tools } : null;
  return { tools, faults, loaded, seen };
}

function recordOf({ record }: LoadedTool, agent: string | undefined): [string, ToolRecord] {
  const agentId = record.agentId ?? agent;
  return [
    keyOf({ name: record.name, agentId }),
    { ...record, ...(agentId === undefined ? {} : { agentId }) },
  ];
}
