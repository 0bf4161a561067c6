import type { BrowserGround, DrawingBrowser } from "../../browser/browser-process.ts";
import { BrowserMissingError, startBrowser } from "../../browser/browser-process.ts";
import type { DrawAction, DrawOutcome } from "../../browser/draw-action.ts";
import { ProgramPool } from "../programs/program-pool.ts";
import { DRAW_MS_MAX } from "./bounds.ts";
import type { Drawing } from "./svg-drawer.ts";

/** A picture for a browser, and for whom the browser is started. */
export interface BrowserDrawingJob {
  tenantId: string;
  drawing: DrawAction;
}

type Start = (tenantId: string, signal: AbortSignal) => Promise<DrawingBrowser>;

/** Draws SVG and HTML by Chromium: each picture by a browser of its own, which ends with it. */
export class BrowserDrawer extends ProgramPool<BrowserDrawingJob, Drawing> {
  constructor(ground: BrowserGround) {
    const start: Start = (tenantId, signal) => startBrowser(ground, tenantId, signal);
    // None is ever idle.
    super((onGone) => new OnePicture(start, onGone), 0);
  }
}

/** A browser for one picture. */
class OnePicture {
  readonly pid = undefined;
  readonly #start: Start;
  readonly #onGone: () => void;
  #isGone = false;
  readonly #closing = new AbortController();
  #browser: DrawingBrowser | null = null;
  readonly #left = Promise.withResolvers<void>();

  constructor(start: Start, onGone: () => void) {
    this.#start = start;
    this.#onGone = onGone;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  async run({ tenantId, drawing }: BrowserDrawingJob, signal: AbortSignal): Promise<Drawing> {
    this.#isGone = true;
    try {
      const browser = await this.#start(tenantId, AbortSignal.any([signal, this.#closing.signal]));
      this.#browser = browser;
      const outcome = await browser.draw(drawing, DRAW_MS_MAX, signal);
      return this.#closing.signal.aborted ? { outcome: "unavailable" } : answerOf(outcome, signal);
    } catch (error) {
      if (this.#closing.signal.aborted) return { outcome: "unavailable" };
      if (signal.aborted) return { outcome: "aborted" };
      const why = error instanceof BrowserMissingError ? error.message : "the browser could not be started";
      return { outcome: "absent", why };
    } finally {
      void this.#end();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#browser?.kill();
    await this.#left.promise;
  }

  async #end(): Promise<void> {
    this.#browser?.kill();
    await this.#browser?.ended;
    this.#left.resolve();
    this.#onGone();
  }
}

function answerOf(outcome: DrawOutcome, signal: AbortSignal): Drawing {
  if (outcome.ok) {
    const { base64, ...about } = outcome.drawing;
    return { outcome: "drawn", bytes: Buffer.from(base64, "base64"), ...about };
  }
  if (signal.aborted) return { outcome: "aborted" };
  const { code, message } = outcome;
  switch (code) {
    case "bad_action":
      return { outcome: "refused", code: "invalid_request", why: message };
    case "refused":
      return { outcome: "refused", code: "capability_limit", why: message };
    // What ended it is said: its time, or its memory.
    case "ended":
    case "timed_out":
    case "failed":
      return { outcome: "refused", code: "failed", why: message };
    default:
      return code satisfies never;
  }
}
