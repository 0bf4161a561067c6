import { spawn, type ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import type { SandboxProgram } from "./program.ts";

const WORKER_FD = 3;

/** A started program and the one connection to it. */
export interface SpawnedSandbox {
  child: ChildProcess;
  connection: Duplex;
}

/** Starts the program with nothing of this process's: no environment, no files, no network, no terminal. */
export function spawnSandbox(program: SandboxProgram): SpawnedSandbox {
  const flags = [
    "--no-node-snapshot",
    "--disable-proto=delete",
    // Type stripping in both of its forms is experimental; addons under the permission model are, too, a warning.
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=PERM0001",
    "--permission",
    "--allow-addons",
    ...program.readable.map((path) => `--allow-fs-read=${path}`),
  ];
  const child = spawn(process.execPath, [...flags, program.entry], {
    env: {},
    cwd: "/",
    detached: false,
    // No "ipc": its frames have no bound.
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  return { child, connection: child.stdio[WORKER_FD] as Duplex };
}
