import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { everyNth } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packAll } from "../../libs/sdk/build/pack.ts";
import { root } from "../architecture/support/house.ts";

const run = promisify(execFile);
const GZIP_BYTES_MAX = 15 * 1024;
const tsc = join(root, "node_modules", ".bin", "tsc");

let project: string;
let installed: string;

/** An empty project into which the tarballs are installed, from files alone. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "bulkhead-packed-"));
  installed = join(project, "node_modules", "@bulkhead", "client");
  const tarballs = await packAll(join(project, "tarballs"));
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({
      name: "empty",
      type: "module",
      private: true,
      // The one package that the command line depends on comes from here.
      overrides: { esbuild: `file:${join(root, "node_modules", "esbuild")}` },
    }),
  );
  // A peer is for whoever installs it: here it is linked.
  const flags = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  await run("npm", ["install", ...flags, ...tarballs], { cwd: project });
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("the client has no dependency, and fits into 15 KiB as it is sent", async () => {
  const there = await readdir(join(project, "node_modules"));
  expect(there.sort()).toEqual([".bin", ".package-lock.json", "@bulkhead", "bulkhead-cli", "esbuild"]);
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("private");
  const names = (await readdir(join(installed, "dist"))).filter((name) => name !== "react.js");
  const code = await Promise.all(names.map((name) => readFile(join(installed, "dist", name))));
  expect(gzipSync(Buffer.concat(code)).byteLength).toBeLessThan(GZIP_BYTES_MAX);
  // Neither does it need anything of Node.
  for (const text of code) expect(text.toString()).not.toMatch(/from "(node:|[a-z@])|\bprocess\.|\bBuffer\b/);
});

const PROGRAM = `
import { Bulkhead, BulkheadError, isEnd } from "@bulkhead/client";
const client = new Bulkhead({ url: process.argv[2], key: "bh_1" });
const result = await client.tools.run("adder", { a: 1 });
const { code } = await client.me().catch((error) => (error instanceof BulkheadError ? error : { code: "none" }));
console.log(JSON.stringify({ result, code, isEnd: isEnd({ event: "execution.lost" }) }));
`;

test("plain Node runs it from the tarball", async () => {
  const server = createServer((request, response) => {
    const isRun = request.url?.endsWith("/execute");
    response.writeHead(isRun ? 200 : 403, {
      "content-type": isRun ? "application/json" : "application/problem+json",
    });
    const end = { status: "succeeded", result: 3, isError: false };
    const problem = { code: "auth.forbidden", title: "No.", status: 403, retryable: false };
    response.end(JSON.stringify(isRun ? { success: true, data: end } : problem));
  }).listen(0, "127.0.0.1");
  try {
    await writeFile(join(project, "program.js"), PROGRAM);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await run("node", ["program.js", url], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({ result: 3, code: "auth.forbidden", isEnd: true });
  } finally {
    server.close();
  }
});

const TYPED = `
import { Bulkhead, ToolFailed, verifyWebhook, type Execution, type Tool, type CreateToolBody } from "@bulkhead/client";
interface BulkheadTools { adder: { arguments: { a: number }; result: number } }
const client = new Bulkhead<BulkheadTools>({ url: "https://a.example", key: () => "bh_1" });
const record: CreateToolBody = { name: "a", description: "a", parameters: {}, code: "return 1", title: undefined };
const tool: Tool = await client.tools.create(record);
const sum: number = await client.tools.run("adder", { a: 1 });
// @ts-expect-error -- It takes a number.
await client.tools.run("adder", { a: "1" });
// @ts-expect-error -- There is no such status.
client.executions.list({ status: ["done"] });
for await (const { id, status } of client.executions.list({ status: ["failed"] })) console.log(id, status);
for await (const told of client.tools.stream("adder", { a: 1 })) if (told.event === "execution.log") console.log(told.data.text);
const ended: Execution = await client.executions.wait("exe_1", { signal: AbortSignal.timeout(1) });
const { data } = await verifyWebhook(new Request("https://b.example"), "whsec_");
console.log(tool.contentHash, sum, ended.usage.cpuMs, data.omitted, ToolFailed.name);
`;

const GLOBALS = "declare const process: { env: Record<string, string | undefined> };\n";

const HOOK = `
import { useExecution, type WatchedExecution } from "@bulkhead/client/react";
export const useLogs = (id: string): WatchedExecution["logs"] => useExecution(id, "bht_1").logs;
`;

test("its types hold in strict mode where only a browser's names are known", async () => {
  await writeFile(join(project, "typed.ts"), TYPED);
  await writeFile(join(project, "hook.ts"), HOOK);
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, backend = ""] = /\n## From your backend\n.*?```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(backend).toContain("tools.run");
  await writeFile(join(project, "backend.ts"), GLOBALS + backend);
  await symlink(join(root, "node_modules", "@types"), join(project, "node_modules", "@types"));
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const { stdout } = await run(tsc, ["-p", project]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

const RENDERED = `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { useExecution } from "@bulkhead/client/react";
const Status = () => createElement("p", null, useExecution("exe_1", "bht_1", { url: "http://a" }).status);
console.log(renderToString(createElement(Status)));
`;

test("the hook renders on a server, where nothing is followed", async () => {
  for (const name of ["react", "react-dom", "scheduler"])
    await symlink(join(root, "node_modules", name), join(project, "node_modules", name));
  await writeFile(join(project, "rendered.js"), RENDERED);
  const { stdout } = await run("node", ["rendered.js"], { cwd: project });
  expect(stdout.trim()).toBe("<p>connecting</p>");
});

test("the command line runs from its tarball and depends on the bundler alone", async () => {
  const manifest = JSON.parse(
    await readFile(join(project, "node_modules", "bulkhead-cli", "package.json"), "utf8"),
  );
  expect(Object.keys(manifest.dependencies)).toEqual(["esbuild"]);
  const bulkhead = join(project, "node_modules", ".bin", "bulkhead");
  const env = { PATH: process.env["PATH"], XDG_CONFIG_HOME: project };
  const { stdout } = await run(bulkhead, ["--version"], { env });
  expect(stdout).toBe(`${manifest.version}\n`);
  await expect(run(bulkhead, ["tools", "--json"], { env })).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining("bulkhead login"),
  });
  await expect(
    run(bulkhead, ["whoami", "--url", "http://127.0.0.1:1"], { env: { ...env, BULKHEAD_KEY: "k" } }),
  ).rejects.toMatchObject({ code: 4 });
  // What tools see comes with it, and an editor knows it.
  const { stderr } = await run(bulkhead, ["init", "tools"], { env, cwd: project });
  expect(stderr).toContain("no server told");
  const checked = await run(tsc, ["-p", join(project, "tools")]).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe("");
});

test("READMEs are for whoever has the tarball: no link leads into the repository", async () => {
  for (const name of ["@bulkhead/client", "@bulkhead/ai-sdk", "bulkhead-cli"]) {
    const readme = await readFile(join(project, "node_modules", name, "README.md"), "utf8");
    expect(readme).toContain("```");
    expect(readme).not.toMatch(/\]\((?!https?:|#)|npx vitest/);
  }
});

const PUBLISHED = `
import { fromAiSdkTools } from "@bulkhead/ai-sdk";
const sent = [];
const put = async (name, body) => (sent.push(body), { name, version: 1, status: "active", changed: true });
const faults = await fromAiSdkTools("typed.tools.ts", { client: { tools: { put } } }).catch((error) => error.faults);
process.stdout.write(JSON.stringify({ sent, faults }));
`;

test("a module of tools is loaded from the tarballs, types and all", async () => {
  const folder = join(project, "published");
  await mkdir(folder);
  await symlink(join(root, "node_modules", "ai"), join(project, "node_modules", "ai"));
  await writeFile(join(folder, "publish.js"), PUBLISHED);
  const tool = `export const sum = { inputSchema: { type: "object" }, execute: (given: object) => given };`;
  const tools = join(folder, "typed.tools.ts");
  const publish = async () => JSON.parse((await run("node", ["publish.js"], { cwd: folder })).stdout);
  await writeFile(tools, tool);
  expect(await publish()).toMatchObject({
    sent: [{ name: "sum", code: expect.stringMatching(/^var bulkhead/) }],
    faults: [{ name: "sum" }],
  });
  await writeFile(tools, `const a: number = process.pid;\n${tool.replace("=> given", "=> a")}`);
  expect(await publish()).toMatchObject({ sent: [], faults: [{ code: "module.threw" }] });
});

const LOOP = `
import { Bulkhead } from "@bulkhead/client";
import { bulkheadTools, isFailedCall } from "@bulkhead/ai-sdk";
import { generateText } from "ai";
import { MockLanguageModelV3 } from "ai/test";
const image = { $bulkhead: "content", content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
const end = { executionId: "exe_1", execution: { id: "exe_1", status: "succeeded", isError: false, result: image } };
const tool = { name: "draw", description: "Draws.", inputSchema: { type: "object" } };
const answers = [
  ["/me", { key: { role: "agent" } }],
  ["/active/definitions", { tools: [tool] }],
  ["/execute", { executionId: "exe_1", status: "queued", links: {} }],
];
const client = new Bulkhead({
  url: "http://api",
  key: "bh_1",
  fetch: async (input) => {
    const [, data] = answers.find(([part]) => String(input).includes(String(part))) ?? [];
    if (data) return Response.json({ success: true, data });
    const event = "event: execution.succeeded\\nid: 1-1\\ndata: " + JSON.stringify(end) + "\\n\\n";
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  },
});
const tools = await bulkheadTools({ client, agentId: "painter" });
const model = new MockLanguageModelV3({
  doGenerate: {
    content: [{ type: "tool-call", toolCallId: "call_1", toolName: "draw", input: "{}" }],
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  },
});
const { response, toolResults } = await generateText({ model, tools, prompt: "Draw." });
console.log(JSON.stringify([response.messages.at(-1)?.content, toolResults.some(({ output }) => isFailedCall(output))]));
`;

const VERSIONS: [version: string, name: string, shown: object][] = [
  ["7", "ai", { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" }],
  ["6", "ai6", { type: "image-data", data: "aGk=", mediaType: "image/png" }],
];

test.each(everyNth(VERSIONS, 2))(
  "the tools work with version %s of the AI SDK, and their types hold there",
  async (version, name, shown) => {
    // Programs of one version see no link of the other.
    const folder = join(project, `loop-${version}`);
    await mkdir(folder);
    const link = join(project, "node_modules", "ai");
    await rm(link, { force: true });
    await symlink(join(root, "node_modules", name), link);
    await writeFile(join(folder, "loop.js"), LOOP);
    const { stdout } = await run(process.execPath, ["loop.js"], { cwd: folder });
    const [[part], isFailed] = JSON.parse(stdout);
    expect([part.output, isFailed]).toEqual([{ type: "content", value: [shown] }, false]);

    await writeFile(join(folder, "loop.ts"), LOOP.replaceAll("console.log", "globalThis.String"));
    const compilerOptions = {
      target: "es2023",
      lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
      types: [],
      module: "nodenext",
      strict: true,
      noEmit: true,
      // Of the AI SDK's own types only what is used has to hold.
      skipLibCheck: true,
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const checked = await run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe("");
  },
);
