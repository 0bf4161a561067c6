import type { BundledPackage } from "@bulkhead/tools/folders";
import { basename, dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import { LOCK_BYTES_MAX } from "./bounds.ts";
import { compare } from "./fault-list.ts";
import { readText, RefusedFile } from "./read-file.ts";

/** Names and hashes become part of a line of code: what could end the line is none. */
const word = z.string().max(300).regex(/^\S+$/);
const Lock = z.object({
  packages: z.record(z.string(), z.object({ name: word.optional(), integrity: word.optional() })),
});
const PackageFile = z.object({ version: word });
/** Of a package that says none: it is named all the same. */
const NO_VERSION = "unknown";

const MODULES = `${sep}node_modules${sep}`;

/** Names the packages of files, with the hashes of npm's lock files; what was read is remembered. */
export interface PackageReader {
  /** Sorted by name and version. Files of no package are passed over. */
  packagesOf(files: readonly string[]): Promise<BundledPackage[]>;
}

export function openPackageReader(): PackageReader {
  const locks = new Map<string, Promise<z.infer<typeof Lock> | null>>();
  const packages = new Map<string, Promise<BundledPackage>>();
  const lockAt = (file: string) => {
    const known = locks.get(file) ?? readJson(file, Lock, LOCK_BYTES_MAX);
    locks.set(file, known);
    return known;
  };
  const read = async (folder: string): Promise<BundledPackage> => {
    const said = await readJson(join(folder, "package.json"), PackageFile);
    const file = lockOf(folder);
    const lock = await lockAt(file);
    const key = relative(dirname(file), folder).split(sep).join("/");
    const locked = lock === null || !Object.hasOwn(lock.packages, key) ? {} : lock.packages[key];
    // A package may say that it is another: the lock file says what it is, else the folder that it is asked for by.
    return {
      name: locked?.name ?? nameOf(folder),
      version: said?.version ?? NO_VERSION,
      integrity: locked?.integrity ?? null,
    };
  };
  return {
    async packagesOf(files) {
      const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
      const found = await Promise.all(
        [...folders].map((folder) => {
          const known = packages.get(folder) ?? read(folder);
          packages.set(folder, known);
          return known;
        }),
      );
      return found.toSorted(
        (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
      );
    },
  };
}

/** `@x/y` of `/a/node_modules/@x/y`. */
const nameOf = (folder: string): string =>
  folder
    .slice(folder.lastIndexOf(MODULES) + MODULES.length)
    .split(sep)
    .join("/")
    .replaceAll(/\s/g, "_");

/** `/a/node_modules/@x/y` of a file in it; null for a file of no package. */
export function packageFolder(file: string): string | null {
  const at = file.lastIndexOf(MODULES);
  if (at < 0) return null;
  const start = at + MODULES.length;
  const [first = "", second = ""] = file.slice(start).split(sep);
  return file.slice(0, start) + (first.startsWith("@") ? join(first, second) : first);
}

/** npm's lock file that has a package's folder: it lies beside the outermost folder of packages. */
export const lockOf = (folder: string): string =>
  join(folder.slice(0, folder.indexOf(MODULES)), "package-lock.json");

/** Where the packages that a file in the folder names may lie, the nearest first. */
export function foldersOfPackages(folder: string): string[] {
  const above = dirname(folder);
  const own = basename(folder) === "node_modules" ? [] : [join(folder, "node_modules")];
  return above === folder ? own : [...own, ...foldersOfPackages(above)];
}

/** Null where there is no such file, or one that says something else: then the developer has no lock of this kind. */
async function readJson<T extends z.ZodType>(
  path: string,
  shape: T,
  bytesMax?: number,
): Promise<z.infer<T> | null> {
  try {
    return shape.safeParse(JSON.parse(await readText(path, bytesMax))).data ?? null;
  } catch (error) {
    if (error instanceof RefusedFile || error instanceof SyntaxError) return null;
    throw error;
  }
}
