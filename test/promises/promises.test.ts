import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROMISES } from "./promises.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A line on which a title stands, by how it begins. */
const TITLE = /^\s*(?:test|it|describe|\]\)|["`])/;
/** The night alone runs it, though its file is one of the day. */
const AT_NIGHT = /\.runIf\(isNightly\)\(/;
/** As in `[E6]` or `[E6, T1]`. */
const TAG = /\[([A-Z]\d+(?:, [A-Z]\d+)*)\]/g;
/** Promises that take a cluster of stores: only the night has it. */
const SHOWN_AT_NIGHT = ["L10"];
/** The tests, and the suites that they call; this file's own examples are none. */
const FILES = globSync("{apps,libs,test}/**/{*.test.ts,*-suite.ts}", {
  cwd: ROOT,
  exclude: (path) => /node_modules|promises$/.test(path),
});

const shown = new Map<string, string[]>();
for (const file of FILES) {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  for (const [n, line] of lines.entries()) {
    if (!TITLE.test(line)) continue;
    const begun = /^\s*["`]/.test(line) ? `${lines[n - 1]}${line}` : line;
    const isDaily = !file.endsWith(".nightly.test.ts") && !AT_NIGHT.test(begun);
    for (const [, ids = ""] of line.matchAll(TAG))
      for (const id of ids.split(", "))
        if (isDaily || SHOWN_AT_NIGHT.includes(id)) shown.set(id, [...(shown.get(id) ?? []), file]);
  }
}

test.each(Object.entries(PROMISES))("%s has a test: $sentence", (id) => {
  expect(shown.get(id) ?? []).not.toEqual([]);
});

test("no test names a promise that there is none", () => {
  expect([...shown].filter(([id]) => !(id in PROMISES))).toEqual([]);
});
