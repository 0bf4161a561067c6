import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "../../../package.json");

// npm hands a signal to the shell it runs a script by. Many shells die of it without passing it on, so the shell has to
// become the program.
test("every script that runs one of our programs is that program, with no shell between it and npm", async () => {
  const { scripts } = JSON.parse(await readFile(PACKAGE, "utf8")) as { scripts: Record<string, string> };
  const ours = Object.entries(scripts).filter(([, text]) => /\bnode \S+\.ts\b/u.test(text));
  expect(ours.map(([name]) => name)).toEqual(expect.arrayContaining(["start", "api", "worker", "soak"]));
  expect(ours.filter(([, text]) => !/^exec node \S+$/u.test(text))).toEqual([]);
});
