import { EXPORT_ADVICE, IMPORT_ADVICE } from "../code-check/module-syntax.ts";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { stripBody } from "./strip-body.ts";

const lines = (text: string) => text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.length);

test.each([
  ["annotations and assertions", "const n: number = args.n as number;\nreturn n!;"],
  [
    "declarations",
    "interface A { n: number }\ntype B = A | null;\ndeclare const c: B;\nreturn c satisfies B;",
  ],
  ["generics", "const id = <T,>(value: T): T => value;\nreturn id<string>('x');"],
  ["text that is not ASCII", "type A = 'é日😀';\nconst b: 'é日😀' = 'é日😀';\r\nreturn b;"],
  ["types over several lines", "type A = {\n  a: `x\n  y`;\n};\r\nreturn 1;"],
  ["a last line that is a comment", "return 1; // as number"],
  ["nothing", ""],
])("everything else stays where it was written: %s", (_what, code) => {
  const stripped = stripBody(code);
  if (!stripped.ok) throw new Error(stripped.fault.message);
  expect(lines(stripped.code)).toEqual(lines(code));
  for (const word of ["return", "args", "const b"])
    expect(stripped.code.indexOf(word)).toBe(code.indexOf(word));
});

test("JavaScript is left alone, and what runs is the same", () => {
  const code = "const a = { as: 1, type: 2 };\nreturn a.as < a.type ? `${a.as}` : /x:y/.test(a);";
  expect(stripBody(code)).toEqual({ ok: true, code });
  const typed = "let total: number = 0\nfor (const n of args.list as number[]) total += n\nreturn total";
  const stripped = stripBody(typed);
  if (!stripped.ok) throw new Error(stripped.fault.message);
  expect(compileFunction(stripped.code, ["args"])({ list: [1, 2, 3] })).toBe(6);
});

test.each([
  ["on a line of its own", "const a = 1;\nlet x: = 1;", 2, 8],
  ["behind tabs", "\t\tlet x: = 1;", 1, 10],
  ["behind characters of another width", "const a = '😀😀é日'; let x: = 1;", 1, 28],
  ["behind a lone carriage return", "const a = 1;\rlet x: = 1;", 2, 8],
  ["behind a carriage return and a line feed", "const a = 1;\r\nlet x: = 1;", 2, 8],
  ["behind a line separator", "const a = 1;\u2028let x: = 1;", 2, 8],
  ["behind text that looks like the place of a fault", "const a = `\n:9\n   ^^^\n`; let x: = 1;", 4, 11],
  ["at the end", "if (args.a) {\n  args.b();", 2, 12],
])("a fault of syntax has its line and column as written: %s", (_where, code, line, column) => {
  const { fault } = refused(code);
  expect(fault).toEqual({ line, column, rule: "syntax", message: expect.stringMatching(/\.$/) });
});

test.each([
  ["enum", "const a = 1;\n  enum A { B }", 2, 3],
  ["enum", "const a = 1; enum A {\n  B,\n}\nreturn A;", 1, 14],
  ["namespace", "namespace A { export const b = 1; }", 1, 1],
  ["parameter property", "class A {\n  constructor(private a: number) {}\n}", 2, 23],
  ["angle-bracket", "return <number>args.a;", 1, 8],
])("what is more than types is refused by name: %s", (what, code, line, column) => {
  const { fault } = refused(code);
  expect(fault).toMatchObject({ line, column, rule: "typescript" });
  expect(fault.message).toContain(what);
  expect(fault.message).not.toContain("not supported in");
});

test("what closes the wrapping function comes back as it is, for validation to refuse", () => {
  const code = "} evil(); async function x() {";
  expect(stripBody(code)).toEqual({ ok: true, code });
});

test.each([
  ["import type", "import type { A } from 'y';\nconst a: A = 1;\nreturn a;"],
  [
    "one of a namespace and one by default",
    'import type * as B from "y"\nimport type C from "z";\nreturn 1 as B.A;',
  ],
  [
    "an import of types by name over lines",
    "import {\n  type A,\n  type B as C,\n} from 'y';\nreturn 1 as A;",
  ],
  [
    "exported types",
    "export interface A { n: number }\nexport type B = A;\nexport type { A as C };\nreturn 1;",
  ],
  ["types exported on", "return 1;\nexport type * from 'y';\nexport { type A } from 'z';"],
  [
    "all of it in a module",
    "import type { A } from 'y';\nexport type B = A;\nexport default async (args: B) => args;",
  ],
  [
    "a function without a name",
    "async function (args: { n: number }): Promise<number> {\n  return args.n;\n}",
  ],
])("imports and exports of types are left out: %s", (_what, code) => {
  const stripped = stripBody(code);
  if (!stripped.ok) throw new Error(stripped.fault.message);
  expect(lines(stripped.code)).toEqual(lines(code));
  expect(stripped.code).not.toMatch(/import|from|interface|type|number|: [AB]/);
  for (const word of ["return", "export default", "args"])
    expect(stripped.code.indexOf(word)).toBe(code.indexOf(word));
});

test("imports and exports of values come back for validation to judge, or are refused with its words", () => {
  const module = "import a from 'y';\nexport const b = a;";
  expect(stripBody(module)).toEqual({ ok: true, code: module });
  expect(refused("import type { A } from 'x';\nimport a from 'y';\nreturn a as A;").fault).toEqual({
    line: 2,
    column: 1,
    rule: "import",
    message: IMPORT_ADVICE,
  });
  expect(refused("type A = 1;\n  export const a: A = 1;\nreturn a;").fault).toEqual({
    line: 2,
    column: 3,
    rule: "syntax",
    message: EXPORT_ADVICE,
  });
  expect(refused("import type from 'x';\nreturn 1;").fault).toMatchObject({ line: 1, rule: "import" });
});

test("more imports of types than are looked at are a fault, not a wait", () => {
  const code = `${"import type { A } from 'y';\n".repeat(60)}return 1;`;
  expect(refused(code).fault).toMatchObject({ line: 51, rule: "syntax" });
});

test("a message is bounded whatever it quotes", () => {
  const { fault } = refused(`return 1 ${"x".repeat(10_000)} y;`);
  expect(fault.message.length).toBeLessThan(400);
});

function refused(code: string) {
  const outcome = stripBody(code);
  if (outcome.ok) throw new Error(`was stripped: ${outcome.code}`);
  return outcome;
}
