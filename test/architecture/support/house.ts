import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "..", "..", "..");

export interface Package {
  name: string;
  folder: string;
  dependencies: Set<string>;
}

function readPackages(): Package[] {
  return globSync("{apps,libs}/**/package.json", {
    cwd: root,
    // A template's folder is data: one has a package.json for whoever copies it.
    exclude: (path) => path.includes("node_modules") || path.includes("tools/templates"),
  }).map((file) => {
    const json = JSON.parse(readFileSync(join(root, file), "utf8"));
    return {
      name: json.name.replace("@bulkhead/", ""),
      folder: dirname(file),
      dependencies: new Set(Object.keys({ ...json.dependencies, ...json.peerDependencies })),
    };
  });
}

export const packages = readPackages();
export const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("/fixtures/");

export const sources = packages.flatMap((pkg) =>
  globSync("src/**/*.{ts,tsx}", { cwd: join(root, pkg.folder) })
    .filter((file) => !file.includes("generated"))
    .map((file) => ({
      pkg,
      file: `${pkg.folder}/${file}`,
      text: readFileSync(join(root, pkg.folder, file), "utf8"),
    })),
);
/** Files that run, in the product or in what tests start. */
export const products = sources.filter(({ file }) => !isTest(file));

/** The specifiers of a file's imports, whether static, dynamic or of types only. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|^import|\bimport\() ?"([a-z@.][^"\\]*)"/gm)].flatMap(
    (match) => match[1] ?? [],
  );
