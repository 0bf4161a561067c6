import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Start } from "../cli.ts";
import { runCli } from "../run-cli.ts";

let home: string;
let server: Server;
/** How an import that stores ends. */
let store: (response: ServerResponse) => void;
/** Whose key it is. */
let key: { id: string; role: string; agentId?: string } = { id: "key_1", role: "owner" };

const answer = (response: ServerResponse, status: number, body: object): void => {
  const type = status === 200 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
};

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "bulkhead-push-")));
  await mkdir(join(home, "greet"));
  await writeFile(join(home, "greet", "manifest.json"), '{"name":"greet","description":"Greets."}');
  await writeFile(join(home, "greet", "tool.js"), "return 1;");
  const tenant = { id: "ten_1", name: "acme" };
  server = createServer((request, response) => {
    request.resume();
    const ok = (data: object) => answer(response, 200, { success: true, data, meta: {} });
    if (request.url?.endsWith("/me")) ok({ tenant, key });
    else if (request.url?.includes("/hashes")) ok({ tools: [], nextCursor: null });
    else store(response);
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  server.close();
  await rm(home, { recursive: true });
});

async function push(...more: string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const { port } = server.address() as AddressInfo;
  const settings = { BULKHEAD_URL: `http://127.0.0.1:${port}`, BULKHEAD_KEY: "bh_key" };
  const start = {
    env: { ...process.env, ...settings, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: join(home, ".cache") },
    stdin: new PassThrough(),
    stdout: { write: (text: string) => void (stdout += text) },
    stderr: { write: (text: string) => void (stderr += text) },
  };
  const exit = await runCli(["push", "--yes", "--folder", home, ...more], start as unknown as Start);
  return { exit, stdout, stderr };
}

test("a push whose answer is lost does not say that nothing was pushed", async () => {
  store = (response) => void response.destroy();
  const { exit, stderr } = await push();
  expect([exit, stderr]).toEqual([4, expect.stringContaining("Whether anything was pushed is not known.")]);
  expect(stderr).toContain("→ Look again: bulkhead status");
});

test("a push that is refused says that nothing was pushed", async () => {
  const code = "tool.precondition_failed";
  store = (response) => answer(response, 412, { type: code, code, title: "It was changed.", status: 412 });
  const { exit, stderr } = await push();
  expect([exit, stderr]).toEqual([
    3,
    expect.stringContaining("Somebody else changed the tools just now. Nothing was pushed."),
  ]);
});

test("a plan that can't be made is told in its place", async () => {
  store = (response) =>
    answer(response, 503, { code: "service.unavailable", title: "It is `down`.", status: 503 });
  const { exit, stdout, stderr } = await push("--pr-comment");
  expect([exit, stderr]).toEqual([4, expect.stringContaining("✗ It is `down`.")]);
  expect(stdout).toBe(
    "### Tools: the plan failed\n\n- `It is ˋdownˋ.`\n- `→ Try again; if it stays so, tell the operator the request's id.`\n",
  );
});

test("what can't be meant is said before anything is pushed", async () => {
  store = () => expect.unreachable();
  const both = await push("--pr-comment", "--json");
  expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining("--pr-comment writes Markdown")]);
  key = { id: "key_2", role: "agent", agentId: "one" };
  const other = await push("--agent", "two");
  expect([other.exit, other.stderr]).toEqual([
    2,
    expect.stringContaining("This is a key of the agent one, which has no tools of two."),
  ]);
});
