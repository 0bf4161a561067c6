import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Running } from "./supervise.ts";

export interface AppStart {
  name: string;
  /** The absolute path of its `main.ts`. */
  main: string;
  env: Record<string, string>;
  /** The line by which it tells that it serves. */
  ready: RegExp;
  /** After SIGTERM it has this long, then it and all it started get SIGKILL. */
  stopMsMax: number;
  /** Each line it prints but the ready line. */
  print: (line: string, from: "stdout" | "stderr") => void;
}

/** One of our programs, ready and in a session of its own. */
export interface AppProcess extends Running {
  readonly pid: number;
  readonly readyLine: RegExpExecArray;
  /** Ends it and its session at once, without a wait. */
  killNow(): void;
}

const READY_MS_MAX = 30_000;

/**
 * Starts a program and waits until it serves. It watches its standard input, which we hold open: when we are gone, also
 * by kill -9, it ends. A session of its own keeps Ctrl-C from it. Rejects, with nothing left behind, when it ends
 * first, takes longer than 30 s, or the signal comes.
 */
export async function startApp(start: AppStart, signal: AbortSignal): Promise<AppProcess> {
  const child = spawn(process.execPath, [start.main], {
    env: start.env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The end of the child says all there is to say about a pipe that breaks.
  child.stdin.on("error", () => undefined);
  const ended = endOf(child);
  const killNow = (): void => killSession(child);
  try {
    const readyLine = await firstOf(start, child, ended, signal);
    const stop = (): Promise<void> => stopWithin(child, ended, start.stopMsMax);
    return { pid: child.pid ?? 0, readyLine, ended, killNow, stop };
  } catch (cause) {
    killNow();
    await ended;
    throw cause;
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (cause) => resolve(`could not be started: ${cause.message}`));
    child.once("exit", (code, signal) =>
      resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
    );
  });
}

/** Passes its lines on, for as long as it runs, and resolves with the ready one. */
function firstOf(
  { name, ready, print }: AppStart,
  child: ChildProcess & { stdout: Readable; stderr: Readable },
  ended: Promise<string>,
  signal: AbortSignal,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${name} was not ready within ${READY_MS_MAX / 1_000} s`)),
      READY_MS_MAX,
    );
    const stopped = (): void => reject(new Error(`${name} was stopped before it was ready`));
    signal.addEventListener("abort", stopped, { once: true });
    if (signal.aborted) stopped();
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stopped);
    };
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = ready.exec(line);
      if (match === null) return print(line, "stdout");
      settle();
      resolve(match);
    });
    createInterface({ input: child.stderr }).on("line", (line) => print(line, "stderr"));
    void ended.then((why) => {
      settle();
      reject(new Error(`${name} ${why} before it was ready`));
    });
  });
}

async function stopWithin(child: ChildProcess, ended: Promise<string>, msMax: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  const timer = setTimeout(() => killSession(child), msMax);
  await ended.finally(() => clearTimeout(timer));
}

function killSession(child: ChildProcess): void {
  // Its number may belong to another process once it has been waited for.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause;
  }
}

/** Prints the processes' lines: unchanged, or log lines made readable if a person looks on. */
export async function linePrinter(): Promise<AppStart["print"]> {
  const plain = (line: string): string => `${line}\n`;
  const onStdout = process.stdout.isTTY
    ? (await import("@bulkhead/process/telemetry")).prettyLines(true)
    : plain;
  return (line, from) => void process[from].write(from === "stdout" ? onStdout(line) : plain(line));
}
