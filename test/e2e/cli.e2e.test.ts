import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyNth, freePort, sharedProduct, until } from "@bulkhead/testing";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { loadFolder } from "bulkhead-cli/folders";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openCommandLine, type CommandLine } from "../support/cli.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { REVISIONS } from "../support/mcp-client.ts";

const product = await sharedProduct();
let cli: CommandLine;
let tenantId: string;
let owner: Client;

const CONTENT = { "content-type": "application/json" };
const json = (text: string): ReturnType<typeof JSON.parse> => JSON.parse(text);

beforeAll(async () => {
  cli = await openCommandLine();
  ({ id: tenantId, owner } = await newTenant(product));
  const parameters = { type: "object", properties: { zip: { type: "string" }, n: { type: "number" } } };
  await createTool(owner, "greeter", "console.log('hello', args.zip); emit({ n: args.n }); return args;", {
    parameters,
  });
  await createTool(owner, "thrower", "throw new Error('not today');");
  await createTool(owner, "waiter", "console.log('waiting'); await new Promise(() => {});");
  const { code, stderr } = await cli.run(["login", product.url, "--key-stdin"], { stdin: `${owner.key}\n` });
  expect([code, stderr]).toEqual([0, ""]);
});
afterAll(() => cli.close());

test("a key that was tried is kept where only its owner reads it, and a wrong one is not", async () => {
  const { mode } = await stat(cli.configPath);
  expect(mode & 0o777).toBe(0o600);
  const kept = await readFile(cli.configPath, "utf8");
  const [wrong, me] = await Promise.all([
    cli.say(["login", product.url, "--profile", "other", "--key-stdin"], { stdin: "bh_wrong" }),
    cli.say(["whoami", "--json"]),
  ]);
  expect([wrong.code, wrong.stdout]).toEqual([3, ""]);
  expect(wrong.stderr).toContain("→ Log in with a key that is valid");
  expect(await readFile(cli.configPath, "utf8")).toBe(kept);
  expect(json(me.stdout)).toMatchObject({
    profile: "default",
    key: { role: "owner" },
    tenant: { id: tenantId },
  });
  expect(me.stdout + me.stderr).not.toContain(owner.key);
});

test("the console's link logs a browser in, once", async () => {
  const { code, stdout } = await cli.say(["open", "console", "--json"]);
  const { url, expiresAt } = json(stdout);
  expect([code, Date.parse(expiresAt) > Date.now()]).toEqual([0, true]);
  const [page, loginCode] = url.split("#code=");
  expect(page).toBe(`${product.url}/console/`);
  const logIn = () => owner.raw("POST", "/api/v1/session", JSON.stringify({ code: loginCode }), CONTENT);
  expect([(await logIn()).status, (await logIn()).body.code]).toEqual([204, "auth.invalid_code"]);
});

test("a tool's log goes to stderr, its result to stdout, and each fault has its exit code", async () => {
  const [ran, threw, absent, wrong, away] = await Promise.all([
    cli.run(["run", "greeter", "-a", "zip=08001", "-a", "n=2"]),
    cli.run(["run", "thrower", "--json"]),
    cli.say(["run", "nobody"]),
    cli.say(["run", "greeter", '{"n": "two"}']),
    cli.say(["run", "greeter"], {
      env: { BULKHEAD_URL: `http://127.0.0.1:${await freePort()}`, BULKHEAD_KEY: "bh_any" },
    }),
  ]);
  expect(ran).toEqual({
    code: 0,
    stdout: '{\n  "zip": "08001",\n  "n": 2\n}\n',
    stderr: 'hello 08001\n· {"n":2}\n',
  });
  expect([threw.code, json(threw.stdout).status]).toEqual([1, "failed"]);
  expect(json(threw.stderr).error).toMatchObject({ code: "tool.threw", exitCode: 1 });
  expect([absent.code, absent.stdout]).toEqual([3, ""]);
  expect(absent.stderr).toContain("→ See which there are: bulkhead tools list");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("arguments.n: must be number")]);
  expect([away.code, away.stderr]).toEqual([4, expect.stringContaining("Is the server running")]);
});

test("the tools that come with the platform are run, shown and listed by their names", async () => {
  const [found, shown, all] = await Promise.all([
    cli.run(["run", "glob", "-a", "pattern=7", "--json"]),
    cli.run(["tools", "show", "glob"]),
    cli.run(["tools", "built-in"]),
  ]);
  // Its schema says that the pattern is a text, so that no number is made of it.
  expect([found.code, json(found.stdout).result]).toEqual([0, { files: [], truncated: false }]);
  expect(shown.stdout).toMatch(/works here +yes/);
  expect(all.stdout).toMatch(/^web_search +web +network +no: No search engine/m);
});

test("files go up, are listed, come down as they are, and go", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const there = ["--user", "ann"];
  const put = await cli.say(["files", "put", "-", "notes/a.md", ...there], { stdin: "# one\n" });
  expect(put).toEqual({ code: 0, stdout: "✓ Wrote notes/a.md, version 1.\n", stderr: "" });
  const again = await cli.say(["files", "put", "-", "notes/a.md", "--new", ...there], { stdin: "two" });
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("Somebody else was sooner")]);
  const listed = await cli.say(["files", "list", "notes", "--json", ...there]);
  expect(json(listed.stdout).files).toMatchObject([{ path: "notes/a.md", size: 6 }]);
  // Another user has none of it.
  expect(json((await cli.say(["files", "list", "--json"])).stdout).files).toEqual([]);
  const got = await cli.say(["files", "get", "notes/a.md", ...there]);
  expect([got.code, got.stdout]).toEqual([0, "# one\n"]);
  const here = join(folder, "a.md");
  await cli.say(["files", "get", "notes/a.md", "-o", here, ...there]);
  expect(await readFile(here, "utf8")).toBe("# one\n");
  const over = await cli.say(["files", "get", "notes/a.md", "-o", here, ...there]);
  expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("is there already")]);
  const whole = await cli.say(["files", "rm", "notes", "-y", ...there]);
  expect([whole.code, whole.stderr]).toEqual([3, expect.stringContaining("by -r")]);
  expect((await cli.say(["files", "rm", "notes", "-r", "-y", ...there])).stdout).toBe(
    "✓ Deleted one file.\n",
  );
  const gone = await cli.say(["files", "get", "notes/a.md", ...there]);
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining("bulkhead files list")]);
});

test("executions are found, and what one said is told again", async () => {
  const { stdout } = await cli.say([
    "executions",
    "list",
    "--tool",
    "greeter",
    "--status",
    "succeeded",
    "--json",
  ]);
  const [{ id }] = json(stdout).executions;
  const logs = await cli.say(["logs", id]);
  expect(
    logs.stdout.split("\n").map((line) => line.replace(/^\S+ {2}/, "").replace(/after .*/, "after …")),
  ).toEqual(["hello 08001", '· {"n":2}', "■ succeeded after …", ""]);
});

test("Ctrl-C cancels the execution and says so", async () => {
  const ran = await cli.run(["run", "waiter"], {
    onStderr: (said, kill) => {
      if (said === "waiting\n") kill("SIGINT");
    },
  });
  expect([ran.code, ran.stdout]).toEqual([130, ""]);
  const [, id] = /✗ Cancelled (exe_\w+)\./.exec(ran.stderr) ?? [];
  const { body } = await owner.get(`/api/v1/executions/${id}`);
  expect(body.data.status).toBe("cancelled");
});

test("an agent's call waits, a person allows it with its arguments in view, and it goes on", async () => {
  const agent = await newClient(product, tenantId, "agent");
  const asking = cli.say(["run", "greeter", '{"zip": "1\\u001b[2J"}'], {
    env: { BULKHEAD_KEY: agent.key ?? "", BULKHEAD_URL: product.url },
  });
  const waits = async () => (await owner.get("/api/v1/approvals")).body.data.approvals[0];
  const waiting = await until(waits, { what: "a call waits" });
  const [listed, shown] = await Promise.all([
    cli.say(["approvals", "--json"]),
    cli.say(["approvals", "show", waiting.id]),
  ]);
  expect(json(listed.stdout).approvals).toMatchObject([{ id: waiting.id, toolName: "greeter" }]);
  expect(shown.stdout).toContain('"zip": "1\\u001b[2J"');
  expect((await cli.say(["approvals", "allow", waiting.id])).code).toBe(0);
  const ran = await asking;
  expect([ran.code, json(ran.stdout)]).toEqual([0, { zip: "1\u001b[2J" }]);
  expect(ran.stderr).toContain(`bulkhead approvals allow ${waiting.id}`);
  expect(ran.stderr).toContain("hello 1\\x1b[2J\n");
});

test("a secret comes by stdin and is never told", async () => {
  const secret = "sk-live-4f9aa1c09d5e7b21";
  const set = await cli.say(["secrets", "set", "weather.api_key", "--create", "--host", "api.example.com"], {
    stdin: `${secret}\n`,
  });
  expect([set.code, set.stdout]).toEqual([0, "✓ weather.api_key is set (entry default).\n"]);
  const [listed, unsure] = await Promise.all([
    cli.say(["secrets", "list", "weather"]),
    cli.say(["secrets", "rm", "weather"]),
  ]);
  expect(listed.stdout).toMatch(
    /^default \* +api_key +secret +set .* ago, ends in 7b21 +api\.example\.com$/m,
  );
  expect(set.stdout + set.stderr + listed.stdout + listed.stderr).not.toContain(secret);
  expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining("→ Say --yes.")]);
});

test("a new key is told once, alone on stdout, and may do what its role may", async () => {
  const made = await cli.say(["keys", "create", "ci", "--role", "viewer", "--expires", "90d"]);
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^bh_\S+\n$/)]);
  const [, id] = /This is key (key_\w+) \(viewer, until/.exec(made.stderr) ?? [];
  const env = { BULKHEAD_URL: product.url, BULKHEAD_KEY: made.stdout.trim() };
  const refused = await cli.say(["keys", "create", "more", "--role", "owner", "--json"], { env });
  expect([refused.code, json(refused.stderr).error.code]).toEqual([3, "auth.forbidden"]);
  const removed = await cli.say(["keys", "rm", String(id), "--yes"]);
  expect([removed.code, removed.stdout]).toEqual([0, `✓ Deleted ${id}.\n`]);
});

test("a key that is rotated away from a profile leaves its new secret there, and logging out forgets it", async () => {
  const { key } = await newClient(product, tenantId, "owner");
  const profile = ["--profile", "rotated"];
  await cli.say(["login", product.url, ...profile, "--key-stdin"], { stdin: String(key) });
  await chmod(cli.configPath, 0o644);
  const rotated = await cli.say(["keys", "rotate", "--overlap", "0s", ...profile]);
  expect(rotated.stderr.match(/Other users may read/g)).toHaveLength(1);
  const kept = async () => json(await readFile(cli.configPath, "utf8")).profiles.rotated;
  expect(await kept()).toEqual({ url: product.url, key: rotated.stdout.trim() });
  const out = await cli.say(["logout", ...profile]);
  expect([out.code, out.stdout, await kept()]).toEqual([0, "✓ Forgot rotated.\n", undefined]);
});

test("a folder is begun with the server's types, and a template is a tool in it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-init-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const made = await cli.say(["init", folder, "--json"]);
  expect([made.code, json(made.stdout).types]).toEqual([0, "server"]);
  const { stdout: globals } = await cli.say(["types", "--globals"]);
  expect(await readFile(join(folder, "bulkhead.d.ts"), "utf8")).toBe(globals);

  const take = (...words: string[]) => cli.say(["new", ...words, "--folder", folder]);
  const [sales, diff, absent] = await Promise.all([
    take("csv_report", "sales"),
    take("compare_texts", "--json"),
    take("nothing_like_it"),
  ]);
  expect([sales.code, sales.stderr]).toEqual([0, expect.stringContaining("bulkhead test ")]);
  expect(json(diff.stdout)).toMatchObject({ packages: ["diff@9.0.0"], services: [] });
  expect([absent.code, absent.stderr]).toEqual([
    3,
    expect.stringContaining("→ See which there are: bulkhead new --list"),
  ]);
  expect((await take("csv_report", "sales")).stderr).toContain("is there already");
  const { tools, faults } = await loadFolder(folder);
  expect(tools.map(({ record }) => record.name)).toEqual(["sales", "word_count"]);
  // Its package is still to be installed.
  expect(faults.map(({ code, file }) => [code, file])).toEqual([["import.failed", "compare_texts/tool.ts"]]);
  expect((await cli.say(["new", "--list"])).stdout).toMatch(
    /^compare_texts +TypeScript with an npm package /m,
  );
});

// The newest by day, all at night: mcp.e2e.test.ts has both.
test.each(everyNth(REVISIONS.toReversed(), 2))(
  "in %s a client that speaks stdio alone lists and calls tools",
  async (_revision, mode) => {
    const client = new McpClient({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli.main, "mcp", "--view", "all", "--quiet", "--profile", "default"],
        env: cli.env,
        stderr: "ignore",
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("greeter");
    await owner.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } });
    const { content } = await client.callTool({ name: "greeter", arguments: { zip: "8001" } });
    expect(content).toEqual([{ type: "text", text: '{"zip":"8001"}' }]);
  },
);
