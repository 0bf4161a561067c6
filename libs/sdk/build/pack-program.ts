import { build, type OutputFile, type Plugin } from "esbuild";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** The fields of a package's `package.json` that packing looks at; it keeps the others as they are. */
export interface PackageManifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** What is published to be started. */
export interface Program {
  /** Its package, whose `src/main.ts` is the program. */
  folder: string;
  name: string;
  /** Libraries that can't be part of another file; whoever installs the program gets them beside it. */
  beside: readonly string[];
  /** Files that it reads when it runs, under their own names. */
  reads: readonly string[];
}

/** The oldest Node that a program runs on, whatever the repository itself runs on. */
const NODE = "20";

/**
 * Writes a program: modules with all that they import, what it starts as processes and threads in modules of their own, and a
 * manifest that depends on what is `beside` it alone. What only some commands need is loaded when they run.
 */
export const writeProgram =
  ({ name, beside, reads }: Program) =>
  async (folder: string, staged: string, manifest: PackageManifest): Promise<void> => {
    const modules = await buildModules(join(folder, "src", "main.ts"), {
      name,
      beside,
      outdir: join(staged, "dist"),
    });
    await mkdir(join(staged, "dist"));
    for (const { path, contents } of modules) await writeFile(path, contents);
    for (const file of reads) await copyFile(file, join(staged, "dist", basename(file)));
    await chmod(join(staged, "dist", `${name}.js`), 0o755);
    const published = {
      name: manifest.name,
      version: manifest.version,
      license: "UNLICENSED",
      type: "module",
      engines: { node: `>=${NODE}` },
      files: ["dist"],
      bin: { [name]: `dist/${name}.js` },
      dependencies: Object.fromEntries(beside.map((one) => [one, manifest.dependencies?.[one]])),
    };
    await writeFile(join(staged, "package.json"), JSON.stringify(published, null, 2));
  };

interface Modules {
  name: string;
  beside: readonly string[];
  outdir: string;
}

/** Libraries that are no modules ask for Node's own by `require`, which modules don't have. */
const REQUIRE = `const require = globalThis.process?.getBuiltinModule("module").createRequire(import.meta.url);`;

/** Builds again as long as what was built starts a further file. */
async function buildModules(main: string, { name, beside, outdir }: Modules): Promise<OutputFile[]> {
  const entries = new Map([[main, name]]);
  const started = (file: string): void => {
    const called = basename(file, ".ts");
    const other = [...entries].find(([path, taken]) => taken === called && path !== file);
    if (other !== undefined) throw new Error(`${file} and ${other[0]} would be one file`);
    entries.set(file, called);
  };
  for (;;) {
    const before = entries.size;
    const { outputFiles } = await build({
      entryPoints: [...entries].map(([file, out]) => ({ in: file, out })),
      outdir,
      write: false,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "node",
      target: `node${NODE}`,
      charset: "utf8",
      legalComments: "linked",
      banner: { js: REQUIRE },
      external: [...beside],
      plugins: [startedFiles(started)],
    });
    if (entries.size === before) return outputFiles;
  }
}

const STARTED = /new URL\("(\.\/[\w-]+)\.ts", import\.meta\.url\)/g;

/** All modules lie in one folder: a file that one of them starts is beside it, as JavaScript. */
const startedFiles = (tell: (file: string) => void): Plugin => ({
  name: "started-files",
  setup(building) {
    building.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replaceAll(STARTED, (_, file: string) => {
        tell(resolve(dirname(path), `${file}.ts`));
        return `new URL("${file}.js", import.meta.url)`;
      });
      return { contents, loader: "ts" };
    });
  },
});
