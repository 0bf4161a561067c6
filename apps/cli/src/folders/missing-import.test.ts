import { expect, test } from "vitest";
import { missingImport } from "./missing-import.ts";

const EXTERNAL = `You can mark the path "x" as external to exclude it from the bundle, which will remove this error.`;
const notesOf = (...texts: string[]) =>
  texts.map((text) => ({ text, location: null, suggestion: "", detail: undefined }));

test.each([
  ["./nope.ts", [], "imports ./nope.ts, and there is no such file"],
  [
    "nope",
    [EXTERNAL],
    "imports nope, which is not installed: npm install nope, or ./nope where a file is meant",
  ],
  [
    "@a/b/c",
    [EXTERNAL],
    "imports @a/b/c, which is not installed: npm install @a/b, or ./@a/b/c where a file is meant",
  ],
  [
    "zod/nope",
    [`The path "./nope" is not exported by package "zod":`, EXTERNAL],
    `imports zod/nope, which leads nowhere: The path "./nope" is not exported by package "zod"`,
  ],
  [
    "@/x",
    [EXTERNAL],
    "imports @/x, which is neither a path (those begin with ./ or ../) nor a package; aliases of tsconfig.json are not followed",
  ],
])("what an import of %s lacks is told to who writes the tool", (specifier, notes, said) => {
  expect(missingImport({ text: `Could not resolve "${specifier}"`, notes: notesOf(...notes) })).toBe(said);
});

test("other messages are the bundler's", () => {
  expect(missingImport({ text: `Expected ";" but found "x"`, notes: [] })).toBeNull();
});
