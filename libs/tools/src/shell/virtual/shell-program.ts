import { encodeFrame, FrameDecoder } from "@bulkhead/sandbox/wire";
import { Bash, defineCommand, getCommandNames, type CommandName } from "just-bash";
import {
  BACKGROUND_MS_MAX,
  READ_BYTES_MAX,
  SHELL_FILES_MIB_MAX,
  SHELL_FRAME_BYTES_MAX,
  STOP_MS_MAX,
} from "../../built-in/shell/bounds.ts";
import type { FromShell, ToShell } from "../shell-frames.ts";
import { WORKSPACE, WorkspaceFs } from "./workspace-fs.ts";

// The program of a process of its own: one command over a workspace that it has in memory, whose files it asks the worker
// for, and whose changes it tells at the end. The worker ends it when it takes too long or too much memory; it ends itself
// when its standard input ends, since then nobody needs the answer.

/** The worker bounds time and memory from outside; these only have to end what would never. */
const COUNTS_MAX = 20_000_000;
const MIB = 1_024 * 1_024;
const LIMITS = {
  maxExecutionTimeMs: BACKGROUND_MS_MAX + STOP_MS_MAX,
  maxCommandCount: COUNTS_MAX,
  maxLoopIterations: COUNTS_MAX,
  maxAwkIterations: COUNTS_MAX,
  maxSedIterations: COUNTS_MAX,
  maxJqIterations: COUNTS_MAX,
  maxWorkUnits: COUNTS_MAX,
  maxLiveBytes: 128 * MIB,
  maxStringLength: 64 * MIB,
  maxOutputSize: 32 * MIB,
  maxArchiveBytes: 64 * MIB,
  maxArchiveCompressedBytes: 32 * MIB,
};
/** They would need threads, which the process may not have. */
const LACKING = ["sqlite3", "python3", "python"];

type Run = Extract<ToShell, { type: "run" }>;

const say = (message: FromShell): void => {
  process.stdout.write(encodeFrame(message, SHELL_FRAME_BYTES_MAX));
};

const wanted = new Map<number, (base64: string | null) => void>();
const stopping = new AbortController();
let bytesRead = 0;
let asked = 0;
let isTooMuch = false;

async function read(path: string): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  asked += 1;
  wanted.set(asked, resolve);
  say({ type: "read", id: asked, path });
  const base64 = await promise;
  if (base64 === null) throw new Error(`ENOENT: no such file or directory, open '${WORKSPACE}/${path}'`);
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  bytesRead += bytes.length;
  if (bytesRead > READ_BYTES_MAX) {
    isTooMuch = true;
    throw new Error(`EFBIG: more than ${READ_BYTES_MAX} bytes of the workspace were read, open '${path}'`);
  }
  return bytes;
}

async function run({ command, cwd, env, stdin, files, bounds }: Run): Promise<void> {
  const fs = new WorkspaceFs(files, SHELL_FILES_MIB_MAX * MIB, read);
  const bash = new Bash({
    fs,
    cwd: cwd === "" ? WORKSPACE : `${WORKSPACE}/${cwd}`,
    env: { HOME: WORKSPACE, TMPDIR: "/tmp", ...env },
    executionLimits: LIMITS,
    commands: getCommandNames().filter((name): name is CommandName => !LACKING.includes(name)),
    customCommands: LACKING.map((name) => defineCommand(name, async () => notFound(name))),
    // The process around it is the wall; its own would bar what brings the files.
    defenseInDepth: false,
  });
  const { stdout, stderr, exitCode } = await bash.exec(command, {
    stdin,
    rawScript: true,
    signal: stopping.signal,
  });
  for (const [from, text] of [["stdout", stdout] as const, ["stderr", stderr] as const]) {
    const all = Buffer.from(text.toWellFormed());
    const kept = cutText(all, bounds.outputBytes);
    if (all.length > bounds.outputBytes) say({ type: "cut" });
    for (let at = 0; at < kept.length; at += bounds.pieceChars)
      say({ type: "output", from, text: kept.slice(at, at + bounds.pieceChars) });
  }
  const changes = await fs.changes();
  const exceeded =
    changes.writtenFiles + changes.removed.length > bounds.changedFiles
      ? "files"
      : changes.writtenBytes > bounds.writtenBytes
        ? "bytes"
        : isTooMuch
          ? "reading"
          : null;
  const odd = changes.odd.slice(0, bounds.unsaved);
  if (exceeded !== null) return say({ type: "done", exitCode, removed: [], odd, exceeded });
  for (const [path, bytes] of changes.written)
    say({ type: "wrote", path, base64: Buffer.from(bytes).toString("base64") });
  say({ type: "done", exitCode, removed: changes.removed, odd, exceeded });
}

const notFound = (name: string) => ({
  stdout: "",
  stderr: `bash: ${name}: command not found\n`,
  exitCode: 127,
});

/** The first bytes of a text, whole characters. */
function cutText(all: Buffer, bytesMax: number): string {
  if (all.length <= bytesMax) return all.toString();
  return all
    .subarray(0, bytesMax)
    .toString()
    .replace(/\ufffd+$/, "");
}

function take(message: ToShell): void {
  if (message.type === "run") void run(message);
  else if (message.type === "bytes") {
    wanted.get(message.id)?.(message.base64);
    wanted.delete(message.id);
  } else if (message.type === "stop") stopping.abort();
}

const decoder = new FrameDecoder(SHELL_FRAME_BYTES_MAX);
process.stdin.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) take(JSON.parse(text) as ToShell);
});
process.stdin.on("end", () => process.exit(0));
say({ type: "ready" });
