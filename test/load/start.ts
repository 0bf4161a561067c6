import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS_MAX = 60_000;
const END_WITH_PARENT = join(import.meta.dirname, "end-with-parent.ts");

export interface Started {
  child: ChildProcess;
  /** What `ready` matched. */
  line: RegExpExecArray;
}

/**
 * Starts a program of this repository and waits for its ready line. It ends with this process, which holds its standard
 * input; where `signal` fires before it is ready, it is stopped, and this rejects when it has ended.
 */
export async function start(
  main: string,
  env: Record<string, string>,
  ready: RegExp,
  signal?: AbortSignal,
  args: readonly string[] = [],
): Promise<Started> {
  signal?.throwIfAborted();
  const child = spawn(
    process.execPath,
    ["--no-node-snapshot", "--import", END_WITH_PARENT, join(ROOT, main), ...args],
    {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const giveUp = (): void => void stopChild(child);
  signal?.addEventListener("abort", giveUp, { once: true });
  const isReady = new Promise<RegExpExecArray>((resolve, reject) => {
    let printed = "";
    const timer = setTimeout(
      () => reject(new Error(`${main} was not ready in time:\n${printed}`)),
      READY_MS_MAX,
    );
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const line = ready.exec(printed);
      if (line === null) return;
      clearTimeout(timer);
      resolve(line);
    });
    child.once("exit", () => reject(new Error(`${main} ended:\n${printed}`)));
  });
  const line = await isReady.finally(() => signal?.removeEventListener("abort", giveUp));
  return { child, line };
}

/** The product takes ten seconds at most; a machine that does much else at a time gets the rest. */
const STOP_MS_MAX = 60_000;

/** Asks a child to end and waits for it; kills it when it takes too long. */
export const stop = ({ child }: Started): Promise<void> => stopChild(child);

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  // It then asks itself, once: a second SIGTERM would end what closes after the first.
  child.stdin?.end();
  await ended;
  clearTimeout(timer);
}
