import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { FILE_BYTES_MAX } from "./bounds.ts";
import { IS_PATH } from "./looked-at.ts";
import { RefusedFile } from "./read-file.ts";
import { foldersOfPackages } from "./read-lock.ts";

/** What the bundler reads by itself, whole and before anybody is asked, of each folder on the way to a file. */
const MANIFESTS = ["package.json", ".pnp.data.json", ".pnp.cjs", ".pnp.js"];
const NAME = /^(?:@[^/]+\/)?[^/]+/;

export interface ManifestCheck {
  /** Throws `RefusedFile`, naming the file, where one that the import makes the bundler read is too large, or no file. */
  before(specifier: string, from: string): void;
}

/** Looks at each folder once. */
export function openManifestCheck(within: string): ManifestCheck {
  const seen = new Set<string>();
  const look = (folder: string): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const name of MANIFESTS) requireSmall(join(folder, name));
    // What lies around is not the folder's owner's.
    if (folder.startsWith(`${within}${sep}`)) look(dirname(folder));
  };
  return {
    before(specifier, from) {
      if (IS_PATH.test(specifier)) return look(dirname(resolve(from, specifier)));
      const [name] = NAME.exec(specifier) ?? [];
      if (name === undefined) return;
      for (const folder of foldersOfPackages(from)) look(join(folder, name));
    },
  };
}

function requireSmall(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return;
  if (!found.isFile()) throw new RefusedFile("file.kind", `needs ${basename(path)}, which is no plain file`);
  if (found.size > FILE_BYTES_MAX)
    throw new RefusedFile(
      "file.too_large",
      `needs ${basename(path)}, which is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`,
    );
}
