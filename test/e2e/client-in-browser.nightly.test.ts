import { sharedProduct } from "@bulkhead/testing";
import { build } from "esbuild";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packPackage } from "../../libs/sdk/build/pack.ts";
import { root } from "../architecture/support/house.ts";
import { startBrowser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { startCutProxy, type CutProxy } from "../support/cut-proxy.ts";
import { shutGate } from "../support/gate.ts";

const run = promisify(execFile);

/** A page that loads the package as it is in its tarball, by no more than an import map. */
const PAGE = `<!doctype html><title>A customer's page</title><div id="root"></div>
<script type="importmap">{ "imports": { "@bulkhead/client": "/client/index.js" } }</script>
<script type="module" src="/program.js"></script>`;

const PROGRAM = `
import { Bulkhead, BulkheadError, ToolFailed } from "@bulkhead/client";
const codeOf = (error) => [error instanceof BulkheadError, error instanceof ToolFailed, error.code, error.status];
window.work = async ({ url, key, gate }) => {
  const client = new Bulkhead({ url, key });
  const made = await client.tools.create({ name: "doubles", description: "Doubles.", parameters: {}, code: "return 2 * args.a;" });
  const doubled = await client.tools.run("doubles", { a: 4 });
  const told = [];
  for await (const { id, event, data } of client.tools.stream("waits", { gate })) {
    told.push([id, event, data.value]);
    if (data.value === "before") await window.cutConnections();
  }
  const calls = Array.from({ length: 3 }, (_, a) => ({ tool: "adds", arguments: { a, b: 1 } }));
  const batch = await client.tools.batch(calls);
  const ended = await Promise.all(batch.map(({ executionId }) => client.executions.wait(executionId)));
  return {
    made: made.version,
    doubled,
    told,
    results: ended.map(({ status, result }) => [status, result]),
    failed: await client.tools.run("fails", {}).catch(codeOf),
    missing: await client.tools.get("nowhere").catch(codeOf),
  };
};
window.byToken = async ({ url, key }) => {
  const client = new Bulkhead({ url, key });
  return {
    sum: await client.tools.run("adds", { a: 20, b: 22 }),
    other: await client.tools.run("fails", {}).catch(codeOf),
    list: await client.tools.list().catch(codeOf),
  };
};
window.isLoaded = true;
`;

const HOOK = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { useExecution } from "@bulkhead/client/react";
const Watch = ({ id, url, token }) => {
  const { status, progress, result } = useExecution(id, token, { url });
  return createElement("p", null, [status, progress.map(({ value }) => value).join(" "), result].join("|"));
};
window.watch = (asked) => createRoot(document.getElementById("root")).render(createElement(Watch, asked));
`;

const product = await sharedProduct();
/** What was opened, the last one first. */
const closing: (() => Promise<unknown>)[] = [];
let folder: string;
let page: Page;
let proxy: CutProxy;
let owner: Client;

/** The tarball's modules, and the hook as a customer's bundler makes it of them. */
async function install(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-page-"));
  closing.unshift(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, "node_modules", "@bulkhead", "client");
  await mkdir(installed, { recursive: true });
  const tarball = await packPackage("libs/sdk/client", folder);
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  await build({
    stdin: { contents: HOOK, resolveDir: folder },
    bundle: true,
    format: "esm",
    outfile: join(folder, "hook.js"),
    nodePaths: [join(root, "node_modules")],
    define: { "process.env.NODE_ENV": '"production"' },
  });
}

async function fileOf(path: string): Promise<string> {
  if (path === "/") return PAGE;
  if (path === "/program.js") return PROGRAM;
  if (path === "/hook.js") return readFile(join(folder, "hook.js"), "utf8");
  return readFile(join(folder, "node_modules/@bulkhead/client/dist", basename(path)), "utf8");
}

/** Serves the page, at an origin that is not the API's. */
async function servePage(): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    response.setHeader("content-type", path === "/" ? "text/html" : "text/javascript");
    fileOf(path).then(
      (text) => response.end(text),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.unshift(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeAll(async () => {
  await install();
  ({ owner } = await newTenant(product));
  await createTool(owner, "adds", "return args.a + args.b;", { parameters: { type: "object" } });
  await createTool(owner, "fails", "throw new Error('out of paper');");
  const waits = "emit('before'); await fetch(args.gate); emit('after'); return 1;";
  await createTool(owner, "waits", waits, { parameters: { type: "object" }, permissions: ["network"] });
  proxy = await startCutProxy(product.url);
  closing.unshift(() => proxy.close());
  const url = await servePage();
  const browser = await startBrowser();
  closing.unshift(() => browser.close());
  page = await (await browser.open()).newPage();
  await page.goto(url);
  await page.waitForFunction("window.isLoaded");
});

afterAll(async () => {
  for (const close of closing) await close();
});

/** What a function of the page answers. */
const inPage = (name: string, asked: object): Promise<ReturnType<typeof JSON.parse>> =>
  page.evaluate(`window.${name}(${JSON.stringify(asked)})`);

test("a page makes tools, runs them, streams over a broken connection, batches and waits", async () => {
  product.showLogsIfTestFails();
  const gate = await shutGate();
  await page.exposeFunction("cutConnections", () => {
    proxy.cut();
    gate.open();
  });
  const done = await inPage("work", { url: proxy.url, key: owner.key, gate: gate.url });
  expect([done.made, done.doubled]).toEqual([1, 8]);
  expect(done.told).toEqual([
    ["1-1", "execution.queued", undefined],
    ["1-2", "execution.started", undefined],
    ["1-3", "execution.progress", "before"],
    ["1-4", "execution.progress", "after"],
    ["1-5", "execution.succeeded", undefined],
  ]);
  expect(done.results).toEqual([1, 2, 3].map((sum) => ["succeeded", sum]));
  expect(done.failed).toEqual([true, true, "tool.threw", 200]);
  expect(done.missing).toEqual([true, false, "tool.not_found", 404]);
});

test("a page with an access token does what that is for, and reads why it may no more", async () => {
  product.showLogsIfTestFails();
  const scope = { tools: ["adds"], operations: ["execute", "read", "stream"] };
  const { body } = await owner.post("/api/v1/access-tokens", { scope, expiresInSeconds: 600 });
  const key: string = body.data.token;
  expect(await inPage("byToken", { url: product.url, key })).toEqual({
    sum: 42,
    other: [true, false, "tool.not_found", 404],
    list: [true, false, "access_token.out_of_scope", 403],
  });
});

test("the hook follows an execution in a page", async () => {
  product.showLogsIfTestFails();
  const called = await owner.post("/api/v1/custom-tools/adds/execute", {
    arguments: { a: 3, b: 4 },
    mode: "async",
  });
  const id: string = called.body.data.executionId;
  const scope = { executions: [id], operations: ["stream"] };
  const { body } = await owner.post("/api/v1/access-tokens", { scope, expiresInSeconds: 600 });
  await page.addScriptTag({ url: "/hook.js", type: "module" });
  await inPage("watch", { id, url: product.url, token: body.data.token });
  await page.waitForFunction("document.querySelector('p')?.textContent === 'succeeded||7'");
});
