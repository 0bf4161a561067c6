import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { exec, missing, newTenant, paths, read, useShells, write } from "./fixtures/shells.ts";

useShells();

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
    // A command that says as much is not even begun: here a file of commands does, which nobody reads before it runs.
    await write("probe.sh", "(exec 3<>/dev/tcp/127.0.0.1/5432) 2>&1 && echo reached\n");
    const done = await exec(
      `cat ${secret}; cat /etc/shadow; cat /proc/1/environ | tr '\\0' ' '; env; bash probe.sh; ls /`,
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
    expect(done.unsaved.map(({ path }) => path as string).toSorted()).toEqual([
      "all",
      expect.stringContaining("bad"),
      "link",
      "pipe",
    ]);
    expect(await paths()).toEqual(["a", "hard"]);
    expect(done.stdout).toBe("");
  });

  test("are ended with all that they have started", async () => {
    const done = await exec("(setsid sleep 1000 &) ; echo a > a; sleep 1000", { timeoutMs: 2_000 });
    expect(done).toMatchObject({ exitCode: 124, timedOut: true, written: 1 });
    const quick = await exec("setsid sleep 1000 > /dev/null 2>&1 & echo done");
    expect(quick).toMatchObject({ stdout: "done\n", exitCode: 0 });
    const stubborn = await exec("trap '' TERM; while true; do sleep 1; done", { timeoutMs: 500 });
    expect(stubborn).toMatchObject({ exitCode: 124, timedOut: true });
  });

  test("that flood, fork without end or fill their disk meet a bound", async () => {
    const flood = await exec("yes | head -c 3000000");
    expect([flood.stdout.length, flood["truncated"]]).toEqual([128 * 1024, true]);
    const forks = await exec("a() { b | b & }; b() { a | a & }; a; sleep 0.5; echo end", {
      timeoutMs: 4_000,
    });
    expect(forks.exitCode).toBeDefined();
    const full = await exec("head -c 100000000 /dev/zero > big; ls -l big | wc -l");
    expect(full.unsaved).toEqual([{ path: "*", why: expect.stringMatching(/^It wrote more than/) }]);
    expect(await paths()).toEqual([]);
  });
});
