import type { Duplex } from "node:stream";
import { WebSocket, type RawData } from "ws";
import { z } from "zod";
import { readInput } from "@bulkhead/contracts";
import { toldOf, type OfferedCommand } from "./offered-commands.ts";
import { runProgram, type Outcome } from "./run-program.ts";

/** Programs that run at one time; the server asks for no more. */
const RUNNING_MAX = 16;
/** Bytes of one message, as the server has it. */
const MESSAGE_BYTES_MAX = 1_024 * 1_024;
/** How long the server may take to answer a close; milliseconds. */
const CLOSING_MS_MAX = 2_000;
/** An option of `ws` that its types don't know. */
const CLOSING = { closeTimeout: CLOSING_MS_MAX } as const;
/** The server pings three times in so long: one that is silent is gone; milliseconds. */
const SILENT_MS_MAX = 65_000;
const OPENING_MS_MAX = 20_000;
/** Progress of one command is told once in so long, so that the server's rate is kept; milliseconds. */
const PROGRESS_EVERY_MS = 500;
const PROGRESS_CHARS_MAX = 500;
const NOT_ALLOWED = 1008;
/** Why a connection ends for good, in the server's words. */
const FOR_GOOD: readonly (readonly [words: RegExp, code: string])[] = [
  [/another connection/, "device.replaced"],
  [/commands could not be kept/, "device.commands_refused"],
];

const FromServer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("invoke"),
    id: z.string().max(64),
    command: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    timeoutMs: z.number().min(1),
  }),
  z.object({ type: z.literal("cancel"), id: z.string().max(64) }),
]);

/** What a session tells of itself as it goes. */
export type SessionEvent =
  | { type: "connected" }
  | { type: "invoked"; id: string; command: string; arguments: Record<string, unknown> }
  | { type: "ended"; id: string; command: string; ms: number; ok: boolean; error?: string };

/** How a connection ended, and whether another one may be tried. */
export type SessionEnd =
  | { ended: "left" }
  /** `wasKept`: the server has said something since it was opened. */
  | { ended: "lost"; why: string; wasKept: boolean; retryAfterMs: number | null }
  | { ended: "refused"; code: string; why: string };

export interface SessionParts {
  /** Of the server, such as `https://bulkhead.example.com`. */
  url: string;
  token: string;
  commands: readonly OfferedCommand[];
  /** What programs inherit. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends it; what runs is cancelled. */
  signal: AbortSignal;
  tell: (event: SessionEvent) => void;
}

/** One connection, from its opening to its end: offers the commands, runs those that are asked for, tells how they ended. Never rejects. */
export async function runSession(parts: SessionParts): Promise<SessionEnd> {
  const socket = new WebSocket(`${parts.url.replace(/^http/, "ws")}/api/v1/devices/connect`, {
    ...CLOSING,
    headers: { authorization: `Bearer ${parts.token}` },
    handshakeTimeout: OPENING_MS_MAX,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  const running = new Running(parts, (message) => send(socket, message));
  const leave = (): void => socket.close(1000);
  parts.signal.addEventListener("abort", leave, { once: true });
  if (parts.signal.aborted) leave();
  try {
    return await ended(socket, parts, running);
  } finally {
    parts.signal.removeEventListener("abort", leave);
    await running.stop();
  }
}

function send(socket: WebSocket, message: object): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function ended(
  socket: WebSocket,
  { commands, signal, tell }: SessionParts,
  running: Running,
): Promise<SessionEnd> {
  return new Promise((resolve) => {
    let wasKept = false;
    let why = "the connection was closed";
    let refused: SessionEnd | null = null;
    let retryAfterMs: number | null = null;
    let silence: NodeJS.Timeout | undefined;
    const waitOn = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        why = "the server was silent";
        socket.terminate();
      }, SILENT_MS_MAX);
    };
    const heard = (): void => {
      wasKept = true;
      waitOn();
    };
    socket.on("open", () => {
      waitOn();
      send(socket, { type: "hello", commands: commands.map(toldOf) });
      tell({ type: "connected" });
    });
    socket.on("ping", heard);
    socket.on("message", (data, isBinary) => {
      heard();
      if (!isBinary) running.hear(data);
    });
    socket.on("unexpected-response", (_request, answer) => {
      retryAfterMs = secondsIn(answer.headers["retry-after"]);
      void readProblem(answer).then(({ code, detail }) => {
        why = detail;
        // Too many tries, and servers that are busy: later they let it in.
        if (answer.statusCode === 401 || answer.statusCode === 403) refused = { ended: "refused", code, why };
        socket.terminate();
      });
    });
    socket.on("error", (error) => (why = error.message || why));
    socket.on("close", (code, reason) => {
      clearTimeout(silence);
      const said = reason.toString();
      if (said !== "") why = said;
      if (signal.aborted) return resolve({ ended: "left" });
      if (refused !== null) return resolve(refused);
      const forGood = code === NOT_ALLOWED && FOR_GOOD.find(([words]) => words.test(said));
      if (forGood) return resolve({ ended: "refused", code: forGood[1], why: said });
      resolve({ ended: "lost", why, wasKept, retryAfterMs });
    });
  });
}

const secondsIn = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1_000 : null;

const PROBLEM_BYTES_MAX = 65_536;

/** What the server says of a refusal. */
async function readProblem(
  answer: Duplex | NodeJS.ReadableStream,
): Promise<{ code: string; detail: string }> {
  let text = "";
  try {
    for await (const chunk of answer) {
      text += String(chunk);
      if (text.length > PROBLEM_BYTES_MAX) break;
    }
    const { code, title, detail } = JSON.parse(text) as Record<string, unknown>;
    return { code: String(code), detail: String(detail ?? title) };
  } catch {
    return { code: "client.answer_invalid", detail: "what answered there is no Bulkhead server" };
  }
}

/** The programs of one connection. */
class Running {
  readonly #parts: Pick<SessionParts, "commands" | "tell" | "env">;
  readonly #send: (message: object) => void;
  readonly #open = new Map<string, { cancel: AbortController; done: Promise<void> }>();

  constructor(
    parts: Pick<SessionParts, "commands" | "tell" | "env">,
    sendMessage: (message: object) => void,
  ) {
    this.#parts = parts;
    this.#send = sendMessage;
  }

  hear(data: RawData): void {
    const said = readFrame(data);
    if (said === null) return;
    if (said.type === "cancel") return this.#open.get(said.id)?.cancel.abort();
    if (this.#open.has(said.id)) return;
    const cancel = new AbortController();
    const done = this.#run(said, cancel.signal).finally(() => this.#open.delete(said.id));
    this.#open.set(said.id, { cancel, done });
  }

  /** Ends them all. */
  async stop(): Promise<void> {
    const all = [...this.#open.values()];
    for (const { cancel } of all) cancel.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  async #run({ id, command, arguments: args, timeoutMs }: Invoke, signal: AbortSignal): Promise<void> {
    const { commands, tell, env } = this.#parts;
    const startedAt = performance.now();
    tell({ type: "invoked", id, command, arguments: args });
    const offered = commands.find(({ name }) => name === command);
    const outcome: Outcome =
      offered === undefined
        ? { ok: false, error: `This device offers no command ${command}.` }
        : this.#open.size >= RUNNING_MAX
          ? { ok: false, error: `This device runs ${RUNNING_MAX} commands already.` }
          : await runProgram(offered, {
              arguments: args,
              timeoutMs,
              signal,
              env,
              onLine: this.#progressOf(id),
            });
    const ms = Math.round(performance.now() - startedAt);
    this.#send({ type: "result", id, ...outcome });
    tell({ type: "ended", id, command, ms, ok: outcome.ok, ...(!outcome.ok && { error: outcome.error }) });
  }

  /** The newest line, now and then. */
  #progressOf(id: string): (line: string) => void {
    let next = 0;
    return (line) => {
      const now = performance.now();
      if (now < next) return;
      next = now + PROGRESS_EVERY_MS;
      this.#send({ type: "progress", id, message: line.slice(0, PROGRESS_CHARS_MAX).toWellFormed() });
    };
  }
}

type Invoke = Extract<z.infer<typeof FromServer>, { type: "invoke" }>;

/** Null for what a newer server may say that this program does not know. */
function readFrame(data: RawData): z.infer<typeof FromServer> | null {
  try {
    return readInput(FromServer, JSON.parse((data as Buffer).toString())).value;
  } catch {
    return null;
  }
}
