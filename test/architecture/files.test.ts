import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { packages, products, root } from "./support/house.ts";

const SMALL_LINES = 15;
const MAIN_LINES_MAX = 150;
const README_LINES_MAX = 60;
const README_CHARS_MAX = 120;

/** The files of the product that a file imports by a path, and those that it names as the entry of a thread or process. */
function namedBy({ file, text }: (typeof products)[number]): { imported: string[]; started: string[] } {
  const at = (path: string): string => relative(root, join(root, dirname(file), path));
  const imported = [...text.matchAll(/(?:\bfrom|^import) "(\.[^"]+)"/gm)].flatMap((match) => match[1] ?? []);
  const started = [...text.matchAll(/new URL\("([^"]+\.ts)"/g)].flatMap((match) => match[1] ?? []);
  return { imported: imported.map(at), started: started.map(at) };
}

test("files import each other in no circle, of types neither", () => {
  const imports = new Map(products.map((source) => [source.file, namedBy(source).imported]));
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  expect(circles).toEqual([]);
});

test(`a file under ${SMALL_LINES} lines that only one other imports is part of that one`, () => {
  const importers = new Map<string, number>();
  const started = new Set<string>();
  for (const source of products) {
    const named = namedBy(source);
    // What a package's index names is for others, too.
    const count = source.file.endsWith("/src/index.ts") ? 2 : 1;
    for (const file of named.imported) importers.set(file, (importers.get(file) ?? 0) + count);
    for (const file of named.started) started.add(file);
  }
  // A bundler's plugin names files of the guest.
  const mentioned = new Set(
    products.flatMap(({ text }) => [...text.matchAll(/\("([a-z-]+\.ts)"\)/g)].map(([, name]) => name)),
  );
  const small = products.filter(
    ({ file, text }) =>
      text.split("\n").length <= SMALL_LINES &&
      importers.get(file) === 1 &&
      !started.has(file) &&
      !mentioned.has(file.split("/").at(-1)),
  );
  expect(small.map(({ file }) => file)).toEqual([]);
});

test(`a process's main has at most ${MAIN_LINES_MAX} lines`, () => {
  const mains = products.filter(({ file }) => /^apps\/[^/]+\/src\/main\.ts$/.test(file));
  expect(mains.length).toBeGreaterThan(3);
  const long = mains.filter(({ text }) => text.split("\n").length > MAIN_LINES_MAX + 1);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test(`a package's README has at most ${README_LINES_MAX} lines of ${README_CHARS_MAX} characters`, () => {
  const long = packages.flatMap(({ folder }) => {
    const lines = readFileSync(join(root, folder, "README.md"), "utf8")
      .trimEnd()
      .split("\n");
    const wide = lines.filter((line) => line.length > README_CHARS_MAX).length;
    return lines.length > README_LINES_MAX || wide > 0
      ? [`${folder}: ${lines.length} lines, ${wide} too wide`]
      : [];
  });
  expect(long).toEqual([]);
});

/** `a/{b,c}.ts` stands for two paths. */
function spelledOut(path: string): string[] {
  const [, before = "", listed, after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return listed?.split(",").map((each) => before + each + after) ?? [path];
}

test.each([
  ["libs/README.md", "libs/"],
  ["CONTRIBUTING.md", ""],
])("what %s names from its root is there", (document, base) => {
  const text = readFileSync(join(root, document), "utf8");
  const named = [...text.matchAll(/`([\w./{},-]+\/[\w./{},-]*)`/g)].flatMap(([, path = ""]) => {
    if (/^(?:apps|deploy|libs|prisma|test)\//.test(path)) return spelledOut(path);
    const inPackage = base + path;
    return packages.some(({ folder }) => inPackage.startsWith(`${folder}/`)) ? spelledOut(inPackage) : [];
  });
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
