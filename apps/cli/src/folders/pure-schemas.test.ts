import { expect, test } from "vitest";
import { withPureSchemas } from "./pure-schemas.ts";

const edited = (text: string): string | undefined =>
  withPureSchemas(text, "/tools.js", text)?.replace(/\n\/\/# sourceMappingURL=.*/, "");

test("what only builds schemas may be left out, and what parses when it is called may not", () => {
  const text = `import { z } from "zod";
const Row = z.object({ id: z.string() });
export const Rows = Row.array();
export const read = (text) => { Row.parse(text); return 1; };`;
  expect(edited(text)).toBe(`import * as z from "zod";
const Row = /* @__PURE__ */ z.object({ id: /* @__PURE__ */ z.string() });
export const Rows = /* @__PURE__ */ Row.array();
export const read = (text) => { Row.parse(text); return 1; };`);
});

test("a tool's schemas become undefined, and its lines stay where they are", () => {
  const text = `import * as z from "zod";
export const a = {
  inputSchema: z.object({
    n: z.number(),
  }),
  execute: ({ n }) => n,
};`;
  expect(edited(text)).toBe(`import * as z from "zod";
export const a = {
  inputSchema: undefined

,
  execute: ({ n }) => n,
};`);
});

test.each([
  ["a member", "export const b = () => a.inputSchema;"],
  ["its own member", "export const b = { run() { return this.inputSchema; } };"],
  ["a computed member", 'export const b = () => a["inputSchema"];'],
  ["a pattern", "export const b = () => { const { inputSchema } = a; return inputSchema; };"],
])("a schema that the code reads by %s stays", (_how, reader) => {
  const text = `import * as z from "zod";\nexport const a = { inputSchema: z.string(), run() {} };\n${reader}`;
  expect(edited(text)).toContain("inputSchema: /* @__PURE__ */ z.string()");
});

test("a module without schemas stays as it is", () => {
  expect(edited("export const a = 1;")).toBeUndefined();
  expect(() => edited("export const a = ;")).toThrow(SyntaxError);
});
