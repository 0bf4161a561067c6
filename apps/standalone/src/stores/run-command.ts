import { spawn } from "node:child_process";

export interface CommandRun {
  /** Null when it was ended by a signal or could not be started. */
  code: number | null;
  /** The last 64 KiB of its output on both streams. */
  output: string;
}

export interface CommandOptions {
  env: Record<string, string>;
  cwd?: string;
  msMax: number;
  identity?: { uid: number; gid: number } | null;
}

const OUTPUT_CHARS_MAX = 65_536;

/** Runs a command to its end and never rejects: a command that is missing or too slow is a result like any other. */
export function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandRun> {
  const { msMax, identity, ...rest } = options;
  return new Promise((resolve) => {
    let output = "";
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString("utf8")).slice(-OUTPUT_CHARS_MAX);
    };
    const child = spawn(command, args, {
      ...rest,
      ...identity,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: msMax,
      killSignal: "SIGKILL",
    });
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (cause) => resolve({ code: null, output: cause.message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}
