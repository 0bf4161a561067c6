import { fileURLToPath } from "node:url";
import { BROWSER_PORT, type McpLauncher, type McpProcess } from "@bulkhead/core";
import { makeSelfSigned } from "@bulkhead/process/self-signed";
import { FrameDecoder } from "@bulkhead/sandbox/wire";
import type { BrowserAction, BrowserOutcome } from "./actions.ts";
import {
  ACT_MORE_MS,
  ACT_MS_DEFAULT,
  ACT_MS_MAX,
  ACT_SAID_BYTES_MAX,
  BROWSER_START_MS_MAX,
  DRAW_MORE_MS,
  FROM_DRIVER_BYTES_MAX,
} from "./bounds.ts";
import { encodeToDriver, parseFromDriver, type FromDriver, type ToDriver } from "./browser-frames.ts";
import type { DrawAction, DrawOutcome } from "./draw-action.ts";
import { type BrowserWay, PageRequests } from "./page-requests.ts";

const DRIVER = fileURLToPath(new URL("driver/driver.ts", import.meta.url));
/** V8's heap of the driver, in MiB. */
const HEAP_MIB_MAX = 192;
/** Where Chromium finds what fonts there are, and Debian's script what it starts Chromium with. */
const SETTINGS_SEEN = ["/etc/fonts", "/etc/chromium.d"];
/** How the launcher tells of a process that needed more memory than it may use. */
const MEMORY = /^It needed more than/;
const NOTHING_TOLD = { refused: { count: 0, first: [] }, dismissed: { count: 0, first: [] } };

/** What browsers are started with. */
export interface BrowserGround {
  launcher: McpLauncher;
  /** The program, by an absolute path. */
  chromium: string;
}

/** The machine can't run a browser; the message is for people. */
export class BrowserMissingError extends Error {
  override readonly name = "BrowserMissingError";
}

/** One Chromium with a profile of its own, behind the layers that others' servers have. */
export interface BrowserProcess {
  /** Of Chromium, as it says. */
  readonly version: string;
  /**
   * Does one action; the requests of its pages go out by the way until it is done, and by none after. One at a time. Never
   * rejects. When the signal fires the browser is ended.
   */
  act(action: BrowserAction, way: BrowserWay, signal: AbortSignal): Promise<BrowserOutcome>;
  kill(): void;
  /** Resolves when nothing of it is left, with why it had to end where that is known, as a sentence. */
  ended: Promise<string | null>;
}

/** One that draws too. */
export interface DrawingBrowser extends BrowserProcess {
  /** Draws a picture in a context of its own, which reaches nothing, as `act` does the rest. */
  draw(drawing: DrawAction, timeoutMs: number, signal: AbortSignal): Promise<DrawOutcome>;
}

/**
 * Starts a browser that nobody else uses. Rejects with a BrowserMissingError where none can be had here, and where the signal
 * fires before it is there; nothing is left of it then.
 */
export async function startBrowser(
  ground: BrowserGround,
  tenantId: string,
  signal: AbortSignal,
): Promise<DrawingBrowser> {
  const browser = new DrivenBrowser(await launch(ground, tenantId));
  await browser.start(ground.chromium, signal);
  return browser;
}

async function launch({ launcher, chromium }: BrowserGround, tenantId: string): Promise<McpProcess> {
  const flags = [`--max-old-space-size=${HEAP_MIB_MAX}`, "--no-warnings"];
  // The paths are named so that they are seen.
  const args = [...flags, DRIVER, chromium, ...SETTINGS_SEEN];
  try {
    return await launcher.launch({ tenantId, command: process.execPath, args, env: {}, size: "browser" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BrowserMissingError(`The browser can't be started here: ${why}`, { cause });
  }
}

/** What is under way: an action, or a picture. */
type Doing =
  | { does: "act"; requests: PageRequests; end(outcome: BrowserOutcome): void }
  | { does: "draw"; requests: null; end(outcome: DrawOutcome): void };

class DrivenBrowser implements DrawingBrowser {
  readonly ended: Promise<string | null>;
  readonly #child: McpProcess;
  readonly #decoder = new FrameDecoder(FROM_DRIVER_BYTES_MAX);
  readonly #started = Promise.withResolvers<string>();
  #version = "";
  #doing: Doing | null = null;
  #saidBytes = 0;
  /** Why it was ended by us. */
  #why: string | null = null;

  constructor(child: McpProcess) {
    this.#child = child;
    child.output.on("data", (chunk: Buffer) => this.#hear(chunk));
    for (const stream of [child.input, child.output]) stream.on("error", () => this.kill());
    this.ended = child.ended.then(() => {
      const why = this.#why ?? (MEMORY.test(child.lastWords) ? child.lastWords : null);
      this.#started.reject(new BrowserMissingError(`The browser did not start: ${why ?? lastLineOf(child)}`));
      this.#fail(endedFor(why));
      return why;
    });
  }

  get version(): string {
    return this.#version;
  }

  async start(chromium: string, signal: AbortSignal): Promise<void> {
    const { key, cert } = makeSelfSigned(["browser.invalid"]);
    this.#say({ type: "start", port: BROWSER_PORT, chromium, key, cert });
    const late = (): void => this.#end(`It was not there within ${BROWSER_START_MS_MAX} ms.`);
    const giveUp = (): void => this.#end("Nobody waits for it any more.");
    const timer = setTimeout(late, BROWSER_START_MS_MAX);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      this.#version = await this.#started.promise;
    } catch (error) {
      await this.ended;
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  }

  async act(action: BrowserAction, way: BrowserWay, signal: AbortSignal): Promise<BrowserOutcome> {
    const timeoutMs = Math.min(way.timeoutMs ?? ACT_MS_DEFAULT, ACT_MS_MAX);
    const over = Promise.withResolvers<BrowserOutcome>();
    const requests = new PageRequests(way, (message) => this.#say(message));
    const doing = { does: "act", requests, end: over.resolve } as const;
    return this.#do(doing, { type: "act", action, timeoutMs }, ACT_MORE_MS, over.promise, signal);
  }

  async draw(drawing: DrawAction, timeoutMs: number, signal: AbortSignal): Promise<DrawOutcome> {
    const over = Promise.withResolvers<DrawOutcome>();
    const doing = { does: "draw", requests: null, end: over.resolve } as const;
    return this.#do(doing, { type: "draw", drawing, timeoutMs }, DRAW_MORE_MS, over.promise, signal);
  }

  async #do<T>(
    doing: Doing,
    message: Extract<ToDriver, { timeoutMs: number }>,
    moreMs: number,
    over: Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#doing !== null) throw new Error("a browser does one action at a time");
    const { timeoutMs } = message;
    const abort = (): void => this.#end("Its call was given up.");
    const late = (): void => this.#end(`It did not answer within ${timeoutMs} ms.`);
    this.#doing = doing;
    this.#saidBytes = 0;
    const timer = setTimeout(late, timeoutMs + moreMs);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    // One that ended before is told of at once.
    void this.ended.then((why) => this.#fail(endedFor(why)));
    this.#say(message);
    const outcome = await over;
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    return outcome;
  }

  kill(): void {
    this.#child.kill();
  }

  #end(why: string): void {
    this.#why ??= why;
    this.kill();
  }

  #fail(failure: Failure): void {
    const doing = this.#doing;
    this.#settle();
    doing?.end(failure);
  }

  /** From here on nothing goes out, whatever the driver says in the same breath. */
  #settle(): void {
    this.#doing?.requests?.end();
    this.#doing = null;
  }

  #say(message: ToDriver): void {
    if (this.#child.input.writable) this.#child.input.write(encodeToDriver(message));
  }

  #hear(chunk: Buffer): void {
    // Of one that was ended nothing is heard any more.
    if (this.#why !== null) return;
    this.#saidBytes += chunk.length;
    try {
      if (this.#saidBytes > ACT_SAID_BYTES_MAX) throw new Error("it said too much");
      for (const frame of this.#decoder.push(chunk)) this.#take(parseFromDriver(frame));
    } catch {
      this.#end("Its driver broke its rules.");
    }
  }

  /** Throws for what no honest driver says. */
  #take(message: FromDriver): void {
    const { type } = message;
    if (type === "ready") return this.#started.resolve(message.version);
    const doing = this.#doing;
    // Between actions a driver is silent.
    if (doing === null) throw new Error("it spoke unasked");
    if (type === "failed")
      return this.#fail({ ok: false, code: message.code, message: message.message, notes: message.notes });
    if (doing.does === "draw") {
      if (type !== "drawn") throw new Error("it does what nobody asked for");
      const { type: _, ...drawing } = message;
      this.#settle();
      return doing.end({ ok: true, drawing });
    }
    if (type === "request") return sound(doing.requests.begin(message));
    if (type === "more") return sound(doing.requests.more(message.id));
    if (type === "drop") return doing.requests.drop(message.id);
    if (type !== "done") throw new Error("it does what nobody asked for");
    this.#settle();
    doing.end({ ok: true, result: message.result, notes: message.notes });
  }
}

function sound(isSound: boolean): void {
  if (!isSound) throw new Error("it asked for more than it may");
}

type Failure = Extract<BrowserOutcome, { ok: false }>;

const endedFor = (why: string | null): Failure => ({
  ok: false,
  code: "ended",
  message:
    why === null ? "The browser has ended by itself." : `The browser was ended, since ${inMidst(why)}.`,
  notes: NOTHING_TOLD,
});

/** A reason in the midst of a sentence. */
export const inMidst = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");

const lastLineOf = ({ lastWords }: McpProcess): string =>
  lastWords.trim().split("\n").at(-1) || "it ended without a word.";
