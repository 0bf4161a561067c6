import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { NODE_COMPILE_CACHE } from "@bulkhead/testing";
import type { Start } from "../../apps/cli/src/cli.ts";
import { runCli } from "../../apps/cli/src/run-cli.ts";

const MAIN = join(import.meta.dirname, "..", "..", "apps", "cli", "src", "main.ts");

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface How {
  stdin?: string;
  env?: Record<string, string>;
  /** Is told all of stdout each time that there is more. */
  onStdout?: (said: string) => void;
  /** Is told all of stderr each time that there is more, and can send signals. */
  onStderr?: (said: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** The command line, with a folder of settings that goes with the test file. */
export interface CommandLine {
  env: Record<string, string>;
  configPath: string;
  main: string;
  /** As a process of its own. */
  run(words: readonly string[], how?: How): Promise<Ended>;
  /** In this process: for what is shown of a command, and not of how a process starts and ends, this saves Node's start. */
  say(words: readonly string[], how?: Pick<How, "stdin" | "env">): Promise<Ended>;
  close(): Promise<void>;
}

export async function openCommandLine(): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-cli-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    NODE_COMPILE_CACHE,
  };
  const running = new Set<ChildProcess>();
  return {
    env,
    configPath: join(folder, "bulkhead", "config.json"),
    main: MAIN,
    run: (words, how = {}) => runOnce(running, words, { ...how, env: { ...env, ...how.env } }),
    say: (words, how = {}) => sayHere(words, { ...how, env: { ...env, ...how.env } }),
    close: async () => {
      // What a test that failed has left.
      for (const child of running) child.kill("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

async function sayHere(words: readonly string[], { stdin = "", env = {} }: How): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  const output = (name: keyof typeof said) => ({
    write: (text: string | Uint8Array) => void (said[name] += Buffer.from(text).toString()),
  });
  const streams = {
    stdin: Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
    stdout: output("stdout"),
    stderr: output("stderr"),
  };
  const code = await runCli(words, { env, ...streams } as unknown as Start);
  return { code, ...said };
}

function runOnce(
  running: Set<ChildProcess>,
  words: readonly string[],
  { stdin = "", env = {}, onStdout, onStderr }: How,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...words], { env });
    running.add(child);
    child.once("close", () => running.delete(child));
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
      onStdout?.(said.stdout);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
      onStderr?.(said.stderr, (signal) => child.kill(signal));
    });
    child.once("error", reject).once("close", (code) => resolve({ code, ...said }));
    child.stdin.on("error", () => {
      // A command that reads no stdin has ended before all was written.
    });
    child.stdin.end(stdin);
  });
}
