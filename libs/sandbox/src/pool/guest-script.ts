import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, type BuildOptions, type OutputFile, type Plugin } from "esbuild";

/**
 * The guest as one expression whose value is `connect`. Each of esbuild's chunks becomes a
 * case that runs when it is first asked for, with all that it declares inside: a context pays for a module when
 * a tool touches it, and V8 compiles it once for an isolate. Nothing in between can be changed by a tool.
 */
export async function bundleGuest(folder: string, common: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [join(folder, "install.ts")],
    platform: "neutral",
    format: "esm",
    splitting: true,
    outdir: "guest",
    write: false,
    plugins: [lateRequires, libraryGlobals(folder)],
  });
  const chunks = outputFiles ?? [];
  const entry = chunks.find(({ path }) => basename(path) === "install.js");
  if (entry === undefined) throw new Error("the guest's bundle has no entry");
  // A switch: a table of functions would be 120 objects more to make in every context.
  return `(function () {"use strict";
const run = (name) => {switch (name) {${chunks.map(chunkCase).join("\n")}}};
const loaded = {__proto__: null};
const load = (name) => loaded[name] ??= run(name);
return load("install.js").connect;
})()`;
}

/** Splits the bundle where a module is required: esbuild knows only asynchronous imports as such a place. */
const lateRequires: Plugin = {
  name: "late-requires",
  setup(bundling) {
    bundling.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace(/\brequire\("(\.[^"]+)"\)/g, 'import("$1")'), loader: "ts" };
    });
  },
};

/** The library of streams looks for its globals where a page has them: in the guest they are the guest's own, or taken away. */
const libraryGlobals = (folder: string): Plugin => ({
  name: "library-globals",
  setup(bundling) {
    bundling.onLoad({ filter: /web-streams-polyfill.*\.mjs$/ }, async ({ path }) => {
      const from = (file: string): string => JSON.stringify(join(folder, file));
      const globals = `import { AbortController } from ${from("abort.ts")};
import { DOMException } from ${from("dom-exception.ts")};
import { queueMicrotask } from ${from("queue-microtask.ts")};
import { apply } from ${from("primordials.ts")};
const globalThis = { DOMException };
const Function = { prototype: { apply: { call: apply } } };
`;
      return { contents: globals + (await readFile(path, "utf8")), loader: "js" };
    });
  },
});

const FROM = /^import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/;
const EXPORT = /export\{([^}]*)\};\s*$/;

/** esbuild writes a chunk's imports first and its one export last, each in one form. */
function chunkCase({ path, text }: OutputFile): string {
  const imports: string[] = [];
  let body = text;
  for (let found = FROM.exec(body); found !== null; found = FROM.exec(body)) {
    const [statement, names = "", from = ""] = found;
    imports.push(`const {${names.replace(/ as /g, ":")}} = load("${from}");`);
    body = body.slice(statement.length);
  }
  const exported = (EXPORT.exec(body)?.[1] ?? "").split(",").map((name) => {
    const [local, outside = local] = name.split(" as ");
    return `${outside}: ${local}`;
  });
  body = body.replace(EXPORT, "").replace(/\bimport\("\.\/([^"]+)"\)/g, 'load("$1")');
  if (/^import\b|\bimport\(/.test(body)) throw new Error(`${basename(path)} imports in a form unknown here`);
  const exports = `{__proto__: null, ${exported.join(", ")}}`;
  return `case "${basename(path)}": return (() => {${imports.join("")}${body}\nreturn ${exports};})();`;
}
