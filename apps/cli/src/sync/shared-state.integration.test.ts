import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Start } from "../cli.ts";
import { runCli } from "../run-cli.ts";
import { gitPlaceOf } from "./git-place.ts";
import { readState, writeState } from "./state-file.ts";

const { env } = process;
let repository: string;
let tools: string;
beforeEach(async () => {
  repository = await realpath(await mkdtemp(join(tmpdir(), "bulkhead-shared-")));
  tools = join(repository, "services", "tools");
  await mkdir(tools, { recursive: true });
});
afterEach(() => rm(repository, { recursive: true }));

const git = (...words: string[]) => promisify(execFile)("git", ["-C", repository, ...words]);

test("the state of a clone is no part of its repository, and one that is makes itself known", async () => {
  expect(await gitPlaceOf(tools, env)).toBeNull();
  await git("init", "-q");
  await git("remote", "add", "origin", "https://user:word@git.example.com/acme/all.git");
  await writeState(tools, { places: {}, seen: null });
  await git("add", ".");
  const source = "git.example.com/acme/all#services/tools";
  expect(await gitPlaceOf(tools, env)).toEqual({ source, hasState: false });
  await git("add", "--force", "services/tools/.bulkhead/state.json");
  expect(await gitPlaceOf(tools, env)).toEqual({ source, hasState: true });
  expect(await gitPlaceOf(repository, env)).toEqual({ source: "git.example.com/acme/all", hasState: false });
});

test("nothing is compared by a state that came with the repository", async () => {
  await git("init", "-q");
  await writeState(tools, { places: {}, seen: null });
  expect(await readState(tools)).toMatchObject({ seen: null });
  await git("add", "--force", ".");
  // It never answers.
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => void server.once("listening", listening));
  try {
    const { port } = server.address() as AddressInfo;
    let stderr = "";
    const start = {
      env: {
        ...env,
        XDG_CONFIG_HOME: repository,
        BULKHEAD_URL: `http://127.0.0.1:${port}`,
        BULKHEAD_KEY: "bh_x",
      },
      stdin: new PassThrough(),
      stdout: { write: () => true },
      stderr: { write: (text: string) => void (stderr += text) },
    };
    const exit = await runCli(["push", "--yes", "--folder", tools], start as unknown as Start);
    expect([exit, stderr]).toEqual([2, expect.stringContaining("git rm -rf .bulkhead")]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
