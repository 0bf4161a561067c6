import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { GUARD_SCRIPT } from "./guard-script.ts";
import { signalIfThere } from "./signal-process.ts";

export interface GuardedCommand {
  command: string;
  args: string[];
  /** All that the store sees of an environment. */
  env: Record<string, string>;
  cwd: string;
  /** Runs as this user; null for the owner's own. Only root may ask for another. */
  identity: { uid: number; gid: number } | null;
  /** The store's output is appended here (mode 0600). */
  logFile: string;
  stopSignal: "INT" | "TERM";
  /** After the stop signal the store has this long, then it gets SIGKILL. */
  stopMsMax: number;
  /** A folder that goes with the owner: removed once the store was stopped, also when the owner was killed. */
  removeWith: string | null;
}

/** A store and its guard, both of which end when this process does. */
export interface GuardedProcess {
  readonly pid: number;
  /** Resolves once the store and its guard are gone. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** Asks the store to stop and waits until it has; safe to call again. */
  stop(): Promise<void>;
  /** SIGKILL to the store, and the wait for its end. */
  kill(): Promise<void>;
}

const POLL_MS = 100;
const GUARD_EXTRA_MS = 3_000;

/** Starts a store in a session of its own, so that Ctrl-C reaches its owner alone. Rejects when no shell can be started. */
export async function startGuarded(command: GuardedCommand): Promise<GuardedProcess> {
  const guard = spawnGuard(command);
  const gone = new Promise<void>((resolve) => guard.once("close", () => resolve()));
  const refused = new Promise<never>((_, reject) => guard.once("error", reject));
  const pid = await Promise.race([readPid(guard), refused]);
  // A guard that was itself killed can't stop its store any more.
  const ended = gone.then(() => {
    if (guard.signalCode !== null) signalIfThere(pid, "SIGKILL");
  });
  return {
    pid,
    ended,
    hasEnded: () => guard.exitCode !== null || guard.signalCode !== null,
    stop: () => stopGuard(guard, pid, ended, command.stopMsMax + GUARD_EXTRA_MS),
    kill: async () => {
      if (guard.exitCode === null) signalIfThere(pid, "SIGKILL");
      await ended;
    },
  };
}

function spawnGuard(command: GuardedCommand): ChildProcess {
  const log = openSync(command.logFile, "a", 0o600);
  try {
    const polls = String(Math.ceil(command.stopMsMax / POLL_MS));
    const store = [command.command, ...command.args];
    return spawn(
      "/bin/sh",
      ["-c", GUARD_SCRIPT, "bulkhead-guard", command.stopSignal, polls, command.removeWith ?? "", ...store],
      {
        cwd: command.cwd,
        env: command.env,
        detached: true,
        stdio: ["pipe", "pipe", log],
        ...command.identity,
      },
    );
  } finally {
    closeSync(log);
  }
}

async function readPid(guard: ChildProcess): Promise<number> {
  let text = "";
  for await (const chunk of guard.stdout ?? []) text += String(chunk);
  const pid = Number.parseInt(text, 10);
  if (Number.isInteger(pid) && pid > 1) return pid;
  throw new Error(`the guard printed no process id but ${JSON.stringify(text)}`);
}

async function stopGuard(
  guard: ChildProcess,
  pid: number,
  ended: Promise<void>,
  msMax: number,
): Promise<void> {
  guard.stdin?.end();
  const timer = setTimeout(() => {
    signalIfThere(pid, "SIGKILL");
    guard.kill("SIGKILL");
  }, msMax);
  await ended.finally(() => clearTimeout(timer));
}
