import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { encodeText } from "@bulkhead/wire";
import { ErrorOutput } from "./error-output.ts";
import { nodeFlags } from "./node-flags.ts";

const MAKER_FD = 3;
const MAKE_MS_MAX = 30_000;

/** Where the sandbox's program starts, and what it may read. */
export interface SnapshotGround {
  entry: string;
  readable: readonly string[];
}

/**
 * The guest's snapshot, made in a process of its own by `maker`, a bundled program: of the same node with the same flags as
 * every sandbox, or V8 would refuse it there. Only text of ours goes in, so it needs no layers. Rejects with what went wrong.
 */
export async function makeSnapshot(
  { entry, readable }: SnapshotGround,
  maker: string,
  guest: string,
): Promise<Buffer> {
  const child = spawn(process.execPath, [...nodeFlags(readable), entry], {
    env: {},
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    timeout: MAKE_MS_MAX,
    killSignal: "SIGKILL",
  });
  const errors = new ErrorOutput();
  child.stderr?.on("data", (chunk: Buffer) => errors.add(chunk));
  const connection = child.stdio[MAKER_FD] as Duplex;
  const parts: Buffer[] = [];
  connection.on("data", (part: Buffer) => parts.push(part));
  // A write to one that died: its end says so.
  connection.on("error", () => undefined);
  for (const text of [maker, guest]) connection.write(encodeText(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code === 0 && parts.length > 0) return Buffer.concat(parts);
  throw new Error(`the guest's snapshot was not made (exit code ${code}): ${errors.tail}`);
}
