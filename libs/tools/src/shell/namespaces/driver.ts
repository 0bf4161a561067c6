import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { FromShell, ToShell } from "../shell-frames.ts";

// The first process of a command's namespaces, started from this text alone: it may import nothing but node's own. It brings
// the workspace into memory, runs the command, and tells what is other than it was. Nothing that it says is believed: the
// command has its rights.

const HOME = "/tmp/workspace";
const SEEN = "/workspace";
const PATH = "/usr/local/bin:/usr/bin:/bin";
const PREFIX_BYTES = 4;
/** After being asked, and before being made to. */
const TERM_MS = 500;
const PATH_BYTES_MAX = 1_024;

type Run = Extract<ToShell, { type: "run" }>;

function say(message: FromShell): void {
  const text = Buffer.from(JSON.stringify(message));
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(text.length, 0);
  process.stdout.write(Buffer.concat([prefix, text]));
}

const wanted = new Map<number, (base64: string | null) => void>();
let command: ChildProcess | null = null;
/** Input that came before the command could be begun; null ends it. */
const early: (string | null)[] = [];
let isStopping = false;

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64");

/** Puts all files where the command finds them; answers a digest of each. */
async function bringFiles({ files }: Run): Promise<Map<string, string>> {
  mkdirSync(HOME);
  const brought = new Map<string, string>();
  for (const [n, [path]] of files.entries()) {
    const base64 = await new Promise<string | null>((resolve) => {
      wanted.set(n + 1, resolve);
      say({ type: "read", id: n + 1, path });
    });
    // It was removed since it was listed.
    if (base64 === null) continue;
    const bytes = Buffer.from(base64, "base64");
    mkdirSync(dirname(`${HOME}/${path}`), { recursive: true });
    writeFileSync(`${HOME}/${path}`, bytes);
    brought.set(path, digest(bytes));
  }
  return brought;
}

async function run(asked: Run): Promise<void> {
  const brought = await bringFiles(asked);
  const exitCode = isStopping ? 128 + constants.signals.SIGTERM : await runCommand(asked);
  endAll();
  const { written, removed, odd, exceeded } = changesTo(brought, asked.bounds);
  for (const [path, bytes] of written) say({ type: "wrote", path, base64: bytes.toString("base64") });
  say({ type: "done", exitCode, removed, odd, exceeded });
}

function runCommand({ command: line, cwd, env, stdin, keepsInput, bounds }: Run): Promise<number> {
  const folder = cwd === "" ? SEEN : `${SEEN}/${cwd}`;
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const variables = { PATH, HOME: SEEN, TMPDIR: "/tmp", LANG: "C.UTF-8", PWD: folder, ...env };
  const child = spawn(shell, ["-c", line], { cwd: folder, env: variables, detached: true });
  command = child;
  for (const from of ["stdout", "stderr"] as const) pass(child, from, bounds);
  child.stdin.on("error", () => undefined);
  child.stdin.write(stdin);
  if (!keepsInput) child.stdin.end();
  for (const text of early.splice(0)) giveInput(child, text);
  return new Promise((resolve) => {
    child.on("error", () => resolve(126));
    // What its children still hold open is not waited for.
    child.on("exit", (code, signal) =>
      setImmediate(() => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))),
    );
  });
}

function giveInput({ stdin }: ChildProcess, text: string | null): void {
  if (text === null) stdin?.end();
  else if (stdin?.writable) stdin.write(text);
}

function pass(
  child: ChildProcess,
  from: "stdout" | "stderr",
  { outputBytes, pieceChars }: Run["bounds"],
): void {
  const decoder = new StringDecoder("utf8");
  let left = outputBytes;
  let isCut = false;
  child[from]?.on("data", (chunk: Buffer) => {
    if (chunk.length > left && !isCut) {
      isCut = true;
      say({ type: "cut" });
    }
    const text = decoder.write(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
    for (let at = 0; at < text.length; at += pieceChars)
      say({ type: "output", from, text: text.slice(at, at + pieceChars).toWellFormed() });
  });
}

/** All but this process, which is the first of its namespace. */
function endAll(): void {
  try {
    process.kill(-1, "SIGKILL");
  } catch {
    // There is no other.
  }
}

function stop(): void {
  isStopping = true;
  const pid = command?.pid;
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has just ended.
  }
  setTimeout(endAll, TERM_MS);
}

interface Changed {
  written: Map<string, Buffer>;
  removed: string[];
  odd: string[];
  exceeded: "files" | "bytes" | null;
}

function changesTo(brought: Map<string, string>, bounds: Run["bounds"]): Changed {
  const written = new Map<string, Buffer>();
  const odd: string[] = [];
  const there = new Set<string>();
  let bytes = 0;
  const none = (exceeded: "files" | "bytes"): Changed => ({
    written: new Map(),
    removed: [],
    odd: odd.slice(0, bounds.unsaved),
    exceeded,
  });
  for (const path of filesUnder("", odd)) {
    const { size } = lstatSync(`${HOME}/${path}`);
    there.add(path);
    if (size > bounds.writtenBytes && !brought.has(path)) return none("bytes");
    const content = readFileSync(`${HOME}/${path}`);
    if (brought.get(path) === digest(content)) continue;
    bytes += content.length;
    if (bytes > bounds.writtenBytes) return none("bytes");
    written.set(path, content);
    if (written.size > bounds.changedFiles) return none("files");
  }
  const removed = [...brought.keys()].filter((path) => !there.has(path));
  if (written.size + removed.length > bounds.changedFiles) return none("files");
  return { written, removed, odd: odd.slice(0, bounds.unsaved), exceeded: null };
}

/** Paths of files; what is neither a file nor a folder, and what has a name that no workspace can hold, goes to `odd`. */
function* filesUnder(folder: string, odd: string[]): Generator<string> {
  for (const entry of readdirSync(`${HOME}/${folder}`, { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path.includes("\ufffd") || Buffer.byteLength(path) > PATH_BYTES_MAX)
      odd.push(path.slice(0, PATH_BYTES_MAX));
    else if (entry.isDirectory()) yield* filesUnder(path, odd);
    else if (entry.isFile()) yield path;
    else odd.push(path);
  }
}

function take(message: ToShell): void {
  switch (message.type) {
    case "run":
      return void run(message);
    case "bytes":
      wanted.get(message.id)?.(message.base64);
      wanted.delete(message.id);
      return;
    case "input":
      if (command === null) early.push(message.text);
      else giveInput(command, message.text);
      return;
    case "stop":
      return stop();
    default:
      return message satisfies never;
  }
}

let waiting: Buffer = Buffer.alloc(0);
process.stdin.on("data", (chunk: Buffer) => {
  waiting = Buffer.concat([waiting, chunk]);
  while (waiting.length >= PREFIX_BYTES) {
    const end = PREFIX_BYTES + waiting.readUInt32BE(0);
    if (waiting.length < end) return;
    const text = waiting.subarray(PREFIX_BYTES, end).toString();
    waiting = waiting.subarray(end);
    take(JSON.parse(text) as ToShell);
  }
});
process.stdin.on("end", () => process.exit(0));
say({ type: "ready" });
