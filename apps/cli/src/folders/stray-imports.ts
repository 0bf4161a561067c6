import type { Metafile } from "esbuild";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { BundleFault } from "./bundle-failure.ts";
import { packageFolder } from "./read-lock.ts";

/** A name of a package, and what comes behind it. */
const BARE = /^((?:@[^/]+\/)?[^./][^/]*)(?:\/|$)/;

/**
 * Imports by which a package would take the developer's own files along: its files import own ones, or its name leads out of it.
 * Own files import each other and packages as they like; a package that is linked in is where its link leads.
 */
export async function strayImports({ inputs }: Metafile, folder: string): Promise<BundleFault[]> {
  const faults: BundleFault[] = [];
  for (const [input, { imports }] of Object.entries(inputs)) {
    for (const { path, original = "", external } of imports) {
      const target = join(folder, path);
      if (external || path.includes(":") || packageFolder(target) !== null) continue;
      const importer = join(folder, input);
      const [, name] = BARE.exec(original) ?? [];
      const isStray =
        packageFolder(importer) !== null ||
        (name !== undefined && !(await isLinked(name, dirname(importer), target)));
      if (!isStray) continue;
      const told = (file: string): string => relative(folder, file).split(sep).join("/");
      const message = `imports ${original}, by which ${told(importer)} takes ${told(target)} along, a file that is not the package's`;
      faults.push({ code: "import.outside", message, file: null, line: null, column: null });
    }
  }
  return faults;
}

/** Whether the folder of a package of this name is a link to where the file lies. */
async function isLinked(name: string, from: string, file: string): Promise<boolean> {
  for (let at = from; ; at = dirname(at)) {
    const linked = await realpath(join(at, "node_modules", name)).catch(() => null);
    if (linked !== null) return file.startsWith(`${linked}${sep}`);
    if (dirname(at) === at) return false;
  }
}
