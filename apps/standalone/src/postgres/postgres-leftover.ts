import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clearLeftover } from "../stores/leftover.ts";
import { readIfThere } from "../stores/private-folder.ts";
import { systemCode } from "../stores/system-code.ts";

/** Above every process number that Linux (4,194,304) or macOS (99,998) hands out. */
const PID_OF_NOBODY = 4_194_305;

/** A socket and the lock beside it, which a killed server leaves behind; each start has a port of its own. */
const SOCKET_FILE = /^\.s\.PGSQL\.\d+(?:\.lock)?$/u;

/** Ends a postmaster that an earlier owner left behind on this folder, removes its sockets, and makes its pid file harmless. */
export async function clearPostgresLeftover(folder: string, stopMsMax: number): Promise<void> {
  const cluster = join(folder, "cluster");
  const pidFile = join(cluster, "postmaster.pid");
  await clearLeftover({
    storeName: "PostgreSQL",
    folder,
    pidFile,
    isStore: (command) => command.includes(cluster),
    stopSignal: "SIGINT",
    stopMsMax,
  });
  const sockets = (await readdir(folder)).filter((name) => SOCKET_FILE.test(name));
  await Promise.all(sockets.map((name) => rm(join(folder, name), { force: true })));
  const [pid = "", ...rest] = ((await readIfThere(pidFile)) ?? "").split("\n");
  if (!isTaken(Number.parseInt(pid, 10))) return;
  // The number belongs to a stranger by now, or to a zombie that nobody has waited for; PostgreSQL would take either for a
  // living postmaster and refuse. The other lines stay: with them it makes sure that no backend of the old server still
  // holds the shared memory, which removing the file would forgo.
  await writeFile(pidFile, [String(PID_OF_NOBODY), ...rest].join("\n"));
}

/** As PostgreSQL itself asks: whether a signal could be sent. */
function isTaken(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return systemCode(cause) === "EPERM";
  }
}
