import { chmod, chown, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { PostgresBinaries } from "../postgres/postgres-binaries.ts";
import { runCommand } from "./run-command.ts";
import { StoreError } from "./store-error.ts";

/** A way to start PostgreSQL so that it sees itself as a user with a name who is not root; it refuses all others. */
export interface Unprivileged {
  /** Put before the command. */
  prefix: string[];
  /** The user it is started as; null for the user we are. */
  identity: { uid: number; gid: number } | null;
}

const PROBE_MS_MAX = 10_000;
const NOBODY = 65_534;
const PLAIN_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The command and arguments that start `command` in this way. */
export function commandLine(
  { prefix }: Unprivileged,
  command: string,
  args: string[],
): { command: string; args: string[] } {
  const [first, ...rest] = prefix;
  return first === undefined ? { command, args } : { command: first, args: [...rest, command, ...args] };
}

/**
 * The first of `ways` that works here, each tried for real on the store's own folder; its owner is set to match.
 * Throws a StoreError when none does.
 */
export async function chooseUnprivileged(
  binaries: PostgresBinaries,
  folder: string,
  ways?: readonly Unprivileged[],
): Promise<Unprivileged> {
  const refusals: string[] = [];
  for (const way of ways ?? (await waysHere(folder))) {
    await handOver(folder, way);
    const refusal = await probe(way, binaries, folder);
    if (refusal === null) return way;
    refusals.push(refusal);
  }
  throw new StoreError(
    "PostgreSQL refuses to run as root or as a user without a name, and no other identity works here. " +
      "Start Bulkhead as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.\n" +
      refusals.map((refusal) => `  ${refusal}`).join("\n"),
  );
}

const isRoot = (): boolean => process.getuid?.() === 0;

const OURSELVES: Unprivileged = { prefix: [], identity: null };
const AS_NOBODY: Unprivileged = { prefix: [], identity: { uid: NOBODY, gid: NOBODY } };
/** Inside we are `nobody`, outside still ourselves: the files stay ours, so any folder will do, closed homes too. */
const IN_NAMESPACE: Unprivileged = {
  prefix: ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
  identity: null,
};

/**
 * An ordinary user is one already, but for the nameless ones that some container platforms hand out. Root takes the
 * namespace; where those are forbidden, as in many containers, the user to whom the folder around the data folder
 * belongs (root at work in somebody's closed home), or `nobody` itself.
 */
async function waysHere(folder: string): Promise<Unprivileged[]> {
  if (!isRoot()) return [OURSELVES, IN_NAMESPACE];
  const { uid, gid } = await stat(dirname(dirname(folder)));
  if (uid === 0) return [IN_NAMESPACE, AS_NOBODY];
  const identity = { uid, gid };
  return [IN_NAMESPACE, { prefix: [], identity }, { ...IN_NAMESPACE, identity }, AS_NOBODY];
}

async function handOver(folder: string, { identity }: Unprivileged): Promise<void> {
  if (!isRoot()) return;
  await chown(folder, identity?.uid ?? 0, identity?.gid ?? 0);
  const dataDir = dirname(folder);
  const { uid, mode } = await stat(dataDir);
  // Another user must get through our data folder to its own; it still can't list it.
  if (identity !== null && uid === 0 && (mode & 0o777) === 0o700) await chmod(dataDir, 0o711);
}

/** Null when it works, else its output. `id -un` fails for a user without a name, as initdb would. */
async function probe(way: Unprivileged, binaries: PostgresBinaries, folder: string): Promise<string | null> {
  const test = '"$1" --version && id -un && test "$(id -u)" != 0 && test -w "$2" && test -x "$2"';
  const { command, args } = commandLine(way, "/bin/sh", ["-c", test, "sh", binaries.postgres, folder]);
  const run = await runCommand(command, args, {
    env: { PATH: PLAIN_PATH },
    // Not the store's folder: a user who can't reach it could not even be started there.
    cwd: "/",
    msMax: PROBE_MS_MAX,
    identity: way.identity,
  });
  if (run.code === 0) return null;
  const who = [`as user ${way.identity?.uid ?? process.getuid?.()}`, ...way.prefix].join(" ");
  return `${who}: ${run.output.trim() || `exit ${run.code}`}`;
}
