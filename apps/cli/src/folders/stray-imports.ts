import type { Metafile } from "esbuild";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { BundleFault } from "./bundle-failure.ts";
import { splitInput } from "./bundle-inputs.ts";
import { IS_PATH } from "./looked-at.ts";
import { foldersOfPackages, packageFolder } from "./read-lock.ts";

/** A name of a package, and what comes behind it. */
const BARE = /^((?:@[^/]+\/)?[^./][^/]*)(?:\/|$)/;

/**
 * Imports by which a package would take the developer's own files along: its files import own ones, or its name leads out of it;
 * and those by which a path leads into packages that no name would lead to. Own files import each other and packages as they
 * like; a package that is linked in is where its link leads.
 */
export async function strayImports({ inputs }: Metafile, folder: string): Promise<BundleFault[]> {
  const faults: BundleFault[] = [];
  const told = (file: string): string => relative(folder, file).split(sep).join("/");
  for (const [input, { imports }] of Object.entries(inputs)) {
    if (splitInput(input)[0] !== "") continue;
    const importer = join(folder, input);
    for (const { path, original = "", external } of imports) {
      if (external || splitInput(path)[0] !== "") continue;
      const target = join(folder, path);
      const why =
        packageFolder(target) === null
          ? (await isStray(importer, original, target)) && "a file that is not the package's"
          : IS_PATH.test(original) && isForeign(importer, target) && "a file of another folder's packages";
      if (why === false) continue;
      const message = `imports ${original}, by which ${told(importer)} takes ${told(target)} along, ${why}`;
      faults.push({ code: "import.outside", message, file: null, line: null, column: null });
    }
  }
  return faults;
}

async function isStray(importer: string, original: string, target: string): Promise<boolean> {
  if (packageFolder(importer) !== null) return true;
  const [, name] = BARE.exec(original) ?? [];
  return name !== undefined && !(await isLinked(name, dirname(importer), target));
}

/** Whether a path leads to packages that the importing file could not name. */
const isForeign = (importer: string, target: string): boolean =>
  !foldersOfPackages(dirname(importer)).some((folder) => target.startsWith(`${folder}${sep}`));

/** Whether the folder of a package of this name is a link to where the file lies. */
async function isLinked(name: string, from: string, file: string): Promise<boolean> {
  for (let at = from; ; at = dirname(at)) {
    const linked = await realpath(join(at, "node_modules", name)).catch(() => null);
    if (linked !== null) return file.startsWith(`${linked}${sep}`);
    if (dirname(at) === at) return false;
  }
}
