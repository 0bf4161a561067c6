import { build, type BuildOptions, type Plugin } from "esbuild";
import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The oldest Node that a program runs on, whatever the repository itself runs on. */
const NODE = "20";
/** What has a binary for each system, and is installed beside the program. */
const INSTALLED = ["esbuild"];

export interface Program {
  /** The command, whose file is `src/main.ts`. */
  name: string;
  /** Modules that other programs import, by the name behind the package's: files in `src`. */
  doors: Readonly<Record<string, string>>;
  /** Files that it reads when it runs, as they are: absolute paths. */
  reads: readonly string[];
}

/** What packing looks at in a package's `package.json`; the other fields stay as they are. */
export interface PackageManifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/**
 * Writes a package's program: a module with Node's own line at its head, those that only some commands need, and those that are
 * programs of their own; and a manifest that depends on nothing but what can't be packed.
 */
export const writeProgram =
  ({ name, doors, reads }: Program) =>
  async (
    folder: string,
    staged: string,
    { name: packageName, version, dependencies = {} }: PackageManifest,
  ): Promise<void> => {
    const entries = { [name]: "main.ts", ...doors };
    const started = new Map<string, string>();
    await build({
      ...OPTIONS,
      entryPoints: Object.fromEntries(
        Object.entries(entries).map(([out, file]) => [out, join(folder, "src", file)]),
      ),
      outdir: join(staged, "dist"),
      splitting: true,
      banner: { js: REQUIRE },
      plugins: [startedFiles(started)],
    });
    // Each is one file: what it is allowed to read is itself.
    for (const [out, path] of started) await writeStarted(path, join(staged, "dist", out), started);
    for (const file of reads) await copyFile(file, join(staged, "dist", basename(file)));
    const file = `dist/${name}.js`;
    await chmod(join(staged, file), 0o755);
    const manifest = {
      name: packageName,
      version,
      license: "UNLICENSED",
      type: "module",
      engines: { node: `>=${NODE}` },
      files: ["dist"],
      bin: { [name]: file },
      exports: Object.fromEntries(Object.keys(doors).map((door) => [`./${door}`, `./dist/${door}.js`])),
      dependencies: Object.fromEntries(INSTALLED.map((one) => [one, dependencies[one]])),
    };
    await writeFile(join(staged, "package.json"), JSON.stringify(manifest, null, 2));
  };

/** For packages that ask for modules of Node's the older way. */
const REQUIRE = `import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);`;

const OPTIONS = {
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: `node${NODE}`,
  charset: "utf8",
  legalComments: "linked",
  external: INSTALLED,
} satisfies BuildOptions;

async function writeStarted(path: string, outfile: string, started: Map<string, string>): Promise<void> {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: [path],
    outfile,
    plugins: [startedFiles(started), ownStripper],
    write: false,
    metafile: true,
  });
  // What asks for nothing of Node's may run where there is none.
  const head = Object.values(metafile.inputs).some(({ format }) => format === "cjs") ? `${REQUIRE}\n` : "";
  for (const { path: file, text } of outputFiles)
    await writeFile(file, file === outfile ? head + text : text);
}

/** A file that a module starts, or reads, by its address beside itself. */
const BESIDE = /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g;

/** Files that are started get a file of their own beside the program, which is added to `started` by its name. */
function startedFiles(started: Map<string, string>): Plugin {
  return {
    name: "started-files",
    setup(building) {
      building.onLoad({ filter: /[\\/](?:apps|libs)[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replaceAll(BESIDE, (_whole, name: string) => {
          started.set(`${name}.mjs`, join(dirname(path), `${name}.ts`));
          return `new URL("./${name}.mjs", import.meta.url)`;
        });
        return { contents, loader: "ts" };
      });
    },
  };
}

/** Node's own stripper of types is not there in each Node, and not the same in all. */
const ownStripper: Plugin = {
  name: "own-stripper",
  setup(building) {
    building.onResolve({ filter: /^node:module$/ }, ({ importer }) =>
      basename(importer, extname(importer)) === "strip-body"
        ? { path: fileURLToPath(new URL("./strip-types.ts", import.meta.url)) }
        : null,
    );
  },
};
