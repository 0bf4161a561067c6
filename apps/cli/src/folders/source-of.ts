import { dirname, join } from "node:path";
import type { ModuleDeps, ModuleSource } from "./module-source.ts";
import { readText } from "./read-file.ts";

/** The module of a file, by its path in the folder. Throws `RefusedFile`. */
export async function sourceOf(
  { root }: Pick<ModuleDeps, "root">,
  file: string,
  choice: ModuleSource["choice"],
): Promise<ModuleSource> {
  const specifier = join(root, file);
  return { specifier, file, text: await readText(specifier), resolveDir: dirname(specifier), choice };
}
