import { chown, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { readIfThere } from "../stores/private-folder.ts";
import { runCommand } from "../stores/run-command.ts";
import { StoreError } from "../stores/store-error.ts";
import { commandLine, type Unprivileged } from "../stores/unprivileged.ts";

export interface ClusterPlace {
  binaries: PostgresBinaries;
  way: Unprivileged;
  folder: string;
  throwaway: boolean;
  user: string;
  progress: ((line: string) => void) | undefined;
}

const INITDB_MS_MAX = 120_000;

/**
 * Makes the database cluster in `<folder>/cluster` unless it is there; a crash in between leaves none.
 * UTF-8 with the built-in C.UTF-8 collation: the same order on every system, whatever its locales and their versions,
 * so a data folder can be copied between machines without broken indexes.
 */
export async function createCluster(place: ClusterPlace): Promise<void> {
  const cluster = join(place.folder, "cluster");
  await giveTo(place, cluster);
  if ((await readIfThere(join(cluster, "PG_VERSION"))) !== null) return;
  place.progress?.("creating the database cluster");
  const unfinished = join(place.folder, "cluster.new");
  await rm(unfinished, { recursive: true, force: true });
  const { command, args } = commandLine(place.way, place.binaries.initdb, initdbArgs(place, unfinished));
  const run = await runCommand(command, args, {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    cwd: place.folder,
    msMax: INITDB_MS_MAX,
    identity: place.way.identity,
  });
  if (run.code !== 0)
    throw new StoreError(`PostgreSQL's initdb failed in ${place.folder}:\n${run.output.trim()}`);
  await rename(unfinished, cluster);
}

const initdbArgs = (place: ClusterPlace, cluster: string): string[] => [
  `--pgdata=${cluster}`,
  `--username=${place.user}`,
  `--pwfile=${join(place.folder, "password")}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-instructions",
  // A client computes each of the iterations anew at every connection; they are for passwords that people choose.
  ...(place.throwaway ? ["--no-sync", "--set=scram_iterations=1"] : []),
];

/** PostgreSQL wants to own its files; they have another owner when an earlier start had to take another identity. */
async function giveTo(place: ClusterPlace, cluster: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const uid = place.way.identity?.uid ?? 0;
  const gid = place.way.identity?.gid ?? 0;
  await chown(join(place.folder, "password"), uid, gid);
  const owner = await stat(cluster).catch(() => null);
  if (owner === null || owner.uid === uid) return;
  const run = await runCommand("chown", ["-R", `${uid}:${gid}`, cluster], { env: {}, msMax: INITDB_MS_MAX });
  if (run.code !== 0)
    throw new StoreError(`The owner of ${cluster} could not be changed:\n${run.output.trim()}`);
}
