import { BUILT_IN_TOOL_NAMES } from "@bulkhead/core";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("TOOLS.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| [a-z]+ \| (`[^|]+) \| (yes|no|not yet) \|/gm)];
const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? "");
const namesOf = (here: string): string[] =>
  rows.flatMap(([, names = "", said]) => (said === here ? namesIn(names) : []));
const builtIn: readonly string[] = BUILT_IN_TOOL_NAMES;

test("what the page of tools says is here is here, and nothing else", () => {
  const others = namesIn(/^Beyond those: [^]+?\.$/m.exec(page)?.[0] ?? "");
  expect([...namesOf("yes"), ...others].toSorted()).toEqual(builtIn.toSorted());
  expect([...namesOf("no"), ...namesOf("not yet")].filter((name) => builtIn.includes(name))).toEqual([]);
});

test("the page has each of the tools that platforms of agents usually bring, once", () => {
  const all = rows.flatMap(([, names = ""]) => namesIn(names));
  expect(all).toHaveLength(34);
  expect(new Set(all).size).toBe(34);
});
