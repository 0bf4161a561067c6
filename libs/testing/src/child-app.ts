import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "./until.ts";

/** One process of the product, started as a user would start it. */
export interface ChildApp {
  readonly pid: number;
  /** The last 256 KiB of its output so far, both streams. */
  output(): string;
  hasEnded(): boolean;
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for its end; sends SIGKILL after a minute, and throws. */
  stop(): Promise<void>;
}

const PROJECT_FOLDER = join(import.meta.dirname, "../../..");
const OUTPUT_CHARS_MAX = 256 * 1024;
/** It takes two seconds; a machine that does much else at a time gets the rest. */
const READY_MS_MAX = 120_000;
const STOP_MS_MAX = 60_000;

/**
 * Starts a `main.ts` with exactly this environment (and PATH) and waits until it prints a line that matches `ready`.
 * It ends when this process does. Throws with all it printed when it ends first or takes longer than 120 s.
 */
export async function startApp(
  main: string,
  env: Record<string, string>,
  ready: RegExp,
): Promise<{ app: ChildApp; line: RegExpExecArray }> {
  const child = spawn(process.execPath, [join(PROJECT_FOLDER, main)], {
    cwd: PROJECT_FOLDER,
    env: { PATH: process.env["PATH"], BULKHEAD_WATCH_PARENT: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const app = watchChild(child);
  try {
    const line = await until(() => ready.exec(app.output()) ?? (app.hasEnded() ? ("ended" as const) : null), {
      timeoutMs: READY_MS_MAX,
      what: `${main} prints ${ready.source}`,
    });
    if (line === "ended") throw new Error(`${main} ended before it was ready`);
    return { app, line };
  } catch (cause) {
    await app.kill();
    throw new Error(`${main} did not get ready. It printed:\n${app.output()}`, { cause });
  }
}

function watchChild(child: ChildProcess): ChildApp {
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-OUTPUT_CHARS_MAX);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  // A process that ends while something is written to it: its end is noticed below.
  child.stdin?.on("error", () => undefined);
  child.once("error", (cause) => (output += String(cause)));
  const hasEnded = (): boolean =>
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const closed = once(child, "close");
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasEnded()) child.kill(signal);
    await closed;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    hasEnded,
    kill: () => end("SIGKILL"),
    stop: async () => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill("SIGKILL");
      }, STOP_MS_MAX);
      await end("SIGTERM").finally(() => clearTimeout(timer));
      if (late)
        throw new Error(`process ${child.pid} did not stop within ${STOP_MS_MAX} ms. It printed:\n${output}`);
    },
  };
}
