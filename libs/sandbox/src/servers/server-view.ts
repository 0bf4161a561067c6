import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";

/** Programs and libraries of the system, and the little of `/etc` that they need: nothing in there is anyone's secret. */
const SYSTEM = [
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/usr/bin",
  "/usr/sbin",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/usr/libexec",
  "/usr/share",
  "/usr/local/bin",
  "/usr/local/lib",
  "/usr/local/share",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/mime.types",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];
const DEVICES = ["/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];
/** What may be written outside of a server's home. */
export const WRITABLE_DEVICE = "/dev/null";

/** The system's own folders: nothing in them is a server. */
const NOBODYS = ["/dev", "/proc", "/run", "/sys"];
/** A folder that holds one of these is too much to show. */
const TOO_MUCH = ["/etc", "/home", "/root", "/usr", "/var"];
/** The files by which the folder of a package, or of a Python environment, is known. */
const MARKS = ["package.json", "pyproject.toml", "pyvenv.cfg"];

/** What a server was told to start is not there, or lies where too much would be seen; the message is for people. */
export class UnseenServerError extends Error {
  override readonly name = "UnseenServerError";
}

/**
 * The files and folders that a server sees, none of which lies in another: the system's programs, the node that runs us, and
 * what the command and those of its arguments need that are absolute paths of something: a folder itself; a file's
 * outermost `node_modules`, else the folder of its package with every `node_modules` above, else its own folder.
 * Throws an UnseenServerError.
 */
export function viewOf(command: string, args: readonly string[]): string[] {
  if (!command.startsWith("/") || !existsSync(command))
    throw new UnseenServerError(`There is no ${command} on this worker's machine.`);
  const named = [command, ...args.filter((arg) => arg.startsWith("/") && existsSync(arg))];
  const own = named.flatMap((path) => [path, realpathSync(path)]).flatMap(foldersOf);
  for (const path of own) checkFolder(path);
  const paths = [...new Set([...SYSTEM, ...DEVICES, process.execPath, ...own])].filter((path) =>
    existsSync(path),
  );
  return paths.filter((path) => !paths.some((other) => other !== path && isIn(other, path)));
}

/** Whether a path is this folder or in it. */
const isIn = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function foldersOf(path: string): string[] {
  if (SYSTEM.some((folder) => isIn(folder, path))) return [];
  // Whoever is started by the node that runs us need not see what else is installed beside it.
  if (statSync(path).isDirectory() || realpathSync(path) === process.execPath) return [path];
  const [modules] = /^.*?\/node_modules(?=\/)/.exec(path) ?? [];
  if (modules !== undefined) return [modules];
  const above = foldersAbove(path);
  const home = above.find((folder) => MARKS.some((mark) => existsSync(join(folder, mark)))) ?? dirname(path);
  return [
    home,
    ...above.map((folder) => join(folder, "node_modules")).filter((folder) => existsSync(folder)),
  ];
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

function checkFolder(path: string): void {
  const isNobodys = NOBODYS.some((folder) => isIn(folder, path));
  const isSomebodys = dirname(path) === "/home";
  const shown = [...TOO_MUCH, tmpdir(), process.cwd()];
  if (!isNobodys && !isSomebodys && !shown.some((folder) => isIn(path, folder))) return;
  throw new UnseenServerError(
    `The server would see all of ${path}: put what it needs into a folder of its own, and name it by its path there.`,
  );
}
