import { expect, test } from "vitest";
import { bundledLines, bundledPackages } from "./bundled-packages.ts";

const PACKAGES = [
  { name: "@scope/a", version: "1.0.0-beta.1", integrity: "sha512-a+b/c==" },
  { name: "ms", version: "2.1.3", integrity: null },
];

test("what a bundle says of its packages is read again", () => {
  const code = `${bundledLines(PACKAGES).join("")}var bulkhead = 1;`;
  expect(bundledPackages(code)).toEqual(PACKAGES);
});

test.each([
  ["", []],
  ["return 1;", []],
  ["return 1;\n// bundled: ms@2.1.3 sha512-a", []],
  ["// bundled: ms@2.1.3", []],
  ["// bundled: ms 2.1.3 sha512-a", []],
])("code that names none has none: %j", (code, expected) => {
  expect(bundledPackages(code)).toEqual(expected);
});

test("more than people read are left out", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    name: `p${at}`,
    version: "1.0.0",
    integrity: null,
  }));
  expect(bundledLines(many)).toHaveLength(200);
});
