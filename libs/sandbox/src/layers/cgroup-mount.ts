import { dirname, join } from "node:path";

/** Where this process's memory cgroup is. */
export interface CgroupMount {
  version: 1 | 2;
  /** The folders in which a group may be tried, the worker's own first, then those above it. */
  folders: string[];
}

interface Mount {
  root: string;
  point: string;
  type: string;
  options: string[];
}

/**
 * From /proc/self/mountinfo and /proc/self/cgroup. Where the memory controller is mounted alone it is version 1's, even
 * beside a version 2 tree: a controller belongs to one of them. Null where there is neither.
 */
export function cgroupMount(mountInfo: string, cgroup: string): CgroupMount | null {
  const mounts = parseMounts(mountInfo);
  const first = mounts.find(({ type, options }) => type === "cgroup" && options.includes("memory"));
  if (first !== undefined) return { version: 1, folders: foldersOf(first, pathOf(cgroup, "memory")) };
  const second = mounts.find(({ type }) => type === "cgroup2");
  return second === undefined ? null : { version: 2, folders: foldersOf(second, pathOf(cgroup, null)) };
}

function parseMounts(mountInfo: string): Mount[] {
  return mountInfo.split("\n").flatMap((line) => {
    const [left = "", right = ""] = line.split(" - ");
    const [, , , root, point] = left.split(" ");
    const [type, , options] = right.split(" ");
    if (root === undefined || point === undefined || type === undefined) return [];
    return [{ root: unescape(root), point: unescape(point), type, options: (options ?? "").split(",") }];
  });
}

/** The kernel writes blanks and backslashes of a path as three octal digits. */
const unescape = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** This process's path in one hierarchy; null asks for version 2's, whose line names no controller. */
function pathOf(cgroup: string, controller: string | null): string {
  for (const line of cgroup.split("\n")) {
    const [, id = "", controllers = "", path = "/"] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (controller === null ? id === "0" : controllers.split(",").includes(controller)) return path;
  }
  return "/";
}

/** A container may see only a part of the tree, mounted from `root` on: paths outside it mean the part's top. */
function foldersOf({ root, point }: Mount, path: string): string[] {
  const prefix = root === "/" ? "" : root;
  const inside = path.startsWith(`${prefix}/`) && !path.includes("..") ? path.slice(prefix.length) : "/";
  const folders: string[] = [];
  for (let folder = join(point, inside); ; folder = dirname(folder)) {
    folders.push(folder === `${point}/` ? point : folder);
    if (folders.at(-1) === point || folder === "/") return folders;
  }
}
