import { spawn } from "node:child_process";
import { encodeText } from "../wire/frame.ts";
import { connectionTo } from "./child-connection.ts";
import { ErrorOutput } from "./error-output.ts";
import { nodeFlags } from "./node-flags.ts";

const MAKE_MS_MAX = 30_000;

/** Where the sandbox's program starts, what it may read, and whether node starts from its own snapshot there. */
export interface SnapshotGround {
  entry: string;
  readable: readonly string[];
  nodeSnapshot: boolean;
}

/**
 * The guest's snapshot, made in a process of its own by `maker`, a bundled program: of the same node with the same flags as
 * every sandbox, or V8 would refuse it there. Only text of ours goes in, so it needs no layers. Rejects with what went wrong.
 */
export async function makeSnapshot(
  { entry, readable, nodeSnapshot }: SnapshotGround,
  maker: string,
  guest: string,
): Promise<Buffer> {
  const child = spawn(process.execPath, [...nodeFlags(readable, nodeSnapshot), entry], {
    env: {},
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    timeout: MAKE_MS_MAX,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const errors = new ErrorOutput();
  child.stderr?.on("data", (chunk: Buffer) => errors.add(chunk));
  const connection = connectionTo(child);
  const parts: Buffer[] = [];
  connection.on("data", (part: Buffer) => parts.push(part));
  // A write to one that died: its end says so.
  connection.on("error", () => undefined);
  for (const text of [maker, guest]) connection.write(encodeText(text));
  const code = await ended;
  if (code === 0 && parts.length > 0) return Buffer.concat(parts);
  throw new Error(`the guest's snapshot was not made (exit code ${code}): ${errors.tail}`);
}
