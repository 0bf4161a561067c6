import type { BrowserContext } from "playwright-core";
import type { ActionFailure } from "../actions.ts";
import { ANSWER_MS_MAX, FAILURE_CHARS_MAX } from "../bounds.ts";
import type { FromDriver, ToDriver } from "../browser-frames.ts";
import { act } from "./act.ts";
import { ActionError } from "./action-error.ts";
import { closeStuck, openChromium } from "./chromium.ts";
import { draw } from "./draw.ts";
import { Forward } from "./forward.ts";
import { cut, Notes } from "./notes.ts";
import { openProxy } from "./proxy.ts";
import { hear, say } from "./wire.ts";

// The first process of a browser's namespaces: it starts Chromium, does one action after the other, and passes requests of
// pages on. Nothing that it says is believed: whoever breaks out of a page has its rights.

const notes = new Notes();
const forward = new Forward(notes);
let context: BrowserContext | null = null;

async function start(message: Extract<ToDriver, { type: "start" }>): Promise<void> {
  await openProxy({ ...message, forward, notes });
  const opened = await openChromium(message, notes);
  context = opened.context;
  opened.browser.on("disconnected", () => end("Chromium has ended."));
  signalAll("SIGSTOP");
  say({ type: "ready", version: opened.browser.version() });
}

/** Chromium runs for the time of an action alone. */
async function perform({ action, timeoutMs }: Extract<ToDriver, { type: "act" }>): Promise<FromDriver> {
  if (context === null) throw new Error("there is no browser yet");
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => over.reject(new ActionError("timed_out", `It took more than ${timeoutMs} ms.`)),
    timeoutMs,
  );
  signalAll("SIGCONT");
  context.setDefaultTimeout(timeoutMs);
  forward.open();
  try {
    const result = await Promise.race([act(context, action), over.promise]);
    await Promise.race([forward.settle(), over.promise.catch(() => undefined)]);
    return { type: "done", result, notes: notes.take() };
  } catch (error) {
    const why = action.action === "open" ? notes.whyOf(urlOf(action.url)) : null;
    const failed = why === null ? failureOf(error as Error) : { code: "refused" as const, message: why };
    const answerMs = Math.min(ANSWER_MS_MAX, timeoutMs);
    if (failed.code === "timed_out" && !(await closeStuck(context, notes, answerMs)))
      end("A page did not answer any more, and could not be closed.");
    return { type: "failed", ...failed, notes: notes.take() };
  } finally {
    clearTimeout(timer);
    forward.close();
    signalAll("SIGSTOP");
  }
}

/** The same of a picture; whoever waits for it ends a browser that takes too long. */
async function drawOne({ drawing, timeoutMs }: Extract<ToDriver, { type: "draw" }>): Promise<FromDriver> {
  const browser = context?.browser();
  if (!browser) throw new Error("there is no browser yet");
  signalAll("SIGCONT");
  try {
    return { type: "drawn", ...(await draw(browser, drawing, timeoutMs)) };
  } catch (error) {
    return { type: "failed", ...failureOf(error as Error), notes: notes.take() };
  } finally {
    signalAll("SIGSTOP");
  }
}

const urlOf = (text: string): string => {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = "";
  return url.href;
};

function failureOf(error: Error): { code: ActionFailure; message: string } {
  const code =
    error instanceof ActionError ? error.code : error.name === "TimeoutError" ? "timed_out" : "failed";
  // Playwright's first line says what after the name of its function, those after it how it tried.
  const [line = ""] = error.message.replace(/^\w+\.\w+: /, "").split("\n");
  return { code, message: cut(line, FAILURE_CHARS_MAX) };
}

/** To all processes of the namespace but this one, which is the first of it. */
function signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
  process.kill(-1, signal);
}

function end(why: string): void {
  process.stderr.write(`${why}\n`, () => process.exit(1));
}

function take(message: ToDriver): void {
  switch (message.type) {
    case "start":
      return void start(message).catch((error: Error) => end(error.message.split("\n").join(" ")));
    case "act":
      return void perform(message).then(say);
    case "draw":
      return void drawOne(message).then(say);
    case "answer":
    case "part":
    case "refused":
      return forward.answer(message);
    default:
      return message satisfies never;
  }
}

// Anywhere else a signal to all processes would reach those of others.
if (process.pid !== 1) end("A driver is the first process of a namespace of its own.");
else hear(take);
