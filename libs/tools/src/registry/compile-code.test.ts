import type { ToolLanguage } from "@bulkhead/core";
import { expect, test } from "vitest";
import { compileCode } from "./compile-code.ts";

/** Takes `: any` away, as far as these texts need it. */
const stripper = {
  strip: async (_tenantId: string, code: string) =>
    ({ ok: true, code: code.replaceAll(": any", "     ") }) as const,
};
const compiled = (code: string, language: ToolLanguage = "javascript") =>
  compileCode({ stripper }, { tenantId: "ten_1" }, { code, language });

test("a body in JavaScript runs as it was written", async () => {
  expect(await compiled("return 1;")).toBeNull();
});

test.each<[string, ToolLanguage, string, string]>([
  ["a fence", "javascript", "```js\nreturn 1;\n```", "     \nreturn 1;\n   "],
  ["a function", "javascript", "function main(a) {}", "function main(a) {}\nreturn main(args, context);"],
  ["types", "typescript", "return 1;", "return 1;"],
  [
    "all three",
    "typescript",
    "```ts\nexport default (a: any) => a;\n```",
    "     \nconst $f=      (a     ) => a;\n   \nreturn $f(args, context);",
  ],
])("what runs of %s is told", async (_what, language, code, runs) => {
  expect(await compiled(code, language)).toBe(runs);
});

test("types in JavaScript are told as what they are", async () => {
  await expect(compiled("export default (a: any) => a;")).rejects.toMatchObject({
    code: "tool.code_invalid",
    detail: expect.stringMatching(/^The code does not compile: line 1, column 18: .*language is typescript/),
  });
});

test.each(["const a = ;", "(a: any) => ;"])(
  "%s, which no types explain, has its own fault alone",
  async (code) => {
    await expect(compiled(code)).resolves.toBeNull();
  },
);

test("code that would run nothing is refused", async () => {
  await expect(compiled("function a() {}\nfunction b() {}")).rejects.toMatchObject({
    code: "tool.code_invalid",
    detail: expect.stringMatching(/^The code runs nothing: line 1, column 1: .*\(uncalled\)$/),
  });
});
