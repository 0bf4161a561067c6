import type { Message, Metafile } from "esbuild";
import { dirname, join, resolve } from "node:path";
import { ENTRY, splitInput } from "./bundle-inputs.ts";
import type { DependsOn } from "./depends-on.ts";
import { foldersOfPackages, lockOf, packageFolder } from "./read-lock.ts";

/** Absolute paths that a bundle depends on. */
export interface LookedAt {
  /** Files that were asked for, also where the bundle fails. */
  files: Set<string>;
  /** Folders that own files import from, and those where what they import was found. */
  folders: Set<string>;
  /** Folders in which packages that own files import may lie, and of their scopes; they need not be there. */
  packages: Set<string>;
  /** Folders in which a file or a package was looked for in vain. */
  sought: Set<string>;
}

export const newLookedAt = (): LookedAt => ({
  files: new Set(),
  folders: new Set(),
  packages: new Set(),
  sought: new Set(),
});

/** What begins a path and not the name of a package. */
export const IS_PATH = /^\.{0,2}\/|^\.{1,2}$/;

/** Own files may get what they import from elsewhere once another file lies there. */
export function noteImports({ inputs }: Metafile, folder: string, { folders, packages }: LookedAt): void {
  for (const [input, { imports }] of Object.entries(inputs)) {
    const [namespace] = splitInput(input);
    const from = namespace === "" ? dirname(join(folder, input)) : folder;
    if ((namespace !== "" && namespace !== ENTRY) || packageFolder(join(from, "file")) !== null) continue;
    for (const { original = "", path, external } of imports) {
      if (IS_PATH.test(original)) folders.add(dirname(resolve(from, original)));
      else for (const one of [...foldersOfPackages(from), ...scopesOf(original, from)]) packages.add(one);
      const found = join(folder, path);
      const isOwn = !external && splitInput(path)[0] === "" && packageFolder(found) === null;
      // A folder that is imported may get another index.
      if (isOwn) folders.add(dirname(found));
    }
  }
}

/** Where the files and packages would come that are not there yet. */
export function noteFailed(errors: readonly Message[], folder: string, { sought }: LookedAt): void {
  for (const { text, location } of errors) {
    const [, specifier] = /^Could not resolve "([^"\\]+)"/.exec(text) ?? [];
    if (specifier === undefined) continue;
    const isOfFile = location !== null && splitInput(location.file)[0] === "";
    const from = isOfFile ? dirname(join(folder, location.file)) : folder;
    if (IS_PATH.test(specifier)) sought.add(dirname(resolve(from, specifier)));
    else for (const path of [...foldersOfPackages(from), ...scopesOf(specifier, from)]) sought.add(path);
  }
}

/** Where a package with a scope may lie. */
function scopesOf(specifier: string, from: string): string[] {
  const [scope] = /^@[^/\\]+(?=\/)/.exec(specifier) ?? [];
  return scope === undefined ? [] : foldersOfPackages(from).map((path) => join(path, scope));
}

export function dependsOn(looked: LookedAt): DependsOn {
  const files = new Set(looked.files);
  const times = new Set(looked.packages);
  for (const folder of new Set([...looked.files].map(dirname))) {
    const ofPackage = packageFolder(join(folder, "file"));
    const above = upTo(folder, ofPackage);
    for (const one of above) files.add(join(one, "package.json"));
    for (const path of foldersOfPackages(ofPackage ?? folder)) times.add(path);
    if (ofPackage === null) continue;
    for (const one of [...above, dirname(ofPackage)]) times.add(one);
    files.add(lockOf(ofPackage));
  }
  return { files: [...files], folders: [...looked.folders], times: [...times] };
}

/** The folder and those above it, as far as `last`; null: all. */
function upTo(folder: string, last: string | null): string[] {
  const above = dirname(folder);
  return folder === last || above === folder ? [folder] : [folder, ...upTo(above, last)];
}
