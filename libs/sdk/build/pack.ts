import { build } from "esbuild";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type PackageManifest, type Program, writeProgram } from "./pack-program.ts";

const root = resolve(import.meta.dirname, "..", "..", "..");
const run = promisify(execFile);
const TOOL_GLOBALS = join(root, "libs/contracts/src/tool-globals");

/** What is published: a package's folder, and its entries by the name under which `exports` has them. */
const PACKAGES: readonly { folder: string; entries: Readonly<Record<string, string>> }[] = [
  { folder: "libs/sdk/client", entries: { ".": "index", "./react": "react" } },
  { folder: "libs/sdk/ai-sdk", entries: { ".": "index" } },
];

/** What is published to be started: a package's folder, and its program. */
const PROGRAMS: readonly (Program & { folder: string })[] = [
  {
    folder: "apps/cli",
    name: "bulkhead",
    doors: { folders: "folders.ts" },
    // What a tool's code sees, as TypeScript.
    reads: readdirSync(TOOL_GLOBALS)
      .filter((name) => name.endsWith("-types.ts"))
      .map((name) => join(TOOL_GLOBALS, name)),
  },
];

/** The oldest that code is written for: Node 20, and browsers of its time. */
const TARGET = "es2022";

type Write = (folder: string, staged: string, manifest: PackageManifest) => Promise<unknown>;

/** Packs a package into a folder, and gives the path of the tarball. */
export async function packPackage(folder: string, into: string): Promise<string> {
  const { entries } = PACKAGES.find((known) => known.folder === folder) ?? {};
  if (entries === undefined) throw new Error(`${folder} is no package that is published`);
  const [tarball = ""] = await pack([{ folder, write: writePackage(entries) }], into);
  return tarball;
}

/** Packs every package and program into a folder, and gives the paths of the tarballs. */
export const packAll = (into: string): Promise<string[]> =>
  pack(
    [
      ...PACKAGES.map(({ folder, entries }) => ({ folder, write: writePackage(entries) })),
      ...PROGRAMS.map(({ folder, ...program }) => ({ folder, write: writeProgram(program) })),
    ],
    into,
  );

/** By one start of npm, which takes longer than what it does. */
async function pack(published: readonly { folder: string; write: Write }[], into: string): Promise<string[]> {
  await mkdir(into, { recursive: true });
  const home = await mkdtemp(join(tmpdir(), "bulkhead-sdk-"));
  try {
    const staged: string[] = [];
    for (const { folder, write } of published)
      staged.push(await stage(folder, join(home, String(staged.length)), write));
    const flags = ["--pack-destination", resolve(into), "--json", "--ignore-scripts"];
    const { stdout } = await run("npm", ["pack", ...staged, ...flags]);
    const packed = JSON.parse(stdout) as { filename: string }[];
    if (packed.length !== staged.length) throw new Error(`npm packed ${packed.length} of ${staged.length}`);
    return packed.map(({ filename }) => join(resolve(into), filename));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Writes what is published of a folder, and gives its place back. */
async function stage(path: string, staged: string, write: Write): Promise<string> {
  const folder = join(root, path);
  await mkdir(staged);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as PackageManifest;
  const readme = await readFile(join(folder, "README.md"), "utf8");
  await writeFile(join(staged, "README.md"), publishedReadme(readme, path));
  await write(folder, staged, manifest);
  return staged;
}

/** The rest is for whoever changes the package. */
const README_END = "\n## In this repository\n";
const RELATIVE_LINK = /\]\((?!https?:|#)/;

/** Without the part whose links only lead somewhere in the repository. */
function publishedReadme(text: string, folder: string): string {
  const [readme = "", repository] = text.split(README_END);
  if (repository === undefined || RELATIVE_LINK.test(readme))
    throw new Error(`the README of ${folder} has links into the repository before "In this repository"`);
  return readme;
}

const writePackage =
  (entries: Readonly<Record<string, string>>): Write =>
  (folder, staged, manifest) =>
    Promise.all([
      writeCode(folder, entries, staged, manifest),
      writeTypes(folder, staged),
      writeFile(join(staged, "package.json"), JSON.stringify(publishedManifest(manifest, entries), null, 2)),
    ]);

/** One module an entry; what several entries need is in modules beside them. Libraries stay what they are. */
async function writeCode(
  folder: string,
  entries: Readonly<Record<string, string>>,
  staged: string,
  { dependencies = {}, peerDependencies = {} }: PackageManifest,
): Promise<void> {
  await build({
    entryPoints: Object.values(entries).map((entry) => join(folder, "src", `${entry}.ts`)),
    outdir: join(staged, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: TARGET,
    charset: "utf8",
    external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  });
}

const writeTypes = (folder: string, staged: string) =>
  run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder, "--outDir", join(staged, "types")]);

const publishedManifest = (
  { private: _private, exports: _exports, devDependencies: _devDependencies, ...manifest }: PackageManifest,
  entries: Readonly<Record<string, string>>,
) => ({
  ...manifest,
  files: ["dist", "types"],
  exports: Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      { types: `./types/${entry}.d.ts`, default: `./dist/${entry}.js` },
    ]),
  ),
});
