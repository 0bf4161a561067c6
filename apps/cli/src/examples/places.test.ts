import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { frameAt, frameLines, placedIn } from "./places.ts";

const placeOf = (line: number, column: number) =>
  line > 2 ? { file: "src/a.ts", line: line - 2, column } : null;

test("places of the code are the developer's, and what was added around it stays as it is", () => {
  const said = "TypeError: x (tool.js:3:7)\n    at run (tool.js:1:2)\n    at inner (tool.js:9:1)";
  expect(placedIn({ placeOf }, said)).toEqual({
    text: "TypeError: x (src/a.ts:1:7)\n    at run (tool.js:1:2)\n    at inner (src/a.ts:7:1)",
    place: { file: "src/a.ts", line: 1, column: 7 },
  });
  expect(placedIn({ placeOf }, "nothing").place).toBeNull();
});

test("lines are read of files that the tool is made of, and of no others", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "places-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["own.ts", "secret.env"]) writeFileSync(join(root, name), "one\ntwo\n");
  const files = [join(root, "own.ts"), join(root, "gone.ts")];
  const at = (file: string) => frameAt(root, { files }, { file, line: 2, column: 1 });
  expect(await at("own.ts")).toEqual({ from: 1, lines: ["one", "two", ""] });
  expect([await at("secret.env"), await at("../../etc/passwd"), await at("gone.ts")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("a mark stands under the column, tabs or not", () => {
  const frame = { from: 9, lines: ["\tif (a) {", "\t\tb.c();", "}"] };
  expect(frameLines(frame, { line: 10, column: 5 })).toEqual([
    "   9 | \tif (a) {",
    "> 10 | \t\tb.c();",
    "     | \t\t  ^",
    "  11 | }",
  ]);
  expect(frameLines(frame, { line: 10, column: 500 })).toHaveLength(3);
});
