import {
  build,
  type BuildFailure,
  type BuildOptions,
  type Message,
  type Metafile,
  type Plugin,
} from "esbuild";
import { join, relative, sep } from "node:path";
import type { TypeStripper } from "@bulkhead/core";
import { BundleFailure, type BundleFault, buildSafely } from "./bundle-failure.ts";
import { BUNDLE_MS_MAX } from "./bounds.ts";
import { BUILT_IN, moduleFiles, REFUSED } from "./module-files.ts";
import type { FolderFaultCode } from "./loaded-folder.ts";
import { strayImports } from "./stray-imports.ts";

/** A text that is bundled with all that it imports. */
export interface Entry {
  name: string;
  text: string;
}

export interface BundleOptions {
  /** Where the entries' imports are looked up. */
  resolveDir: string;
  within: string;
  /** Takes types out in threads, which a text may break. */
  stripper: Pick<TypeStripper, "strip">;
  pureSchemas: boolean;
  minify: boolean;
  /** Absolute paths of the files that were asked for, also where the bundle fails; added to. */
  read: Set<string>;
}

export interface Bundle {
  /** A script that declares `bulkhead`, the entry's exports. */
  code: string;
  map: string;
  /** Absolute paths of the files that are part of it, with their bytes there. */
  files: Map<string, number>;
  /** The modules of Node that it needs, each with the chain of files that leads there; in the order of names. */
  builtIns: { name: string; chain: string[] }[];
}

const ENTRY = "entry";

/** Bundles the entries, which share what they import. Throws `BundleFailure`. */
export async function bundle(entries: readonly Entry[], options: BundleOptions): Promise<Bundle[]> {
  const { resolveDir, minify } = options;
  const asked = {
    absWorkingDir: resolveDir,
    entryPoints: entries.map(({ name }) => ({ in: `${ENTRY}:${name}`, out: name })),
    outdir: "out",
    write: false,
    bundle: true,
    format: "iife",
    globalName: "bulkhead",
    platform: "browser",
    target: "es2024",
    // A bundle is read by people who approve it: only what would be too large is made short.
    minifyWhitespace: minify,
    minifySyntax: minify,
    minifyIdentifiers: minify,
    legalComments: "inline",
    charset: "utf8",
    // A bundle is the same whatever else lies around the module.
    tsconfigRaw: {},
    // Packages ask which build of theirs is wanted; tools have no other variables of an environment.
    define: { [["process", "env", "NODE_ENV"].join(".")]: '"production"' },
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    logLevel: "silent",
    plugins: [entryTexts(entries, resolveDir), moduleFiles(options)],
  } satisfies BuildOptions;
  const building = buildSafely(() => build(asked)).catch((error: BuildFailure | Error) => {
    throw "errors" in error
      ? new BundleFailure(error.errors.map((message) => faultOf(message, resolveDir)))
      : error;
  });
  const built = await within(building, BUNDLE_MS_MAX);
  const stray = await strayImports(built.metafile, resolveDir);
  if (stray.length > 0) throw new BundleFailure(stray);
  const texts = new Map(built.outputFiles.map(({ path, text }) => [path, text]));
  return entries.map(({ name }) => {
    const output = `out/${name}.js`;
    const path = join(resolveDir, output);
    return {
      code: texts.get(path) ?? "",
      map: texts.get(`${path}.map`) ?? "",
      ...partsOf(built.metafile, output, resolveDir),
    };
  });
}

/** A pipe in place of a package's file is waited for; whoever loads a folder is not. */
async function within<T>(building: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const message = `took more than ${ms / 1_000} s to be bundled`;
  const late = new BundleFailure([{ code: "import.failed", message, file: null, line: null, column: null }]);
  const timer = setTimeout(() => reject(late), ms);
  return Promise.race([building, promise]).finally(() => clearTimeout(timer));
}

function entryTexts(entries: readonly Entry[], resolveDir: string): Plugin {
  const texts = new Map(entries.map(({ name, text }) => [name, text]));
  return {
    name: "entry-texts",
    setup(building) {
      building.onResolve({ filter: /^entry:/ }, ({ path }) => ({
        path: path.slice(ENTRY.length + 1),
        namespace: ENTRY,
      }));
      building.onLoad({ filter: /.*/, namespace: ENTRY }, ({ path }) => ({
        contents: texts.get(path) ?? "",
        loader: "js",
        resolveDir,
      }));
    },
  };
}

function partsOf(
  { inputs, outputs }: Metafile,
  output: string,
  folder: string,
): Pick<Bundle, "files" | "builtIns"> {
  const files = new Map<string, number>();
  const builtIns: Bundle["builtIns"] = [];
  for (const [input, { bytesInOutput }] of Object.entries(outputs[output]?.inputs ?? {})) {
    if (bytesInOutput === 0) continue;
    const [namespace, name] = splitInput(input);
    if (namespace === BUILT_IN) builtIns.push({ name, chain: chainTo(input, inputs) });
    if (namespace === "") files.set(join(folder, input), bytesInOutput);
  }
  return { files, builtIns: builtIns.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

const splitInput = (input: string): [namespace: string, rest: string] => {
  const [, namespace, rest] = /^(entry|node-built-in|ai-sdk|empty):(.*)$/.exec(input) ?? [];
  return namespace === undefined ? ["", input] : [namespace, rest ?? ""];
};

/** The shortest way from an entry to the input, both included; entries are not named. */
function chainTo(target: string, inputs: Metafile["inputs"]): string[] {
  const importers = new Map<string, string>();
  const left = Object.keys(inputs).filter((input) => splitInput(input)[0] === ENTRY);
  for (const input of left) {
    for (const { path } of inputs[input]?.imports ?? []) {
      if (importers.has(path)) continue;
      importers.set(path, input);
      left.push(path);
    }
  }
  const chain: string[] = [];
  for (let at: string | undefined = target; at !== undefined; at = importers.get(at)) chain.unshift(at);
  return chain.filter((input) => splitInput(input)[0] !== ENTRY).map((input) => splitInput(input)[1]);
}

function faultOf({ text, location, detail, notes }: Message, folder: string): BundleFault {
  const refused = detail as { [REFUSED]: FolderFaultCode; path: string } | undefined;
  if (refused?.[REFUSED])
    return {
      code: refused[REFUSED],
      message: `imports ${relative(folder, refused.path).split(sep).join("/")}, which ${text}`,
      file: null,
      line: null,
      column: null,
    };
  const hint = notes[0]?.text;
  return {
    code: "import.failed",
    message: hint === undefined ? text : `${text} (${hint})`,
    file: location === null || splitInput(location.file)[0] !== "" ? null : join(folder, location.file),
    line: location?.line ?? null,
    column: location === null ? null : location.column + 1,
  };
}
