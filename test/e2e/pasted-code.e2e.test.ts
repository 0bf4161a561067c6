import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const PASTED =
  "```ts\nimport type { Line } from './line';\n\nexport default async function total({ prices }: { prices: number[] }): Promise<number> {\n  return prices.reduce((a, b) => a + b, 0);\n}\n```\n";
const CALL = { arguments: { prices: [1, 2, 3.5] } };

test("code as a model answers it, a module in a fence, is a tool that is called with the arguments", async () => {
  const made = await createTool(owner, "pasted", PASTED, { language: "typescript" });
  expect(made).toMatchObject({ code: PASTED, language: "typescript" });
  expect((await owner.post(`${TOOLS}/pasted/execute`, CALL)).body.data.result).toBe(6.5);
});

test.each([
  ["an_arrow", "async ({ prices }) => prices.length"],
  ["a_nameless_function", "async function (args) { return args.prices.length; }"],
  ["an_export", "export default async function count({ prices }) { return prices.length; }"],
  [
    "a_call_at_its_end",
    "async function main() {\n  return args.prices.length;\n}\nmain().catch(console.error);",
  ],
  ["a_list_of_exports", "const count = ({ prices }) => prices.length;\nexport { count as default };"],
  ["a_body_in_a_fence", "```js\nreturn args.prices.length;\n```"],
])(
  "JavaScript of %s is kept as it was written, runs when it is called, and can be changed",
  async (name, code) => {
    const made = await createTool(owner, name, code);
    expect(made).toMatchObject({ code, language: "javascript" });
    expect((await owner.post(`${TOOLS}/${name}/execute`, CALL)).body.data.result).toBe(3);
    expect((await owner.patch(`${TOOLS}/${name}`, { code: "() => 7" })).status).toBe(200);
    expect((await owner.post(`${TOOLS}/${name}/execute`, CALL)).body.data.result).toBe(7);
  },
);

test("a generator that nobody asks for anything is refused with what to do", async () => {
  const code = "async function* main({ prices }) { yield* prices; }";
  const { status, body } = await owner.post(`${TOOLS}/test`, { name: "idle", code });
  expect([status, body.errors[0].rule]).toEqual([400, "uncalled"]);
  expect(body.detail).toContain("return await Array.fromAsync(main(args));");
});

test.each([
  ["an arrow", "async ({ prices }) => prices.length"],
  ["a function without a name", "async function (args) { return args.prices.length; }"],
  [
    "main in a fence",
    "```\nasync function main(args, { tenantId }) {\n  return tenantId ? args.prices.length : null;\n}\n```",
  ],
])("a dry run and a script of %s call it too", async (_what, code) => {
  const dry = await owner.post(`${TOOLS}/test`, { name: "dry", code, testArguments: CALL.arguments });
  expect(dry.body.data).toMatchObject({ result: 3, isError: false });
  const script = await owner.post("/api/v1/meta-tools/run_code", { code, ...CALL });
  expect(script.body.data).toMatchObject({ result: 3, isError: false });
});

test.each([
  ["an arrow on one line", "(args) => { null.a; }", "tool.js:1:18"],
  ["an arrow behind a comment", "/* it */\n  (args) => { null.a; }", "tool.js:2:20"],
  ["an export", "export default (args) => { null.a; }", "tool.js:1:33"],
  ["a line below", "async (args) => {\n  null.a;\n}", "tool.js:2:8"],
  ["a call at the start", "(async () => { null.a; })();", "tool.js:1:21"],
])("an error of %s has the place that was written", async (_what, code, place) => {
  const { body } = await owner.post(`${TOOLS}/test`, { name: "thrower", code });
  expect(body.data.error.message).toContain(`(${place}`);
});

test("functions none of which is the one to call are refused with what to do", async () => {
  const code = "function first() {}\nfunction second() {}";
  const { status, body } = await owner.post(`${TOOLS}/test`, { name: "idle", code });
  expect([status, body.code, body.errors[0].rule]).toEqual([400, "tool.code_invalid", "uncalled"]);
  expect(body.detail).toContain("end it with return first(args);");
});

test("a class that nobody calls is refused, and a value that is not returned is a warning", async () => {
  const code = "class Tool {\n  async execute(args) {}\n}";
  const { status, body } = await owner.post(`${TOOLS}/test`, { name: "idle", code });
  expect([status, body.errors[0].rule]).toEqual([400, "uncalled"]);
  const lost = await owner.post(`${TOOLS}/test`, { name: "lost", code: "args.prices?.length;" });
  expect(lost.body.data.warnings).toEqual([expect.stringContaining("put return before it")]);
});

test("TypeScript with a call at its end returns that, too", async () => {
  const code = "async function main(n: number): Promise<number> {\n  return n + 1;\n}\n\nvoid main(6);";
  const { body } = await owner.post(`${TOOLS}/test`, { name: "typed", code, language: "typescript" });
  expect(body.data).toMatchObject({ result: 7, isError: false });
});

test("names that a tool doesn't have are warnings that say what there is instead", async () => {
  const code =
    "total = await axios.get('https://a.test');\nreturn [typeof process, typeof require, typeof window];";
  const { body } = await owner.post(TOOLS, {
    name: "names",
    description: "d",
    parameters: { type: "object" },
    code,
  });
  expect(body.data.warnings).toEqual([
    expect.stringContaining("The code uses total (line 1, column 1)"),
    expect.stringMatching(/The code uses axios .*use fetch or api\.rest\./),
  ]);
});

test("Buffer does what snippets ask of it", async () => {
  const code = `
    const key = Buffer.from("user:pässword").toString("base64");
    const back = Buffer.from(key, "base64");
    return [key, back.toString(), Buffer.concat([back, Buffer.from("00ff", "hex")]).length, Buffer.byteLength("é"),
      Buffer.isBuffer(back), Buffer.from("??>").toString("base64url"), JSON.stringify(Buffer.from("a"))];`;
  const { body } = await owner.post(`${TOOLS}/test`, { name: "bytes", code });
  expect(body.data.result).toEqual([
    "dXNlcjpww6Rzc3dvcmQ=",
    "user:pässword",
    16,
    2,
    true,
    "Pz8-",
    '{"type":"Buffer","data":[97]}',
  ]);
  expect(body.data.warnings).toBeUndefined();
});
