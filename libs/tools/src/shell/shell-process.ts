import { FrameDecoder } from "@bulkhead/sandbox/wire";
import {
  CHANGED_FILES_MAX,
  OUTPUT_BYTES_MAX,
  OUTPUT_PIECE_CHARS_MAX,
  READ_BYTES_MAX,
  READS_A_FILE_MAX,
  SHELL_FRAME_BYTES_MAX,
  SHELL_SAID_BYTES_MAX,
  SHELL_START_MS_MAX,
  STOP_MS_MAX,
  UNSAVED_MAX,
  WRITTEN_BYTES_MAX,
} from "../built-in/shell/bounds.ts";
import {
  encodeToShell,
  parseFromShell,
  type FromShell,
  type ListedFile,
  type ToShell,
} from "./shell-frames.ts";
import type { WorkspaceChanges } from "./workspace-copy.ts";

/** One command, as an engine runs it. */
export interface ShellCommand {
  command: string;
  /** A folder of the workspace; empty: its root. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string;
  /** Whether more of it may come while the command runs. */
  keepsInput: boolean;
  timeoutMs: number;
}

/** The machine can't run commands by this engine; the message is for people. */
export class EngineMissingError extends Error {
  override readonly name = "EngineMissingError";
}

/** A process that a shell runs in, however it was started. */
export interface ShellChild {
  input: NodeJS.WritableStream;
  output: NodeJS.ReadableStream;
  kill(): void;
  /** Resolves when nothing of it is left, with why it had to end where that is known, as a sentence. */
  ended: Promise<string | null>;
}

/** What one command brings its files from, and where what it says goes. */
export interface ShellCall {
  files: readonly ListedFile[];
  /** Of a file that was listed; null: it can't be had any more. */
  read(path: string): Promise<Uint8Array | null>;
  hear(from: "stdout" | "stderr", text: string): void;
}

/** `died`: it broke off, by itself or for what it did; its changes are nowhere. */
export type ShellEnd =
  | {
      outcome: "ended";
      exitCode: number;
      timedOut: boolean;
      truncated: boolean;
      changes: WorkspaceChanges;
      exceeded: "files" | "bytes" | "reading" | null;
    }
  | { outcome: "overran" }
  | { outcome: "died"; why: string | null }
  | { outcome: "unstarted" }
  | { outcome: "aborted" };

const BROKEN = { outcome: "died", why: null } as const;

/** Runs one command in the process, which is gone when this has resolved. Never rejects. */
export class ShellRun {
  readonly #child: ShellChild;
  readonly #call: ShellCall;
  readonly #command: ShellCommand;
  readonly #decoder = new FrameDecoder(SHELL_FRAME_BYTES_MAX);
  readonly #over = Promise.withResolvers<ShellEnd>();
  readonly #listed: ReadonlySet<string>;
  readonly #written = new Map<string, Uint8Array>();
  readonly #timers: NodeJS.Timeout[] = [];
  #reads: Promise<void> = Promise.resolve();
  #asked = 0;
  #readBytes = 0;
  #saidBytes = 0;
  #writtenBytes = 0;
  #isReady = false;
  #isOver = false;
  #isTruncated = false;
  #isStopping = false;
  #isTimedOut = false;

  constructor(child: ShellChild, command: ShellCommand, call: ShellCall) {
    this.#child = child;
    this.#command = command;
    this.#call = call;
    this.#listed = new Set(call.files.map(([path]) => path));
    child.output.on("data", (chunk: Buffer) => this.#hear(chunk));
    for (const stream of [child.input, child.output]) stream.on("error", () => this.#end(BROKEN));
    this.#after(SHELL_START_MS_MAX, () => !this.#isReady && this.#end({ outcome: "unstarted" }));
    void child.ended.then((why) =>
      this.#end(this.#isReady ? { outcome: "died", why } : { outcome: "unstarted" }),
    );
  }

  /** When the signal fires it is killed; what it has changed is nowhere then. */
  async end(signal: AbortSignal): Promise<ShellEnd> {
    const abort = (): void => this.#end({ outcome: "aborted" });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const end = await this.#over.promise;
    signal.removeEventListener("abort", abort);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#child.kill();
    await this.#child.ended;
    return end;
  }

  /** Goes to the standard input of a command that keeps it open; null ends that. */
  write(text: string | null): void {
    this.#say({ type: "input", text });
  }

  /** Asks it to stop and tell its changes; kills it where it doesn't. */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#say({ type: "stop" });
    this.#after(STOP_MS_MAX, () => this.#end({ outcome: "overran" }));
  }

  #after(ms: number, act: () => unknown): void {
    this.#timers.push(setTimeout(act, ms));
  }

  #end(end: ShellEnd): void {
    this.#isOver = true;
    this.#over.resolve(end);
  }

  #say(message: ToShell): boolean {
    return !this.#child.input.writable || this.#child.input.write(encodeToShell(message));
  }

  #hear(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#saidBytes += chunk.length;
    if (this.#saidBytes > SHELL_SAID_BYTES_MAX) return this.#end(BROKEN);
    try {
      for (const text of this.#decoder.push(chunk)) this.#take(parseFromShell(text));
    } catch {
      this.#end(BROKEN);
    }
  }

  #take(message: FromShell): void {
    switch (message.type) {
      case "ready":
        return this.#begin();
      case "read":
        this.#asked += 1;
        if (this.#asked > READS_A_FILE_MAX * this.#listed.size) return this.#end(BROKEN);
        // One after the other: whoever asks for much at once holds no more of it here.
        this.#reads = this.#reads.then(() => this.#answer(message.id, message.path));
        return;
      case "output":
        return this.#call.hear(message.from, message.text);
      case "cut":
        this.#isTruncated = true;
        return;
      case "wrote":
        return this.#keep(message.path, message.base64);
      case "done":
        return this.#finish(message);
      default:
        return message satisfies never;
    }
  }

  #begin(): void {
    if (this.#isReady) return this.#end(BROKEN);
    this.#isReady = true;
    const { timeoutMs, ...command } = this.#command;
    const bounds = {
      outputBytes: OUTPUT_BYTES_MAX,
      pieceChars: OUTPUT_PIECE_CHARS_MAX,
      changedFiles: CHANGED_FILES_MAX,
      writtenBytes: WRITTEN_BYTES_MAX,
      unsaved: UNSAVED_MAX,
      frameBytes: SHELL_FRAME_BYTES_MAX,
    };
    this.#say({ type: "run", ...command, files: this.#call.files, bounds });
    this.#after(timeoutMs, () => {
      this.#isTimedOut = true;
      this.stop();
    });
  }

  async #answer(id: number, path: string): Promise<void> {
    if (this.#isOver) return;
    // An honest shell asks for what it was told of alone.
    if (!this.#listed.has(path)) return this.#end(BROKEN);
    try {
      const bytes = this.#readBytes > READ_BYTES_MAX ? null : await this.#call.read(path);
      this.#readBytes += bytes?.length ?? 0;
      const base64 = bytes && Buffer.from(bytes).toString("base64");
      if (!this.#say({ type: "bytes", id, base64 })) await this.#taken();
    } catch {
      this.#say({ type: "bytes", id, base64: null });
    }
  }

  /** Resolves when it has taken what it was told, or is over: of more than that nothing is read for it. */
  async #taken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.input.once("drain", resolve);
    await Promise.race([promise, this.#over.promise]);
    this.#child.input.removeListener("drain", resolve);
  }

  #keep(path: string, base64: string): void {
    const bytes = Buffer.from(base64, "base64");
    this.#writtenBytes += bytes.length;
    this.#written.set(path, bytes);
    if (this.#written.size > CHANGED_FILES_MAX || this.#writtenBytes > WRITTEN_BYTES_MAX) this.#end(BROKEN);
  }

  #finish({ exitCode, removed, odd, exceeded }: Extract<FromShell, { type: "done" }>): void {
    if (removed.some((path) => !this.#listed.has(path))) return this.#end(BROKEN);
    const changes = { written: this.#written, removed, odd };
    const [timedOut, truncated] = [this.#isTimedOut, this.#isTruncated];
    this.#end({ outcome: "ended", exitCode, timedOut, truncated, changes, exceeded });
  }
}
