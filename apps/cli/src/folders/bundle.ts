import { build, type BuildFailure, type BuildOptions, type Message, type Plugin } from "esbuild";
import { join, relative, sep } from "node:path";
import type { TypeStripper } from "@bulkhead/core";
import { missingOfAiSdk } from "./ai-sdk-module.ts";
import { type BundleParts, ENTRY, partsOf, splitInput } from "./bundle-inputs.ts";
import { BundleFailure, type BundleFault, buildSafely } from "./bundle-failure.ts";
import { BUNDLE_MS_MAX } from "./bounds.ts";
import { missingImport } from "./missing-import.ts";
import { moduleFiles, REFUSED } from "./module-files.ts";
import type { FolderFaultCode } from "./loaded-folder.ts";
import { type LookedAt, noteFailed, noteImports } from "./looked-at.ts";
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
  /** Added to. */
  looked: LookedAt;
}

export interface Bundle extends BundleParts {
  /** A script that declares `bulkhead`, the entry's exports. */
  code: string;
  map: string;
}

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
    plugins: [entryTexts(entries, resolveDir), moduleFiles({ ...options, read: options.looked.files })],
  } satisfies BuildOptions;
  const building = buildSafely(() => build(asked)).catch((error: BuildFailure | Error) => {
    if (!("errors" in error)) throw error;
    noteFailed(error.errors, resolveDir, options.looked);
    throw new BundleFailure(error.errors.map((message) => faultOf(message, resolveDir)));
  });
  const built = await within(building, BUNDLE_MS_MAX);
  noteImports(built.metafile, resolveDir, options.looked);
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
  const message = `took more than ${ms / 1_000} s to be bundled`;
  const late = new BundleFailure([{ code: "import.failed", message, file: null, line: null, column: null }]);
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  return Promise.race([building, end]).finally(() => clearTimeout(timer));
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

function faultOf(said: Message, folder: string): BundleFault {
  const { text, location, detail, notes } = said;
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
    message: missingOfAiSdk(text) ?? missingImport(said) ?? (hint === undefined ? text : `${text} (${hint})`),
    file: location === null || splitInput(location.file)[0] !== "" ? null : join(folder, location.file),
    line: location?.line ?? null,
    column: location === null ? null : location.column + 1,
  };
}
