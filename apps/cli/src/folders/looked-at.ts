import type { Message, Metafile } from "esbuild";
import { dirname, join, resolve } from "node:path";
import { ENTRY, splitInput } from "./bundle-inputs.ts";
import { foldersOfPackages, lockOf, packageFolder } from "./read-lock.ts";

/** Absolute paths that a bundle depends on. */
export interface LookedAt {
  /** Files that were asked for, also where the bundle fails. */
  files: Set<string>;
  /** Folders that own files import from. */
  folders: Set<string>;
  /** Folders of packages' scopes that own files import from, which need not be there. */
  scopes: Set<string>;
  /** Folders in which a file or a package was looked for in vain. */
  sought: Set<string>;
}

export const newLookedAt = (): LookedAt => ({
  files: new Set(),
  folders: new Set(),
  scopes: new Set(),
  sought: new Set(),
});

/** What begins a path and not the name of a package. */
export const IS_PATH = /^\.{0,2}\/|^\.{1,2}$/;

/** Own files may get what they import from elsewhere once another file lies there. */
export function noteImports({ inputs }: Metafile, folder: string, { folders, scopes }: LookedAt): void {
  for (const [input, { imports }] of Object.entries(inputs)) {
    const [namespace] = splitInput(input);
    const from = namespace === "" ? dirname(join(folder, input)) : folder;
    if ((namespace !== "" && namespace !== ENTRY) || packageFolder(join(from, "file")) !== null) continue;
    for (const { original = "" } of imports) {
      if (IS_PATH.test(original)) folders.add(dirname(resolve(from, original)));
      else for (const scope of scopesOf(original, from)) scopes.add(scope);
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

/** All that may make a bundle another one, by how it is looked at: what is in files, what is in folders, when folders changed. */
export interface DependsOn {
  files: string[];
  folders: string[];
  times: string[];
}

export function dependsOn(looked: LookedAt): DependsOn {
  const files = new Set(looked.files);
  const times = new Set(looked.scopes);
  for (const folder of new Set([...looked.files].map(dirname))) {
    const ofPackage = packageFolder(join(folder, "file"));
    for (const above of upTo(folder, ofPackage)) files.add(join(above, "package.json"));
    for (const path of foldersOfPackages(ofPackage ?? folder)) times.add(path);
    if (ofPackage === null) continue;
    times.add(folder).add(dirname(ofPackage));
    files.add(lockOf(ofPackage));
  }
  return { files: [...files], folders: [...looked.folders], times: [...times] };
}

/** The folder and those above it, as far as `last`; null: all. */
function upTo(folder: string, last: string | null): string[] {
  const above = dirname(folder);
  return folder === last || above === folder ? [folder] : [folder, ...upTo(above, last)];
}
