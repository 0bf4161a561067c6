import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strayImports } from "./stray-imports.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "stray-")));
  mkdirSync(join(root, "node_modules/evil"), { recursive: true });
  mkdirSync(join(root, "packages/linked"), { recursive: true });
  symlinkSync("../packages/linked", join(root, "node_modules/linked"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** What is told of one import, by paths relative to the folder. */
const told = async (importer: string, original: string, path: string) =>
  (
    await strayImports(
      {
        inputs: { [importer]: { bytes: 1, imports: [{ path, original, kind: "import-statement" }] } },
        outputs: {},
      },
      root,
    )
  ).map(({ code, message }) => `${code}: ${message}`);

test.each([
  ["tools.ts", "./secret.json", "secret.json"],
  ["tools.ts", "good", "node_modules/good/index.js"],
  ["node_modules/good/a.js", "./b.js", "node_modules/good/b.js"],
  ["node_modules/good/a.js", "other", "node_modules/other/index.js"],
  ["tools.ts", "linked", "packages/linked/index.ts"],
  ["tools.ts", "linked/deep", "packages/linked/deep.ts"],
  ["packages/linked/index.ts", "./deep.ts", "packages/linked/deep.ts"],
  ["tools.ts", "./node_modules/good/index.js", "node_modules/good/index.js"],
  ["node_modules/.pnpm/a/node_modules/a/a.js", "../b/b.js", "node_modules/.pnpm/a/node_modules/b/b.js"],
  ["tools.ts", "node:fs", "node-built-in:fs"],
])("%s may import %s", async (importer, original, path) => {
  expect(await told(importer, original, path)).toEqual([]);
});

test.each([
  ["tools.ts", "../other/node_modules/private/index.js"],
  ["node_modules/evil/index.js", "../../../other/node_modules/private/index.js"],
])("%s may not import %s, of packages that are another folder's", async (importer, original) => {
  const path = "../other/node_modules/private/index.js";
  expect(await told(importer, original, path)).toEqual([
    `import.outside: imports ${original}, by which ${importer} takes ${path} along, a file of another folder's packages`,
  ]);
});

test("a colon in a path hides no import", async () => {
  expect(await told("node_modules/evil/index.js", "../../a:b/c.json", "a:b/c.json")).toHaveLength(1);
});

test.each([
  ["node_modules/evil/index.js", "../../secret.json", "secret.json"],
  ["tools.ts", "evil", "secret.json"],
  ["tools.ts", "linked", "secret.json"],
  ["tools.ts", "@evil/scoped", "secret.json"],
])("%s may not import %s where that is a file of the developer's", async (importer, original, path) => {
  expect(await told(importer, original, path)).toEqual([
    `import.outside: imports ${original}, by which ${importer} takes secret.json along, a file that is not the package's`,
  ]);
});
