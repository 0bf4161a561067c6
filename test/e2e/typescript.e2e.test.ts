import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Answer, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const CODE = `interface Line { price: number; count: number }
const lines = args.lines as Line[];
const total: number = lines.reduce((sum, { price, count }: Line) => sum + price * count, 0);
return { total };`;
const typescript = { language: "typescript" };

test("a tool in TypeScript runs without its types and keeps what was written", async () => {
  const made = await createTool(owner, "invoice", CODE, typescript);
  expect(made).toMatchObject({ language: "typescript", code: CODE, version: 1 });
  const body = { arguments: { lines: [{ price: 2.5, count: 4 }] } };
  expect((await owner.post(`${TOOLS}/invoice/execute`, body)).body.data.result).toEqual({ total: 10 });
  expect((await owner.get(`${TOOLS}/invoice`)).body.data.code).toBe(CODE);
});

test("an error that it throws has the line and column as written", async () => {
  await createTool(
    owner,
    "thrower",
    "type A = {\n  a: 1;\n};\nconst a: A | null = null;  throw new Error('no');",
    typescript,
  );
  const { body } = await owner.post(`${TOOLS}/thrower/execute`);
  expect(body.data.error.message).toBe("Error: no (tool.js:4:34)");
});

test("a change of the code is stripped anew, and a change of the language too", async () => {
  await createTool(owner, "grown", "return 1;");
  const change = async (body: object) => (await owner.patch(`${TOOLS}/grown`, body)).body;
  expect((await change({ code: "return 2 as number;" })).code).toBe("tool.code_invalid");
  expect((await change({ code: "return 2 as number;", ...typescript })).data.version).toBe(2);
  expect((await owner.post(`${TOOLS}/grown/execute`)).body.data.result).toBe(2);
  expect((await change({ limits: { cpuMs: 100 } })).data.version).toBe(3);
  expect((await owner.post(`${TOOLS}/grown/execute`)).body.data.result).toBe(2);
  expect((await change({ language: "javascript" })).code).toBe("tool.code_invalid");
});

const DOORS = {
  creation: (code: string, name = "fresh") =>
    owner.post(TOOLS, {
      name,
      description: "d",
      parameters: { type: "object" },
      code,
      ...typescript,
    }),
  "a dry run": (code: string) => owner.post(`${TOOLS}/test`, { name: "fresh", code, ...typescript }),
};

describe.each(Object.entries(DOORS))(
  "%s is refused, with the place in what was written, for",
  (_door, send) => {
    test.each([
      ["syntax", "syntax", "const a = 1;\n\tconst b: = 2;", 2, 11],
      ["an enum", "typescript", "const a = 1;\nenum Colour { Red }", 2, 1],
      ["a namespace", "typescript", "  namespace A { export const b = 1; }", 1, 3],
      [
        "a forbidden pattern behind a type",
        "eval",
        "const a: Record<string, '日本'> = {};\nconst b: string = eval('1');",
        2,
        19,
      ],
      ["what closes the function around it", "syntax", "return 1; } async function other() {", 1, 11],
      ["a decorator, which no engine runs", "syntax", "@dec class A {}", 1, 1],
      ["code that is nested too deeply", "syntax", `return ${"(".repeat(100_000)}`, 1, 1],
    ])("%s", async (_what, rule, code, line, column) => {
      const { status, body } = await send(code);
      expect([status, body.code]).toEqual([400, "tool.code_invalid"]);
      expect(body.errors[0]).toMatchObject({ path: "code", rule, line, column });
      expect(body.detail).toContain(`line ${line}, column ${column}: `);
    });
  },
);

test("a dry run leaves the types out too", async () => {
  const { body } = await owner.post(`${TOOLS}/test`, {
    name: "fresh",
    code: CODE,
    testArguments: { lines: [{ price: 1, count: 3 }] },
    ...typescript,
  });
  expect(body.data).toMatchObject({ result: { total: 3 }, testMode: true });
});

/** Who has waited too long for a thread, as on a busy machine, is told to come again in a moment. */
const inTurn = (send: () => Promise<Answer>) =>
  until(() => send().then((answer) => (answer.status === 503 ? null : answer)), {
    what: "its turn",
    timeoutMs: 60_000,
  });

const MANY = isNightly ? 8 : 3;

test("hostile TypeScript from many at once keeps nobody from creating tools", async () => {
  const hostile = Array.from({ length: MANY }, () =>
    inTurn(() => DOORS.creation(`return ${"(".repeat(200_000)}`)),
  );
  const good = Array.from({ length: MANY }, (_, n) => inTurn(() => DOORS.creation(CODE, `good_${n}`)));
  for (const { status } of await Promise.all(hostile)) expect(status).toBe(400);
  for (const { status } of await Promise.all(good)) expect(status).toBe(201);
});

test("another language is refused by name", async () => {
  const body = {
    name: "py",
    description: "d",
    parameters: { type: "object" },
    code: "1",
    language: "python",
  };
  const answer = await owner.post(TOOLS, body);
  expect([answer.status, answer.body.errors[0].path]).toEqual([400, "language"]);
});
