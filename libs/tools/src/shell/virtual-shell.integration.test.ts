import type { CapabilityRun, ProcessBoard } from "@bulkhead/core";
import { existsSync } from "node:fs";
import { isNightly } from "@bulkhead/testing";
import { afterAll, expect, test } from "vitest";
import { openShell } from "../built-in/shell/capability.ts";
import { removeFile, writeFile, type FileAsker } from "../files.ts";
import {
  askerOf,
  database,
  deps,
  newTenant,
  pathsOf,
  read,
  useWorkspaces,
  write,
} from "../files/fixtures/workspaces.ts";
import { BackgroundCommands } from "./background-commands.ts";
import { openShells } from "./open-shells.ts";

useWorkspaces();
const shells = openShells(
  { limitLinks: () => [], memoryOf: () => null },
  {
    launch: () => Promise.reject(new Error("not on this machine")),
  },
);
// Nothing goes to the background here.
const background = new BackgroundCommands({} as ProcessBoard, {} as never, () => undefined);
afterAll(() => shells.close());

async function ask(
  { workspace, by: executionId }: FileAsker,
  args: Record<string, unknown>,
  content: string | null = null,
  signal = new AbortController().signal,
) {
  const family = openShell({ ...deps, ...shells, background });
  const caller = {
    ...workspace,
    executionId,
    toolName: "exec",
    services: [],
    way: null,
    run: {} as CapabilityRun,
  };
  return family.run({ operation: "exec", arguments: args as never, content }, caller, signal);
}
/** What a command has left; it is not refused. */
async function exec(asker: FileAsker, command: string, more: object = {}, stdin: string | null = null) {
  const answer = await ask(asker, { command, ...more }, stdin);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value as { stdout: string; stderr: string; exitCode: number } & Record<string, unknown>;
}
const newAsker = async (userId: string | null = null): Promise<FileAsker> =>
  askerOf(await newTenant(), "a", userId);

test("a command reads and changes the workspace, and only what it changed is written", async () => {
  const asker = await newAsker();
  await write(asker, "a.txt", "one\ntwo\n");
  await write(asker, "src/b.txt", "three\n");
  await write(asker, "gone.txt", "x");
  const done = await exec(
    asker,
    "grep -c . a.txt; cat src/*.txt | tr a-z A-Z > up.txt; rm gone.txt; echo $X; cat",
    { env: { X: "y z" } },
    "in\n",
  );
  expect(done).toEqual({
    stdout: "2\ny z\nin\n",
    stderr: "",
    exitCode: 0,
    timedOut: false,
    truncated: false,
    engine: "virtual",
    written: 1,
    removed: 1,
    unsaved: [],
  });
  expect(await pathsOf(asker)).toEqual(["a.txt", "src/b.txt", "up.txt"]);
  expect(await read(asker, "up.txt")).toBe("THREE\n");
});

test("files are moved, appended to and made in folders, with bytes as they are", async () => {
  const asker = await newAsker();
  await writeFile(deps, asker, { path: "bin", content: Buffer.from([0, 255, 128, 10]) });
  await write(asker, "notes/a.md", "a\n");
  await exec(
    asker,
    "mv bin deep; mkdir -p x/y; cp notes/a.md x/y/b.md; echo more >> notes/a.md; mv notes n; tar czf x.tgz x; ls -l | wc -l",
  );
  expect(await pathsOf(asker)).toEqual(["deep", "n/a.md", "x.tgz", "x/y/b.md"]);
  const listed = await exec(asker, "base64 deep; cat n/a.md; tar tzf x.tgz; stat -c %s deep");
  expect(listed.stdout).toBe("AP+ACg==\na\nmore\nx/\nx/y/\nx/y/b.md\n4\n");
});

test.runIf(isNightly)("a file that became a folder, and a folder that became a file", async () => {
  const asker = await newAsker();
  await write(asker, "a", "file");
  await write(asker, "b/c", "inner");
  const done = await exec(asker, "mv a t; mkdir a; mv t a/t; mv b/c u; rmdir b; mv u b");
  expect(done).toMatchObject({ exitCode: 0, unsaved: [] });
  expect([await pathsOf(asker), await read(asker, "a/t"), await read(asker, "b")]).toEqual([
    ["a/t", "b"],
    "file",
    "inner",
  ]);
});

test("what somebody else wrote meanwhile stays, and is told", async () => {
  const asker = await newAsker();
  await write(asker, "a", "old");
  await write(asker, "b", "old");
  // It is started once it is known what is there.
  const virtual = async (tenantId: string) => {
    await write(asker, "a", "theirs");
    return shells.start.virtual(tenantId);
  };
  const family = openShell({ ...deps, ...shells, background, start: { ...shells.start, virtual } });
  const command = "cat a; echo mine > a; echo new > c; rm b";
  const caller = {
    ...asker.workspace,
    executionId: asker.by,
    toolName: "exec",
    services: [],
    way: null,
    run: {} as CapabilityRun,
  };
  const request = { operation: "exec", arguments: { command }, content: null };
  expect(await family.run(request, caller, new AbortController().signal)).toMatchObject({
    value: {
      stdout: "old",
      written: 1,
      removed: 0,
      unsaved: [
        { path: "a", why: expect.stringContaining("changed by somebody else") },
        { path: "b", why: expect.stringContaining("Nothing is removed") },
      ],
    },
  });
  expect(await read(asker, "a")).toBe("theirs");
  expect(await pathsOf(asker)).toEqual(["a", "b", "c"]);
});

test("denied files are not there, and can't be written", async () => {
  const tenantId = await newTenant({ deny: ["private"], agents: {} });
  await write(askerOf(tenantId, "a", null, true), "private/key", "secret");
  const asker = askerOf(tenantId, "a", null);
  const done = await exec(asker, "cat private/key; ls; find /; mkdir private; echo x > private/other");
  expect(done.stdout).not.toMatch(/key|secret/);
  expect(done["unsaved"]).toEqual([
    { path: "private/other", why: expect.stringContaining("can be written") },
  ]);
});

test("two users of an agent, and two tenants, have workspaces of their own", async () => {
  const ann = await newAsker("ann");
  const bob = askerOf(ann.workspace.tenantId, "a", "bob");
  const stranger = await newAsker("ann");
  await exec(ann, "echo secret > mine; echo t > /tmp/t");
  for (const other of [bob, stranger])
    expect(await exec(other, "cat mine /tmp/t; ls -a; ls -a /tmp")).toMatchObject({
      stdout: ".\n..\n.\n..\n",
    });
});

test("nothing of the machine is there", async () => {
  const asker = await newAsker();
  const done = await exec(
    asker,
    "cat /etc/passwd; env; curl http://127.0.0.1; python3 -c 1; node -e 1; cat /proc/self/environ; echo x > /dev/$(echo tcp)/127.0.0.1/80; sqlite3 x; hostname; cat /proc/self/cmdline;" +
      "ln -s /etc/passwd link; ln -s /tmp/x sub; echo escaped > /tmp/shell-escaped; cp /tmp/shell-escaped ../../up",
  );
  expect(done.stdout).not.toMatch(/root:|DATABASE|node_modules/);
  expect(done.stderr).toMatch(/curl: command not found[^]*sqlite3: command not found/);
  expect([existsSync("/tmp/shell-escaped"), await pathsOf(asker)]).toEqual([false, []]);
});

test("links are left out, and told", async () => {
  const asker = await newAsker();
  await write(asker, "a", "x");
  const done = await exec(asker, "ln -s a link; cat link; ln -s / all");
  expect(done).toMatchObject({ stdout: "x", unsaved: [{ path: "link" }, { path: "all" }] });
  expect(await pathsOf(asker)).toEqual(["a"]);
});

test("a command whose time is over is stopped, and what it had written is saved", async () => {
  const asker = await newAsker();
  const done = await exec(asker, "echo begun > a; while true; do sleep 0.05; done", { timeoutMs: 2_000 });
  expect(done).toMatchObject({ exitCode: 124, timedOut: true, written: 1 });
  expect(await read(asker, "a")).toBe("begun\n");
});

test("one that does not stop is killed, and told so", async () => {
  const asker = await newAsker();
  await write(asker, "a", `${"a".repeat(40)}!\n`.repeat(40));
  const done = await exec(asker, "echo x > b; while :; do :; done", { timeoutMs: 500 });
  expect(done).toMatchObject({ exitCode: 124, timedOut: true });
});

test("output has a bound, and so have changes", async () => {
  const asker = await newAsker();
  const much = await exec(asker, "printf '%0300000d' 1");
  expect([much.stdout.length, much["truncated"]]).toEqual([128 * 1024, true]);
  const many = await exec(asker, "touch $(seq 1 1001)");
  expect(many).toMatchObject({
    written: 0,
    unsaved: [{ path: "*", why: expect.stringContaining("more than 1000 files") }],
  });
  expect(await pathsOf(asker)).toEqual([]);
});

test.runIf(isNightly)(
  "of very much that is not saved the first is named, and how much more there is",
  async () => {
    const asker = await newAsker();
    const done = await exec(asker, "for i in $(seq 1 150); do echo x > \"$(printf 'a\\\\%0900d' $i)\"; done");
    const unsaved = done["unsaved"] as { path: string; why: string }[];
    expect(unsaved).toHaveLength(101);
    expect(unsaved.at(-1)).toEqual({ path: "*", why: expect.stringMatching(/^50 more/) });
    expect(JSON.stringify(unsaved).length).toBeLessThan(200_000);
  },
);

test.runIf(isNightly)("memory has a bound", async () => {
  const asker = await newAsker();
  const done = await exec(asker, "x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; y[${#y[@]}]=$x; done");
  expect(done.exitCode).not.toBe(0);
});

test("a quota that is reached is told, and what is there stays", async () => {
  const asker = await newAsker();
  await write(asker, "a", "x");
  const done = await exec(asker, "printf %0200000d 1 > big; rm a");
  expect(done["unsaved"]).toEqual([
    { path: "big", why: expect.stringContaining("maxFileBytes") },
    { path: "a", why: expect.any(String) },
  ]);
  expect(await pathsOf(asker)).toEqual(["a"]);
});

test.each([
  [{}, /command/],
  [{ command: "" }, /command/],
  [{ command: "a\0b" }, /NUL/],
  [{ command: "x".repeat(32 * 1024 + 1) }, /command/],
  [{ command: "x", timeoutMs: 300_001 }, /timeoutMs/],
  [{ command: "x", env: { "A-B": "x" } }, /env/],
  [{ command: "x", env: { A: "x".repeat(33_000) } }, /env/],
  [{ command: "x", shell: "zsh" }, /shell/],
])("bad arguments are refused: %#", async (args, message) => {
  const answer = await ask(await newAsker(), args);
  expect(answer).toMatchObject({
    ok: false,
    code: "invalid_request",
    message: expect.stringMatching(message),
  });
});

test("a folder that is not there, and one outside", async () => {
  const asker = await newAsker();
  await write(asker, "src/a", "x");
  expect((await exec(asker, "pwd", { cwd: "src" })).stdout).toBe("/workspace/src\n");

  expect(await ask(asker, { command: "pwd", cwd: "none" })).toMatchObject({ code: "not_found" });
  await expect(ask(asker, { command: "pwd", cwd: "../x" })).rejects.toMatchObject({
    code: "file.path_invalid",
  });
  await expect(ask(asker, { command: "pwd", cwd: "/etc" })).rejects.toMatchObject({
    code: "file.path_invalid",
  });
});

test("one given up is ended, and commands that are turned off or can't be kept in are refused", async () => {
  const asker = await newAsker();
  const giving = new AbortController();
  const running = ask(asker, { command: "sleep 100; echo x > a" }, null, giving.signal);
  setTimeout(() => giving.abort(), 300);
  expect(await running).toMatchObject({ ok: false, code: "aborted" });
  expect(await pathsOf(asker)).toEqual([]);
  await database.tenants.update(asker.workspace.tenantId, { settings: { shell: { engine: "off" } } });
  expect(await ask(asker, { command: "echo" })).toMatchObject({ ok: false, code: "capability_denied" });
  // Where real programs can't be kept in, the refusal tells why.
  await database.tenants.update(asker.workspace.tenantId, { settings: { shell: { engine: "namespaces" } } });
  expect(await ask(asker, { command: "echo" })).toMatchObject({
    ok: false,
    code: "capability_denied",
    message: "The command can't be run in namespaces: not on this machine",
  });
});

test("more commands of a tenant than may run wait for their turn", async () => {
  const asker = await newAsker();
  const all = await Promise.all(Array.from({ length: 5 }, (_, n) => exec(asker, `echo ${n} > f${n}`)));
  expect(all.every(({ exitCode }) => exitCode === 0)).toBe(true);
  await removeFile(deps, asker, { path: "f0" });
  expect(await pathsOf(asker)).toEqual(["f1", "f2", "f3", "f4"]);
});
