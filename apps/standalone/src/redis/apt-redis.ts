import { mkdir, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "@bulkhead/process";
import { probeRedis } from "./probe-redis.ts";
import type { RedisSearch, RedisSearchEnd } from "./redis-binary.ts";
import { runCommand, type CommandRun } from "../stores/run-command.ts";
import { systemCode } from "../stores/system-code.ts";

/**
 * The packages that redis-tools needs beyond the base system on Debian 11 to 13 and Ubuntu 22.04 to 26.04; apt knows any
 * further ones.
 */
const LIBRARIES = ["liblzf1", "libjemalloc2", "libatomic1"];
const PACKAGES_MAX = 20;
const UPDATE_MS_MAX = 180_000;
const DOWNLOAD_MS_MAX = 120_000;
const UNPACK_MS_MAX = 60_000;

/** The Redis that an earlier start fetched. */
export async function fetchedRedis({ fetchedDir }: RedisSearch): Promise<RedisSearchEnd> {
  const root = join(fetchedDir, "debian");
  const libraries = await libraryFolders(root);
  if (libraries === null) return { refusal: "none was fetched before" };
  return probeRedis(join(root, "usr/bin/redis-server"), { LD_LIBRARY_PATH: libraries.join(":") });
}

/**
 * Debian's and Ubuntu's own packages, downloaded and unpacked under `fetchedDir`: about 7 MB, no root, nothing installed.
 * Several processes may fetch at a time: each has a folder of its own, and all end with the Redis of the first. The server
 * is the same program as `redis-check-rdb` of redis-tools, under another name.
 */
export async function fetchRedisWithApt(search: RedisSearch): Promise<RedisSearchEnd> {
  const path = search.env["PATH"] ?? "";
  for (const tool of ["apt-get", "dpkg-deb"]) {
    if ((await findOnPath(tool, path)) === null)
      return { refusal: `no packages of Debian or Ubuntu: no ${tool}` };
  }
  await mkdir(search.fetchedDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(search.fetchedDir, "fetching-"));
  try {
    const failed = await fetchAndUnpack(work, search);
    if (failed !== null) return { refusal: failed };
    // Another process may have been faster. A Redis that was there before and did not run is replaced.
    const found = await fetchedRedis(search);
    if ("binary" in found) return found;
    const target = join(search.fetchedDir, "debian");
    await rm(target, { recursive: true, force: true });
    await rename(join(work, "root"), target).catch((cause: unknown) => {
      if (!IS_THERE.has(systemCode(cause))) throw cause;
    });
    return await fetchedRedis(search);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The codes of a rename onto a folder that another process has made meanwhile. */
const IS_THERE = new Set<unknown>(["EEXIST", "ENOTEMPTY"]);

/** Null when all went well, else the failed step and its output. */
async function fetchAndUnpack(work: string, search: RedisSearch): Promise<string | null> {
  const folders = { downloads: join(work, "downloads"), root: join(work, "root") };
  // apt's own lists may be empty (container images), and only root may fill them: hence lists of our own.
  for (const folder of ["lists/partial", "cache/archives/partial", "downloads", "root"]) {
    await mkdir(join(work, folder), { recursive: true, mode: 0o700 });
  }
  const apt = aptRunner(work, folders.downloads, search.env);
  search.progress?.("fetching the list of the distribution's packages");
  const update = await apt(["update"], UPDATE_MS_MAX);
  if (update.code !== 0) return failure("apt-get update", update);
  search.progress?.("fetching Redis from the distribution's packages (about 2 MB)");
  const download = await apt(["download", ...(await packagesToFetch(apt))], DOWNLOAD_MS_MAX);
  if (download.code !== 0) return failure("apt-get download", download);
  for (const file of await readdir(folders.downloads)) {
    const options = { env: toolEnv(search.env), msMax: UNPACK_MS_MAX };
    const unpack = await runCommand("dpkg-deb", ["-x", join(folders.downloads, file), folders.root], options);
    if (unpack.code !== 0) return failure(`dpkg-deb -x ${file}`, unpack);
  }
  await symlink("redis-check-rdb", join(folders.root, "usr/bin/redis-server"));
  return null;
}

type AptRunner = (args: string[], msMax: number) => Promise<CommandRun>;

function aptRunner(work: string, cwd: string, env: NodeJS.ProcessEnv): AptRunner {
  const places = [`Dir::State::lists=${join(work, "lists")}`, `Dir::Cache=${join(work, "cache")}`];
  // Run as root, apt would download as the user _apt, who can't write into a private folder.
  const options = [...places, "APT::Sandbox::User=root", "Acquire::Languages=none"].flatMap((o) => ["-o", o]);
  return (args, msMax) =>
    runCommand("apt-get", ["-q", ...options, ...args], { env: toolEnv(env), cwd, msMax });
}

/** redis-tools, the libraries it is known to need, and those that this system lacks by apt's own reckoning. */
async function packagesToFetch(apt: AptRunner): Promise<string[]> {
  const plan = await apt(["--simulate", "--no-install-recommends", "install", "redis-tools"], UNPACK_MS_MAX);
  const lacking = [...plan.output.matchAll(/^Inst (\S+)/gmu)].flatMap((match) => match[1] ?? []);
  return [...new Set(["redis-tools", ...LIBRARIES, ...lacking])].slice(0, PACKAGES_MAX);
}

const PROXY_NAMES = [
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "APT_CONFIG",
];

function toolEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = ["PATH", ...PROXY_NAMES].flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return { ...Object.fromEntries(passed), LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };
}

const failure = (step: string, run: CommandRun): string =>
  `${step} failed: ${run.output.trim().split("\n").slice(-3).join("\n")}`;

/** Every folder of shared libraries below `root`, or null when nothing is there. */
async function libraryFolders(root: string): Promise<string[] | null> {
  const files = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => null);
  if (files === null) return null;
  return [...new Set(files.filter((file) => file.name.includes(".so.")).map((file) => file.parentPath))];
}
