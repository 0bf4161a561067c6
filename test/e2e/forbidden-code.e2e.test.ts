import { asAdmin, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "harmless", "return 'ran';");
});

test("code that names the network without the permission is warned of, wherever it comes in", async () => {
  const code = "const { a } = await api.rest({ url: args.url }); return fetch(a);";
  const warning = expect.stringMatching(/^The code names fetch, api\.rest, but .* "network"/);
  const tool = { name: "offline", description: "d", parameters: { type: "object" }, code };
  const made = await owner.post("/api/v1/custom-tools", tool);
  expect(made.body.data.warnings).toEqual([warning]);
  const change = (body: object) => owner.patch("/api/v1/custom-tools/offline", body);
  expect((await change({ code: `${code};` })).body.data.warnings).toEqual([warning]);
  expect((await change({ permissions: ["network"] })).body.data.warnings).toBeUndefined();
  const dry = await owner.post("/api/v1/custom-tools/test", { ...tool, testArguments: {} });
  expect(dry.body.data).toMatchObject({ status: "failed", warnings: [warning] });
});

const OFFENDERS = [
  ["process", "const a = 1;\nreturn process.env.HOME;", 2, 8],
  ["require", "const fs = require('fs');", 1, 12],
  ["import", "return await import('node:fs');", 1, 14],
  ["__dirname", "return __dirname;", 1, 8],
  ["__filename", "return __filename;", 1, 8],
  ["global", "global.x = 1;", 1, 1],
  ["globalThis", 'return globalThis["ev" + "al"];', 1, 8],
  ["eval", "return eval('1');", 1, 8],
  ["Function", "return new Function('return 1')();", 1, 12],
  ["__proto__", 'return args["__pro" + "to__"];', 1, 13],
  ["constructor", "return (() => 1).constructor('return 1')();", 1, 18],
  ["with", "with (args) { return a; }", 1, 1],
] as const;

/** Every way by which code comes in, with what else each takes. */
const DOORS = {
  creation: (code: string) =>
    owner.post("/api/v1/custom-tools", {
      name: "fresh",
      description: "d",
      parameters: { type: "object" },
      code,
    }),
  "a change": (code: string) => owner.patch("/api/v1/custom-tools/harmless", { code }),
  "a dry run": (code: string) => owner.post("/api/v1/custom-tools/test", { name: "fresh", code }),
};

describe.each(Object.entries(DOORS))("[E9, P1] %s is refused for code with", (_door, send) => {
  test.each(OFFENDERS)("%s, naming line, column and rule", async (rule, code, line, column) => {
    const { status, body } = await send(code);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "tool.code_invalid", success: false, retryable: false });
    const [first] = body.errors;
    expect(first).toMatchObject({ path: "code", line, column, rule });
    expect(first.message).toMatch(new RegExp(`^line ${line}, column ${column}: .*\\(${rule}\\)$`));
    expect(body.detail).toBe(`The code holds a forbidden pattern: ${first.message}`);
  });
});

test("all faults are told at once, in the order of the text", async () => {
  const { body } = await DOORS.creation("require('x');\nreturn eval('1') + process.pid;");
  const told = body.errors.map(({ line, column, rule }: Record<string, unknown>) => [line, column, rule]);
  expect(told).toEqual([
    [1, 1, "require"],
    [2, 8, "eval"],
    [2, 20, "process"],
  ]);
});

test("a refused change leaves the tool as it was, and the words in texts and names are fine", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/harmless/execute");
  expect(body.data.result).toBe("ran");
  const code = "const process = { step: args.global }; /* eval( */ return [process.step, 'require(x)'];";
  const dryRun = await owner.post("/api/v1/custom-tools/test", {
    name: "fresh",
    code,
    testArguments: { global: 1 },
  });
  expect(dryRun.body.data.result).toEqual([1, "require(x)"]);
});

test("code may ask whether there are such names, and learns that there are none", async () => {
  const names = [
    "process",
    "require",
    "module",
    "exports",
    "__dirname",
    "__filename",
    "global",
    "globalThis",
  ];
  const blocked = [...names, "eval", "Function", "Atomics", "SharedArrayBuffer"];
  const code = `return [${blocked.map((name) => `typeof ${name}`).join(", ")}];`;
  const dryRun = await owner.post("/api/v1/custom-tools/test", { name: "fresh", code });
  expect(dryRun.body.data.result).toEqual(blocked.map(() => "undefined"));
});

test("the reference describes line, column and rule", async () => {
  const { body } = await owner.get("/docs/json");
  const { properties } = body.components.schemas.Problem.properties.errors.items;
  expect(Object.keys(properties)).toEqual(["path", "message", "line", "column", "rule"]);
});

test("code that reached the database another way is not run, and the next call is served", async () => {
  product.showLogsIfTestFails();
  const { id } = await createTool(owner, "smuggled", "return 'the first';");
  await asAdmin(
    product.databaseUrl,
    `INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, created_at)
     SELECT tool_id, 2, E'console.log(1);\\nreturn process.pid;', parameters, permissions, limits, created_at
     FROM tool_versions WHERE tool_id = '${id}'`,
  );
  await asAdmin(product.databaseUrl, `UPDATE tools SET version = 2 WHERE id = '${id}'`);

  for (const _again of ["looked at", "remembered"]) {
    const { status, body } = await owner.post("/api/v1/custom-tools/smuggled/execute");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: "failed",
      isError: true,
      result: null,
      error: { code: "tool.code_invalid" },
      metadata: { usage: { cpuMs: 0, wallMs: 0 } },
    });
    expect(body.data.error.message).toMatch(
      /^The code was not run: process is .*\[rule: process\] \(tool\.js:2:8\)$/,
    );
  }
  const events = await (
    await owner.stream("/api/v1/custom-tools/smuggled/execute", { mode: "stream" })
  ).rest();
  expect(events.map(({ event }) => event)).toEqual(["execution.queued", "execution.failed"]);
  expect((await owner.post("/api/v1/custom-tools/harmless/execute")).body.data.result).toBe("ran");
});
