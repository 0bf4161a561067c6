import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** The oldest Node that a program runs on, whatever the repository itself runs on. */
const NODE = "20";

interface Manifest {
  name: string;
  version: string;
  [field: string]: unknown;
}

/**
 * Writes a package's program: one module with all that it imports and Node's own line at its head, and a manifest that depends
 * on nothing. What only some commands need is in the module, too, and runs when they do.
 */
export const writeProgram =
  (name: string) =>
  async (folder: string, staged: string, { name: packageName, version }: Manifest): Promise<void> => {
    const file = `dist/${name}.js`;
    await build({
      entryPoints: [join(folder, "src", "main.ts")],
      outfile: join(staged, file),
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      target: `node${NODE}`,
      charset: "utf8",
      legalComments: "linked",
    });
    await chmod(join(staged, file), 0o755);
    const manifest = {
      name: packageName,
      version,
      license: "UNLICENSED",
      type: "module",
      engines: { node: `>=${NODE}` },
      files: ["dist"],
      bin: { [name]: file },
    };
    await writeFile(join(staged, "package.json"), JSON.stringify(manifest, null, 2));
  };
