import { BODY_DEPTH_MAX } from "@bulkhead/contracts";
import { harmless } from "@bulkhead/core/harmless";
import { spawn, type ChildProcess } from "node:child_process";
import { placeholderIn, type OfferedCommand } from "./offered-commands.ts";

/** Bytes of a program's output that are kept: as JSON they have to fit into one message. */
export const OUTPUT_BYTES_MAX = 128 * 1_024;
/** Characters of what it said of its failure: the last ones. */
const ERROR_CHARS_MAX = 1_800;
/** How long a program that was asked to end may take before it is killed; milliseconds. */
const END_MS_MAX = 2_000;
/** Settings of the command line, which hold a key: no program that others start gets them. */
const OWN = /^BULKHEAD_/;

export type Outcome = { ok: true; value: unknown } | { ok: false; error: string };

interface Asked {
  arguments: Record<string, unknown>;
  timeoutMs: number;
  signal: AbortSignal;
  /** What the program inherits, less the settings of the command line. */
  env: Readonly<Record<string, string | undefined>>;
  /** Hears each line of its standard error. */
  onLine: (line: string) => void;
}

/**
 * Runs the program with its words as they are, through no shell; the arguments come as JSON on its standard input. It ends with
 * all that it has started at its time-out, and when the signal fires. Never rejects.
 */
export async function runProgram(command: OfferedCommand, asked: Asked): Promise<Outcome> {
  const words = wordsOf(command.run, asked.arguments);
  if ("missing" in words) return failed(words.missing);
  const timeoutMs = Math.min(command.timeoutMs, asked.timeoutMs);
  const ran = await watch(command, words.words, timeoutMs, asked);
  if ("unstarted" in ran) return failed(`The program could not be started: ${ran.unstarted}`);
  if (ran.ended === "cancelled") return failed("The command was cancelled.");
  if (ran.ended === "late") return failed(`The command did not end within ${timeoutMs} ms.`);
  if (ran.code !== 0) {
    const how = ran.code === null ? `by ${ran.signal ?? "a signal"}` : `with exit code ${ran.code}`;
    return failed(`The command ended ${how}${endOf(ran.stderr)}`);
  }
  return valueOf(ran, command.output);
}

const failed = (error: string): Outcome => ({ ok: false, error });

/** The words of the command line, each argument whole in one of them. */
export function wordsOf(
  run: readonly string[],
  args: Record<string, unknown>,
): { words: string[] } | { missing: string } {
  const words: string[] = [];
  for (const word of run) {
    const key = placeholderIn(word);
    const value = key === undefined ? word : Object.hasOwn(args, key) ? args[key] : undefined;
    if (value === undefined || value === null) return { missing: `The argument ${key} is missing.` };
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text.includes("\0"))
      return { missing: `The argument ${key} holds a NUL, which no program can be given.` };
    words.push(text);
  }
  return { words };
}

interface Ran {
  ended: "by itself" | "late" | "cancelled";
  code: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: string;
  isCut: boolean;
}

function watch(
  { cwd }: OfferedCommand,
  [program = "", ...words]: string[],
  timeoutMs: number,
  { arguments: args, signal, env, onLine }: Asked,
): Promise<Ran | { unstarted: string }> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      // In a process group of its own, so that what it starts ends with it.
      child = spawn(program, words, {
        cwd,
        env: withoutOwn(env),
        shell: false,
        detached: true,
        windowsHide: true,
      });
    } catch (error) {
      return resolve({ unstarted: (error as Error).message });
    }
    const { pid } = child;
    hold(child);
    let ended: Ran["ended"] = "by itself";
    let killer: NodeJS.Timeout | undefined;
    const stop = (why: Ran["ended"]): void => {
      if (ended !== "by itself") return;
      ended = why;
      killAll(child, "SIGTERM");
      killer = setTimeout(() => killAll(child, "SIGKILL"), END_MS_MAX);
    };
    const onAbort = (): void => stop("cancelled");
    const timer = setTimeout(stop, timeoutMs, "late" satisfies Ran["ended"]);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const kept = keep(child, onLine);
    const done = (ran: Ran | { unstarted: string }): void => {
      letGo(child);
      clearTimeout(timer);
      clearTimeout(killer);
      signal.removeEventListener("abort", onAbort);
      resolve(ran);
    };
    child.once("error", (error) => pid === undefined && done({ unstarted: error.message }));
    child.once("exit", (code, by) => {
      // Its children may hold its output open: they end now, and with them the output.
      killAll(child, "SIGKILL");
      // One that has left the group keeps it open: what it says is nobody's any more.
      const shut = setTimeout(() => void (child.stdout?.destroy(), child.stderr?.destroy()), END_MS_MAX);
      child.once("close", () => {
        clearTimeout(shut);
        done({ ended, code, signal: by, ...kept() });
      });
    });
    // A program that reads nothing has ended before all was written.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${JSON.stringify(args)}\n`);
  });
}

const running = new Set<ChildProcess>();

/** Programs have groups of their own, which no terminal ends: those that run as this process ends, however it does, end with it. */
const endAll = (): void => {
  for (const child of running) killAll(child, "SIGKILL");
};

function hold(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", endAll);
  running.add(child);
}

function letGo(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.off("exit", endAll);
}

const withoutOwn = (env: Asked["env"]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OWN.test(name)));

/** It and what it has started; on Windows, which has no groups, it alone. */
function killAll(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Keeps the first of its output and the last of its errors. */
function keep(
  child: ChildProcess,
  onLine: (line: string) => void,
): () => Pick<Ran, "stdout" | "stderr" | "isCut"> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = "";
  let begun = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (bytes < OUTPUT_BYTES_MAX) chunks.push(chunk.subarray(0, OUTPUT_BYTES_MAX - bytes));
    bytes += chunk.length;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-ERROR_CHARS_MAX);
    const lines = (begun + text).split("\n");
    begun = (lines.pop() ?? "").slice(-ERROR_CHARS_MAX);
    for (const line of lines) if (line.trim() !== "") onLine(line);
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr, isCut: bytes > OUTPUT_BYTES_MAX });
}

function endOf(stderr: string): string {
  const said = harmless(stderr.toWellFormed()).trim();
  return said === "" ? "." : `: ${said}`;
}

function valueOf({ stdout, isCut }: Ran, output: OfferedCommand["output"]): Outcome {
  const text = new TextDecoder().decode(stdout).replace(/\r?\n$/, "");
  if (output === "text")
    return { ok: true, value: isCut ? `${text}\n[cut: it said more than ${OUTPUT_BYTES_MAX} bytes]` : text };
  if (isCut) return failed(`The command said more than ${OUTPUT_BYTES_MAX} bytes, so its JSON is not whole.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed("The command did not say JSON, as its output is said to be.");
  }
  if (mayBeSent(value)) return { ok: true, value };
  return failed(
    `The command said JSON that no message may hold: it nests deeper than ${BODY_DEPTH_MAX} levels, or names a field as no field may be named.`,
  );
}

/** The server ends the connection, and with it whatever else runs, for a message that is deeper or has such a name. */
function mayBeSent(value: unknown): boolean {
  let level = [value].filter(isHolder);
  // The message itself is the first level.
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > BODY_DEPTH_MAX || level.some(isPoison)) return false;
    level = level.flatMap((holder) => Object.values(holder).filter(isHolder));
  }
  return true;
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

const isPoison = (holder: object): boolean => {
  const made: unknown = Object.hasOwn(holder, "constructor") && holder.constructor;
  return Object.hasOwn(holder, "__proto__") || (isHolder(made) && Object.hasOwn(made, "prototype"));
};
