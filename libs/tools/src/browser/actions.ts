import { z } from "zod";
import { CONTENT_BYTES_MAX, KEPT_CHARS_MAX } from "./action-bounds.ts";
import {
  FAILURE_CHARS_MAX,
  PAGES_MAX,
  TITLE_CHARS_MAX,
  TOLD_CHARS_MAX,
  TOLD_MAX,
  URL_CHARS_MAX,
} from "./bounds.ts";

/** A page by its id; unset: the one that was used last. */
interface OnPage {
  page?: string | undefined;
}

/** What a browser is asked to do, within bounds that whoever asks has looked at. A `ref` is one of the page's last snapshot. */
export type BrowserAction =
  /** In the page that was used last, or in a new one: `page` is `new` then. */
  | ({ action: "open"; url: string } & OnPage)
  /** `goesOn`: the one that was taken last, whose refs hold as long. */
  | ({ action: "snapshot"; goesOn: boolean } & OnPage)
  | ({
      action: "click";
      ref: string;
      double?: boolean | undefined;
      button?: "left" | "middle" | "right" | undefined;
    } & OnPage)
  | ({
      action: "type";
      ref: string;
      text: string;
      submit?: boolean | undefined;
      slowly?: boolean | undefined;
    } & OnPage)
  | ({ action: "press"; key: string } & OnPage)
  | ({ action: "select"; ref: string; values: string[] } & OnPage)
  | ({
      action: "scroll";
      direction: "up" | "down";
      pixels?: number | undefined;
      ref?: string | undefined;
    } & OnPage)
  | ({ action: "back" } & OnPage)
  | ({ action: "wait"; text?: string | undefined; ms?: number | undefined } & OnPage)
  | ({
      action: "screenshot";
      format: "png" | "jpeg";
      bytesMax: number;
      ref?: string | undefined;
      fullPage?: boolean | undefined;
    } & OnPage)
  | ({ action: "text"; ref?: string | undefined } & OnPage)
  | ({ action: "pdf"; bytesMax: number } & OnPage)
  | { action: "pages" }
  /** One page, or all of them. */
  | ({ action: "close" } & OnPage);

const pageId = z.string().regex(/^p[1-9]\d{0,8}$/);
const page = { page: pageId, url: z.string().max(URL_CHARS_MAX), title: z.string().max(TITLE_CHARS_MAX) };
/** `opened`: pages that the page has opened meanwhile. */
const done = { ...page, opened: z.array(pageId).max(PAGES_MAX) };
const content = {
  base64: z.base64().max(Math.ceil(CONTENT_BYTES_MAX / 3) * 4),
  mimeType: z.enum(["image/png", "image/jpeg", "application/pdf"]),
  /** The text that is seen in it. */
  shows: z.string().max(KEPT_CHARS_MAX),
};
const pixels = z.int().min(1).nullable();
const pages = { pages: z.array(z.strictObject({ ...page, isCurrent: z.boolean() })).max(PAGES_MAX) };

/** What an action found, as a driver says it. */
export const actionResult = z.discriminatedUnion("action", [
  /** `status` is null where the page came by no answer of a server. */
  z.strictObject({ action: z.literal("open"), ...done, status: z.int().min(100).max(999).nullable() }),
  z.strictObject({
    action: z.enum(["click", "type", "press", "select", "scroll", "back", "wait"]),
    ...done,
  }),
  z.strictObject({ action: z.enum(["snapshot", "text"]), ...page, text: z.string().max(KEPT_CHARS_MAX) }),
  z.strictObject({ action: z.literal("screenshot"), ...page, ...content, width: pixels, height: pixels }),
  z.strictObject({ action: z.literal("pdf"), ...page, ...content }),
  /** The pages that are open, or still open. */
  z.strictObject({ action: z.enum(["pages", "close"]), ...pages }),
]);
export type ActionResult = z.infer<typeof actionResult>;

/**
 * `refused`: the page or the action is at fault; `timed_out`: its time was over; `ended`: the browser is gone, and
 * whoever acts next needs another one.
 */
const FAILURES = ["bad_action", "refused", "failed", "timed_out", "ended"] as const;
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
