import { sharedProduct, until } from "@bulkhead/testing";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandLine, type CommandLine } from "../support/cli.ts";
import { newTenant, type Client } from "../support/client.ts";

const FILES: Record<string, string> = {
  "greet/manifest.json": `{ "description": "Greets.", "input": { "name": { "type": "string", "required": true } } }`,
  "greet/tool.js": "console.log('greets', args.name);\nreturn { hello: args.name };\n",
  "greet/examples/ada.json": `{ "arguments": { "name": "Ada" }, "result": { "hello": "Ada" } }`,
  "greet/examples/nobody.json": `{ "result": { "$error": "tool.arguments_invalid" } }`,
  "rate/manifest.json": `{ "description": "Rates.", "permissions": ["network"] }`,
  "rate/tool.ts":
    "type Rate = { usd: number };\n" +
    "const answer = await fetch('https://rates.example/eur');\n" +
    "const { usd }: Rate = await answer.json();\n" +
    "if (usd > 2) throw new Error(`odd: ${usd}`);\n" +
    "return { usd, id: crypto.randomUUID() };\n",
  "rate/examples/usual.json": `{ "fetch": [{ "url": "https://rates.example/eur", "body": { "usd": 1.1 } }],
    "result": { "$match": { "usd": { "$schema": { "type": "number", "minimum": 1 } } } } }`,
};

const product = await sharedProduct();
let cli: CommandLine;
let owner: Client;
let root: string;
let env: Record<string, string>;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

beforeAll(async () => {
  cli = await openCommandLine();
  ({ owner } = await newTenant(product));
  env = { BULKHEAD_URL: product.url, BULKHEAD_KEY: owner.key ?? "" };
  root = mkdtempSync(join(tmpdir(), "bulkhead-tools-"));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
});
afterAll(async () => {
  rmSync(root, { recursive: true });
  await cli.close();
});

test("examples run in the sandbox without the network, and each difference is told with its place", async () => {
  const right = await cli.say(["test", root, "--require-examples"], { env });
  expect([right.code, right.stderr]).toEqual([0, "✓ 3 of 3 examples passed.\n"]);
  expect(right.stdout.replaceAll(/\(.*\)/g, "()")).toBe(
    "✓ greet: ada ()\n✓ greet: nobody ()\n✓ rate: usual ()\n",
  );
  write(
    "rate/examples/odd.json",
    `{ "fetch": [{ "url": "https://rates.example/eur", "body": { "usd": 3 } }], "result": { "usd": 3 } }`,
  );
  const junit = join(root, "junit.xml");
  const wrong = await cli.say(["test", root, "rate", "--junit", junit], { env });
  expect([wrong.code, wrong.stderr]).toEqual([1, "✗ 1 of 2 examples passed.\n"]);
  expect(wrong.stdout).toContain("Error: odd: 3 (rate/tool.ts:4:20)\n");
  expect(wrong.stdout).toContain("    > 4 | if (usd > 2) throw new Error(`odd: ${usd}`);\n");
  expect(readFileSync(junit, "utf8")).toContain('<testsuite name="rate" tests="2" failures="1" errors="0"');
  rmSync(join(root, "rate/examples/odd.json"));
});

test("each save is tried as a draft that nobody else sees, and leaving deletes it", async () => {
  const seen = { text: "" };
  let leave = (_signal: NodeJS.Signals): void => {};
  const running = cli.run(["dev", root, "--verbose"], {
    env,
    onStdout: (said) => (seen.text = said),
    onStderr: (_said, kill) => (leave = kill),
  });
  const told = (pattern: RegExp) => until(() => pattern.exec(seen.text), { what: `it tells ${pattern}` });
  await Promise.all([told(/✓ greet ok in/), told(/✓ rate ok in/)]);
  const second = await cli.say(["dev", root], { env });
  expect([second.code, second.stderr]).toEqual([3, expect.stringContaining("Another bulkhead dev watches")]);
  const { body: nobody } = await owner.get("/api/v1/custom-tools/greet");
  const { tools } = (await owner.get("/api/v1/custom-tools")).body.data;
  expect([nobody.code, tools.map(({ agentId }: { agentId: string }) => agentId.replace(/-.*/, ""))]).toEqual([
    "tool.not_found",
    ["dev", "dev"],
  ]);
  write("greet/tool.js", "console.log('greets', args.name);\nreturn { hello: 'not you' };\n");
  await told(
    /greet \| greets Ada\n✗ greet: ada .*\n {2}result.hello\n {4}expected "Ada"\n {4}got {6}"not you"/,
  );
  await told(/✗ greet failed in .*: load \d+, this tool's part of it .*, upload \d+, run \d+/);
  write("greet/tool.js", "return { hello: args.name };\n");
  await told(/✓ greet ok in .*\n$/);
  const types = join(root, "bulkhead.d.ts");
  await until(() => existsSync(types) && readFileSync(types, "utf8").includes("greet"), {
    what: "types are kept",
  });
  leave("SIGINT");
  const { code, stderr } = await running;
  expect([code, stderr]).toEqual([0, expect.stringContaining("2 drafts are deleted.")]);
  expect((await owner.get("/api/v1/custom-tools")).body.data.tools).toEqual([]);
});
