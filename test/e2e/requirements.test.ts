import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

/** A line on which a title stands, by how it begins. */
const TITLE = /^\s*(?:test|describe|\]\)|["`])/;
/** As in `[E6]` or `[E6, T1]`. */
const TAG = /\[([A-Z]\d+(?:, [A-Z]\d+)*)\]/g;

const shown = new Map<string, string[]>();
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".e2e.test.ts"))) {
  const lines = readFileSync(`${import.meta.dirname}/${file}`, "utf8").split("\n");
  for (const line of lines.filter((one) => TITLE.test(one)))
    for (const [, ids = ""] of line.matchAll(TAG))
      for (const id of ids.split(", ")) shown.set(id, [...(shown.get(id) ?? []), file]);
}

test.each(Object.entries(REQUIREMENTS))("%s has a test: $sentence", (id) => {
  expect(shown.get(id) ?? []).not.toEqual([]);
});

test("no test names a promise that there is none", () => {
  expect([...shown].filter(([id]) => !(id in REQUIREMENTS))).toEqual([]);
});
