import type { TypeStripper } from "@bulkhead/core";
import type { Loader, OnLoadResult, OnResolveArgs, PartialMessage, Plugin } from "esbuild";
import { isBuiltin } from "node:module";
import { extname, isAbsolute, resolve, sep } from "node:path";
import { AI_SDK, AI_SDK_TEXT } from "./ai-sdk-module.ts";
import { GRAPH_BYTES_MAX } from "./bounds.ts";
import { BUILT_IN } from "./bundle-inputs.ts";
import { openManifestCheck } from "./check-manifests.ts";
import { withToolNames } from "./package-names.ts";
import { withPureSchemas } from "./pure-schemas.ts";
import { readText, RefusedFile } from "./read-file.ts";
import { packageFolder } from "./read-lock.ts";

const EMPTY = "empty";
/** The notes by which faults of files are told from those of the bundler. */
export const REFUSED = "refused";

const ASKED = "asked";
/** What is imported for what it does when it is evaluated. */
const BARE_IMPORT = /^[ \t]{0,20}import[ \t]{0,20}["']([^"'\n]{1,300})["']/gm;

const LOADERS: ReadonlyMap<string, Loader> = new Map([
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
  [".jsx", "jsx"],
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".tsx", "tsx"],
  [".json", "json"],
]);

export interface ModuleFilesOptions {
  /** Own files lie in it, by their real paths; those of packages in any `node_modules`. */
  within: string;
  stripper: Pick<TypeStripper, "strip">;
  /** Whether schemas that no code uses are left out. */
  pureSchemas: boolean;
  /** Gets the path of each file. */
  read: Set<string>;
}

/**
 * Gives the bundler each file, read within bounds and from where it may be: what a tool's folder imports must not carry other
 * files of the developer's into a tool.
 */
export function moduleFiles({ within, stripper, pureSchemas, read }: ModuleFilesOptions): Plugin {
  return {
    name: "module-files",
    setup(build) {
      let bytes = 0;
      const bare = new Set<string>();
      const ask = ({ path, kind, resolveDir, importer }: OnResolveArgs) =>
        build.resolve(path, { kind, resolveDir, importer, pluginData: ASKED });
      const manifests = openManifestCheck(within);
      build.onResolve({ filter: /.*/ }, ({ path, resolveDir, pluginData }) => {
        if (pluginData === ASKED || resolveDir === "") return null;
        try {
          manifests.before(path, resolveDir);
          return null;
        } catch (error) {
          return refusal(error, resolve(resolveDir, path));
        }
      });
      // An npm package may have the name of a module of Node's (`buffer`, `events`); it goes first.
      build.onResolve({ filter: /^[a-z][a-z0-9_/]*$|^node:/ }, async (args) => {
        const { path, pluginData } = args;
        if (pluginData === ASKED || !isBuiltin(path)) return null;
        const found = path.startsWith("node:") ? null : await ask(args);
        if (found && found.errors.length === 0)
          // A package may say that browsers get nothing in its place.
          return isAbsolute(found.path) ? found : { path, namespace: EMPTY, sideEffects: false };
        return { path: path.replace(/^node:/, ""), namespace: BUILT_IN, sideEffects: false };
      });
      // Of several tools in a module, each has the packages that it uses and not those of the others.
      build.onResolve({ filter: /^(?:@[^/]+\/)?[^./]/, namespace: "file" }, async (args) => {
        const { path, importer, pluginData, kind } = args;
        if (!pureSchemas || pluginData === ASKED || kind !== "import-statement") return null;
        if (path === "ai" || packageFolder(importer) !== null || bare.has(`${importer}\0${path}`))
          return null;
        const found = await ask(args);
        return found.errors.length > 0 || !isAbsolute(found.path) ? null : { ...found, sideEffects: false };
      });
      build.onResolve({ filter: /^ai$/ }, ({ path }) => ({ path, namespace: AI_SDK }));
      build.onLoad({ filter: /.*/, namespace: AI_SDK }, () => ({ contents: AI_SDK_TEXT, loader: "js" }));
      for (const namespace of [BUILT_IN, EMPTY])
        build.onLoad({ filter: /.*/, namespace }, () => ({ contents: "module.exports = {};", loader: "js" }));
      // The words of zod's errors in forty languages are two thirds of it; English ones come another way.
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: "export {};",
      }));
      build.onLoad({ filter: /.*/, namespace: "file" }, async ({ path }): Promise<OnLoadResult> => {
        read.add(path);
        try {
          requireWithin(path, within);
          const loader = LOADERS.get(extname(path));
          if (loader === undefined)
            throw new RefusedFile("import.failed", `is no module: ${[...LOADERS.keys()].join(", ")} are`);
          const text = withoutMap(await readText(path));
          bytes += text.length;
          if (bytes > GRAPH_BYTES_MAX)
            throw new RefusedFile(
              "file.too_large",
              `is one too many: a module and all that it imports may have ${GRAPH_BYTES_MAX / 1024 / 1024} MiB`,
            );
          for (const [, imported] of text.matchAll(BARE_IMPORT)) bare.add(`${path}\0${imported}`);
          return pureSchemas && loader !== "json"
            ? await contentsOf(text, path, loader, stripper)
            : { contents: text, loader };
        } catch (error) {
          return refusal(error, path);
        }
      });
    },
  };
}

/** Throws what is no refusal. */
function refusal(error: unknown, path: string): { errors: PartialMessage[] } {
  if (!(error instanceof RefusedFile)) throw error;
  return { errors: [{ text: error.message, detail: { [REFUSED]: error.code, path } }] };
}

/** The bundler would read the file that a source names as its map, wherever that is. */
const withoutMap = (text: string): string =>
  text.replaceAll(/([/*][#@][ \t]?)sourceMappingURL=/g, "$1sourceMappingURL:");

/** Packages may be linked in from elsewhere, as workspaces and stores of packages do; real paths count. */
function requireWithin(path: string, within: string): void {
  if (path.startsWith(`${within}${sep}`) || packageFolder(path) !== null) return;
  throw new RefusedFile(
    "import.outside",
    "lies outside of the folder and is of no package: a tool takes no other files along",
  );
}

/** Syntax that types alone don't make, and JSX, are the bundler's; there the schemas stay where they are. */
async function contentsOf(
  text: string,
  path: string,
  loader: Loader,
  stripper: ModuleFilesOptions["stripper"],
): Promise<OnLoadResult> {
  try {
    if (packageFolder(path) !== null) return { contents: withToolNames(text, path) ?? text, loader };
    const plain = loader === "ts" ? await stripper.strip(path, text) : { ok: true as const, code: text };
    const edited = plain.ok ? withPureSchemas(plain.code, path, text) : null;
    // The bundler leaves imports out of which only types were used.
    return { contents: edited ?? text, loader };
  } catch (error) {
    // Nested too deeply is a RangeError here.
    if (error instanceof SyntaxError || error instanceof RangeError) return { contents: text, loader };
    throw error;
  }
}
