import { expect, it } from "vitest";
import { takeOffFence } from "./take-off-fence.ts";

it.each([
  ["with a language", "```js\nreturn 1;\n```", "     \nreturn 1;\n   "],
  ["without one, with blank lines around", "\n```\nreturn 1;\n```\n\n", "\n   \nreturn 1;\n   \n\n"],
  ["of tildes", "~~~typescript\nreturn 1;\n~~~", "             \nreturn 1;\n   "],
  ["with Windows line ends", "```js\r\nreturn 1;\r\n```\r\n", "     \r\nreturn 1;\r\n   \r\n"],
  ["of four marks around three", "````\nreturn `\n```\n`;\n````", "    \nreturn `\n```\n`;\n    "],
  ["that is not closed", "```js\nreturn 1;", "     \nreturn 1;"],
  ["around nothing", "```\n```", "   \n   "],
])("a fence %s leaves each character in its place", (_what, code, taken) => {
  expect(takeOffFence(code)).toBe(taken);
});

it.each(["return 1;", "return `\n```js\n```;", "``\nreturn 1;", "```js", "", "// ```\nreturn 1;"])(
  "%j has none",
  (code) => {
    expect(takeOffFence(code)).toBe(code);
  },
);

it.each(["`", "~"])("a text of blanks and %s takes linear time", (mark) => {
  const code = `${" ".repeat(50_000)}${mark.repeat(100_000)}${" \t".repeat(20_000)}`;
  expect(takeOffFence(code)).toBe(code);
});
