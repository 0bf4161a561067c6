import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FILE_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type CapabilityFamily,
  type JsonObject,
} from "@bulkhead/core";
import { openDatabase, type Database } from "@bulkhead/postgres";
import { limitLinks, openServerLauncher, processStat } from "@bulkhead/sandbox";
import { openProcessBoard, openStreamRedis } from "@bulkhead/redis";
import {
  leakCheck,
  openTestDatabase,
  openTestRedis,
  until,
  type TestDatabase,
  type TestRedis,
} from "@bulkhead/testing";
import { BackgroundCommands, openShell, openShells } from "@bulkhead/tools/built-in";
import { listFiles, openFileSearch, readFile, writeFile } from "@bulkhead/tools/files";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

leakCheck();
const launcher = openServerLauncher();
const memoryOf = (pid: number): number | null => processStat(pid)?.rssMib ?? null;
const shells = openShells({ limitLinks, memoryOf }, launcher);
const search = openFileSearch();
let testDatabase: TestDatabase;
let database: Database;
let server: TestRedis;
let redis: Awaited<ReturnType<typeof openStreamRedis>>;
let background: BackgroundCommands;
const reported: unknown[] = [];
let family: CapabilityFamily;
let deps: Parameters<typeof openShell>[0];
/** Why this machine keeps no programs in; null where it does. */
let missing: string | null = null;

beforeAll(async () => {
  testDatabase = await openTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolMax: 4 });
  server = await openTestRedis();
  redis = await openStreamRedis({ redisUrl: server.url, onError: () => undefined });
  background = newBackground();
  deps = { ...database, search, ...shells, background };
  family = openShell(deps);
  const program = { tenantId: "ten_a", command: process.execPath, args: ["--version"], env: {} };
  missing = await launcher.launch(program).then(
    async (one) => (await one.ended, null),
    (error: Error) => error.message,
  );
});
const newBackground = () =>
  new BackgroundCommands(openProcessBoard(redis), (_, error) => reported.push(error));
afterAll(async () => {
  await background?.close();
  await shells.close();
  await launcher.close();
  await search.close();
  await redis?.close();
  await server?.close();
  expect(reported).toEqual([]);
  await database?.close();
  await testDatabase?.close();
});

let tenantId = "";
let count = 0;
async function newTenant(engine: "virtual" | "namespaces"): Promise<void> {
  count += 1;
  tenantId = `ten_shell${count}`;
  await database.tenants.create({
    id: tenantId,
    slug: `shell${count}`,
    name: "A tenant",
    limits: TENANT_LIMITS_DEFAULT,
    settings: { ...TENANT_SETTINGS_DEFAULT, files: FILE_SETTINGS_DEFAULT, shell: { engine } },
    createdAt: new Date(),
  });
}
const asker = () => ({ workspace: { tenantId, agentId: "a", userId: null }, by: "exe_1", seesAll: false });
const write = (path: string, text: string) => writeFile(deps, asker(), { path, content: Buffer.from(text) });
const read = async (path: string) => Buffer.from((await readFile(deps, asker(), { path })).bytes).toString();
const paths = async () =>
  (await listFiles(deps, asker(), { isRecursive: true, limit: 100 })).entries.flatMap((one) =>
    one.kind === "file" ? [one.file.path] : [],
  );

/** Asks for an operation; a refusal is answered as its code. */
async function ask(
  operation: string,
  args: JsonObject,
  content: string | null = null,
  userId: string | null = null,
) {
  const caller = { ...asker().workspace, userId, executionId: "exe_1", toolName: "process" };
  const answer = await family.run(
    { operation, arguments: args, content },
    caller,
    new AbortController().signal,
  );
  return answer.ok ? answer.value : { refused: answer.code, message: answer.message };
}
const output = async (id: unknown, since = 0) =>
  (await ask("output", { id: id as string, since })) as JsonObject & {
    status: string;
    output: string;
    next: number;
    exitCode: number;
  };
const started = async (
  command: string,
  more: JsonObject = {},
  stdin: string | null = null,
): Promise<string> => String(((await ask("start", { command, ...more }, stdin)) as { id?: string }).id);

async function exec(command: string, more: JsonObject = {}, stdin: string | null = null) {
  const caller = { ...asker().workspace, executionId: "exe_1", toolName: "exec" };
  const request = { operation: "exec", arguments: { command, ...more }, content: stdin };
  const answer = await family.run(request, caller, new AbortController().signal);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value as {
    stdout: string;
    stderr: string;
    exitCode: number;
    unsaved: JsonObject[];
  } & JsonObject;
}

test("the shell in JavaScript runs within the system's limits", async () => {
  await newTenant("virtual");
  expect(await exec("echo hello > a; cat a")).toMatchObject({
    stdout: "hello\n",
    engine: "virtual",
    written: 1,
  });
});

test("a machine that keeps no programs in says why", async ({ skip }) => {
  await newTenant("namespaces");
  skip(missing === null, "this machine keeps programs in");
  await expect(exec("echo")).rejects.toThrow(/^capability_denied: The command can't be run in namespaces: /);
});

describe("real programs", () => {
  beforeEach(async ({ skip }) => {
    skip(missing !== null, `this machine keeps no programs in: ${missing}`);
    await newTenant("namespaces");
  });

  test("work on the workspace at /workspace, and their changes are saved", async () => {
    await write("src/a.txt", "one\n");
    await write("gone", "x");
    const command =
      'pwd; cat a.txt /workspace/gone; read line; echo "$line $X"; rm ../gone; perl -e "print uc <STDIN>" > /workspace/up; exit 3';
    const done = await exec(command, { cwd: "src", env: { X: "y" } }, "first\nsecond\n");
    expect(done).toEqual({
      stdout: "/workspace/src\none\nxfirst y\n",
      stderr: "",
      exitCode: 3,
      timedOut: false,
      truncated: false,
      engine: "namespaces",
      written: 1,
      removed: 1,
      unsaved: [],
    });
    expect([await paths(), await read("up")]).toEqual([["src/a.txt", "up"], "SECOND\n"]);
  });

  test("find no network, no secret and no file of the machine", async () => {
    const secret = join(process.cwd(), "package.json");
    const done = await exec(
      `cat ${secret}; cat /etc/shadow; cat /proc/1/environ | tr '\\0' ' '; env; (exec 3<>/dev/tcp/127.0.0.1/5432) 2>&1 && echo reached; ls /`,
    );
    expect(done.stdout).not.toMatch(/bulkhead|root:|reached|DATABASE|postgres/i);
    expect(done.stderr).toContain(`${secret}: No such file or directory`);
    const outside = "/tmp/shell-wrote-this";
    await exec(`echo x > ${outside}; echo y > /usr/bin/mine`);
    expect(existsSync(outside)).toBe(false);
  });

  test("leave no link, pipe or device in the workspace, and nothing of another's", async () => {
    writeFileSync("/tmp/shell-others", "others");
    await write("a", "x");
    const done = await exec(
      "ln -s /etc/passwd link; ln -s / all; mkfifo pipe; ln a hard; printf x > $'bad\\xff'; cat /tmp/shell-others",
    );
    expect(done.unsaved.map(({ path }) => String(path)).toSorted()).toEqual([
      "all",
      expect.stringContaining("bad"),
      "link",
      "pipe",
    ]);
    expect(await paths()).toEqual(["a", "hard"]);
    expect(done.stdout).toBe("");
  });

  test("are ended with all that they have started", async () => {
    const done = await exec("(setsid sleep 1000 &) ; echo a > a; sleep 1000", { timeoutMs: 500 });
    expect(done).toMatchObject({ exitCode: 124, timedOut: true, written: 1 });
    const quick = await exec("setsid sleep 1000 > /dev/null 2>&1 & echo done");
    expect(quick).toMatchObject({ stdout: "done\n", exitCode: 0 });
    const stubborn = await exec("trap '' TERM; while true; do sleep 1; done", { timeoutMs: 500 });
    expect(stubborn).toMatchObject({ exitCode: 124, timedOut: true });
  });

  test("that flood, fork without end or fill their disk meet a bound", async () => {
    const flood = await exec("yes | head -c 3000000");
    expect([flood.stdout.length, flood["truncated"]]).toEqual([128 * 1024, true]);
    const forks = await exec(":(){ :|:& };: ; sleep 0.5; echo end", { timeoutMs: 4_000 });
    expect(forks.exitCode).toBeDefined();
    const full = await exec("head -c 100000000 /dev/zero > big; ls -l big | wc -l");
    expect(full.unsaved).toEqual([{ path: "*", why: expect.stringMatching(/^It wrote more than/) }]);
    expect(await paths()).toEqual([]);
  });

  test("in the background say what they say while they run, and take input", async () => {
    const id = await started(
      'read a; echo "got $a"; read b; echo "and $b" >&2; echo $b > kept; cat > /dev/null; exit 4',
    );
    expect(await ask("write", { id, text: "one\n" })).toEqual({ id, written: true });
    await until(async () => (await output(id)).output === "got one\n", { what: "the first line" });
    const { next, status } = await output(id);
    expect(status).toBe("running");
    await ask("write", { id, text: "two\n", end: true });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id, next)).toMatchObject({
      output: "and two\n",
      exitCode: 4,
      written: 1,
      unsaved: [],
    });
    expect(await read("kept")).toBe("two\n");
    expect(await ask("write", { id, text: "x" })).toMatchObject({ refused: "conflict" });
  });

  test("in the background are stopped with all that they have started", async () => {
    const id = await started("echo begun > a; (sleep 1000 &); sleep 1000");
    await ask("stop", { id });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id)).toMatchObject({ written: 1, timedOut: false });
  });
});

describe("commands in the background", () => {
  beforeEach(() => newTenant("virtual"));

  test("of the shell in JavaScript tell all at their end", async () => {
    const id = await started("cat; echo x > a; sleep 0.2", {}, "in\n");
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id)).toMatchObject({ output: "in\n", exitCode: 0, written: 1, next: 3 });
    expect(await ask("list", {})).toMatchObject({ processes: [{ id, status: "ended", engine: "virtual" }] });
    expect(await ask("output", { id, since: 4 })).toMatchObject({ refused: "conflict" });
  });

  test("are there for the agent and the user that began them alone", async () => {
    const id = await started("sleep 100");
    for (const operation of ["output", "write", "stop"])
      expect(await ask(operation, { id }, null, "bob")).toMatchObject({ refused: "not_found" });
    expect(await ask("list", {}, null, "bob")).toEqual({ processes: [] });
    const own = tenantId;
    await newTenant("virtual");
    expect(await ask("output", { id })).toMatchObject({ refused: "not_found" });
    expect(await ask("list", {})).toEqual({ processes: [] });
    tenantId = own;
    expect(await ask("write", { id, text: "x" })).toMatchObject({ refused: "conflict" });
    await ask("stop", { id });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
  });

  test("have a bound for a tenant, and end with their worker, which is told", async () => {
    const other = newBackground();
    family = openShell({ ...deps, background: other });
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.push(await started("sleep 100; echo x > a"));
    expect(await ask("start", { command: "echo" })).toMatchObject({ refused: "capability_limit" });
    await other.close();
    family = openShell(deps);
    for (const id of ids)
      expect(await output(id)).toMatchObject({
        status: "ended",
        exitCode: null,
        failure: expect.stringContaining("worker"),
      });
    expect(await paths()).toEqual([]);
  });

  test("whose worker is gone without a word are lost", async () => {
    const facts = {
      agentId: "a",
      userId: null,
      command: "x",
      engine: "virtual",
      startedAt: new Date().toISOString(),
    } as const;
    await openProcessBoard(redis).open({ tenantId, processId: "prc_x", ...facts });
    await redis.commands.del(`bh:shell:{${tenantId}}`);
    expect(await output("prc_x")).toMatchObject({ status: "lost", output: "" });
  });

  test.each([
    ["start", {}, /command/],
    ["start", { command: "x", timeoutMs: 1_800_001 }, /timeoutMs/],
    ["start", { command: "x", id: "y" }, /id/],
    ["list", { id: "x" }, /id/],
    ["output", {}, /id/],
    ["output", { id: "x", since: -1 }, /since/],
    ["write", { id: "x", text: 1 }, /text/],
    ["stop", { id: "x".repeat(65) }, /id/],
    ["kill", { id: "x" }, /operation kill/],
  ])("bad arguments are refused: %#", async (operation, args, message) => {
    const answer = await ask(operation, args);
    expect(answer).toEqual({ refused: "invalid_request", message: expect.stringMatching(message) });
  });
});
