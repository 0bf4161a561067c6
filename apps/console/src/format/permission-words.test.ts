import { expect, test } from "vitest";
import { gives } from "./permission-words.ts";

test.each([
  ["network", {}, true],
  ["filesystem", { files: true }, true],
  ["filesystem", {}, false],
  ["database", { data: false, db: true }, true],
  ["database", { data: false, db: false }, false],
  ["shell", { exec: true }, true],
  ["shell", { exec: false, nodes: true }, true],
  ["email", { console: true }, false],
] as const)("whether %s gives something where there is %j: %s", (permission, features, expected) => {
  expect(gives(permission, features as never)).toBe(expected);
});
