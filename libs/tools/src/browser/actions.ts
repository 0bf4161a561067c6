import { z } from "zod";
import {
  FAILURE_CHARS_MAX,
  TEXT_CHARS_MAX,
  TITLE_CHARS_MAX,
  TOLD_CHARS_MAX,
  TOLD_MAX,
  URL_CHARS_MAX,
} from "./bounds.ts";

/** What a browser is asked to do. A page is named by the id that it was told with; unset: the one that was used last. */
export type BrowserAction =
  | { action: "open"; url: string; page?: string }
  | { action: "text"; page?: string }
  | { action: "close"; page?: string };

const pageId = z.string().regex(/^p[1-9]\d{0,8}$/);
const page = { page: pageId, url: z.string().max(URL_CHARS_MAX), title: z.string().max(TITLE_CHARS_MAX) };

/** What an action found, as a driver says it. */
export const actionResult = z.discriminatedUnion("action", [
  /** `status` is null where the page came by no answer of a server. */
  z.strictObject({ action: z.literal("open"), ...page, status: z.int().min(100).max(999).nullable() }),
  z.strictObject({ action: z.literal("text"), ...page, text: z.string().max(TEXT_CHARS_MAX) }),
  /** `left`: the pages that are still open. */
  z.strictObject({ action: z.literal("close"), left: z.array(pageId) }),
]);
export type ActionResult = z.infer<typeof actionResult>;

/**
 * `refused`: the page or the action is at fault; `timed_out`: its time was over; `ended`: the browser is gone, and
 * whoever acts next needs another one.
 */
export const FAILURES = ["bad_action", "refused", "failed", "timed_out", "ended"] as const;
export type ActionFailure = (typeof FAILURES)[number];

const toldText = z.string().max(TOLD_CHARS_MAX);
const told = z.array(toldText).max(TOLD_MAX);

/** What went otherwise than pages wanted while the action was done: how many of each, and the first few as sentences. */
export const actionNotes = z.strictObject({
  /** Requests that were not let out, or not answered. */
  refused: z.strictObject({ count: z.int().min(0), first: told }),
  /** Dialogs that were dismissed, downloads that were not taken, pages that were closed. */
  dismissed: z.strictObject({ count: z.int().min(0), first: told }),
});
export type ActionNotes = z.infer<typeof actionNotes>;

export const actionFailed = z.strictObject({
  code: z.enum(FAILURES),
  message: z.string().max(FAILURE_CHARS_MAX),
});

export type BrowserOutcome =
  | { ok: true; result: ActionResult; notes: ActionNotes }
  | { ok: false; code: ActionFailure; message: string; notes: ActionNotes };
