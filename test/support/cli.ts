import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_COMPILE_CACHE } from "@bulkhead/testing";

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

/** The command line as a process of its own, with a folder of settings that goes with the test file. */
export interface CommandLine {
  env: Record<string, string>;
  configPath: string;
  main: string;
  run(words: readonly string[], how?: How): Promise<Ended>;
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
    close: async () => {
      // What a test that failed has left.
      for (const child of running) child.kill("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
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
