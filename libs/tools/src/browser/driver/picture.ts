import type { Frame, Locator, Page } from "playwright-core";
import { FULL_PAGE_PX_MAX, KEPT_CHARS_MAX, STEP_MS_MAX, WINDOW } from "../action-bounds.ts";
import type { ActionResult, BrowserAction } from "../actions.ts";
import { ActionError } from "./action-error.ts";
import { within } from "./within.ts";

type Of<Name> = Extract<ActionResult, { action: Name }>;
type Picture = Pick<Of<"screenshot">, "base64" | "mimeType" | "width" | "height">;
type Print = Pick<Of<"pdf">, "base64" | "mimeType">;
type On<Name extends BrowserAction["action"]> = Extract<BrowserAction, { action: Name }>;

/** Qualities of a JPEG that are tried one after the other until it is small enough. */
const QUALITIES = [80, 50, 30] as const;
/** Where the head of a PNG has its width and its height. */
const PNG_WIDTH = 16;
const PNG_HEIGHT = 20;

const WHOLE = {
  fullPage: true,
  clip: { x: 0, y: 0, width: WINDOW.width, height: FULL_PAGE_PX_MAX },
} as const;

/** An element, or a shadow root, as far as it is looked at. */
interface Shown {
  readonly innerText?: string;
  readonly textContent: string | null;
  readonly localName?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly placeholder?: unknown;
  readonly shadowRoot?: Shown | null;
  querySelectorAll(selectors: string): Iterable<Shown>;
}

/** What stands around the page of a frame. */
interface Around {
  readonly contentDocument?: object | null;
}

/**
 * The text of an element and of the open shadow roots in it, with what fields hold or ask for, but for passwords. It runs in the
 * page: what it uses stands in it.
 */
function wordsOf(element: Shown): string {
  const words: unknown[] = [];
  const roots = [element];
  for (const root of roots) {
    words.push(root.innerText ?? root.textContent);
    for (const { localName, type, value, placeholder, shadowRoot } of [root, ...root.querySelectorAll("*")]) {
      if (shadowRoot) roots.push(shadowRoot);
      if (localName !== "input" && localName !== "textarea") continue;
      if (type !== "password" && type !== "hidden") words.push(value);
      words.push(placeholder);
    }
  }
  return words.join("\n");
}

const wordsAt = (root: Locator): Promise<string> =>
  root.evaluate(wordsOf, undefined, { timeout: STEP_MS_MAX });

/** None of one that is gone meanwhile. */
async function wordsInFrame(frame: Frame): Promise<string> {
  try {
    // One whose page never came answers only once the page around it has looked into it.
    if (frame.url() === "" && frame.parentFrame() !== null)
      await (await frame.frameElement()).evaluate(({ contentDocument }: Around) => contentDocument === null);
    return await wordsAt(frame.locator(":root"));
  } catch (error) {
    if (frame.isDetached()) return "";
    throw error;
  }
}

/**
 * What can be read in a picture of the page or of an element; of an element, too, with all frames of the page, since it may be one
 * or hold some. Rejects where more stands there than can be looked through.
 */
export async function wordsIn(page: Page, element?: Locator): Promise<string> {
  const frames = page.frames().filter((frame) => element === undefined || frame !== page.mainFrame());
  const asked = [...(element === undefined ? [] : [wordsAt(element)]), ...frames.map(wordsInFrame)];
  const words = (await within(STEP_MS_MAX, Promise.all(asked))).join("\n").toWellFormed();
  if (words.length > KEPT_CHARS_MAX)
    throw new ActionError("refused", "The page has more text than a picture may show: read it by its text.");
  // Others than these have no place in a picture, and many bytes in a message.
  return words.replace(/[^\P{Cc}\n\t]/gu, " ");
}

/** The window, the whole page to a depth, or one element; a PNG that is too large comes as a JPEG. */
export async function pictureOf(page: Page, asked: On<"screenshot">, element?: Locator): Promise<Picture> {
  const { format, bytesMax, fullPage } = asked;
  const size = element === undefined ? null : await within(STEP_MS_MAX, element.boundingBox());
  if (size !== null && size.width * size.height > WINDOW.width * FULL_PAGE_PX_MAX)
    throw new ActionError(
      "refused",
      "The element is larger than a picture may be: take one of a part of it.",
    );
  const how = { timeout: STEP_MS_MAX, animations: "disabled", scale: "css" } as const;
  const take = (as: { type: "png" } | { type: "jpeg"; quality: number }): Promise<Buffer> =>
    element === undefined
      ? page.screenshot({ ...how, ...as, ...(fullPage === true && WHOLE) })
      : element.screenshot({ ...how, ...as });
  if (format === "png") {
    const png = await take({ type: format });
    if (png.length <= bytesMax)
      return {
        base64: png.toString("base64"),
        mimeType: "image/png",
        width: png.readUInt32BE(PNG_WIDTH),
        height: png.readUInt32BE(PNG_HEIGHT),
      };
  }
  for (const quality of QUALITIES) {
    const jpeg = await take({ type: "jpeg", quality });
    if (jpeg.length <= bytesMax)
      return { base64: jpeg.toString("base64"), mimeType: "image/jpeg", width: null, height: null };
  }
  throw tooLarge("picture", bytesMax);
}

/** The page as it is printed, on A4. */
export async function printOf(page: Page, { bytesMax }: On<"pdf">): Promise<Print> {
  const pdf = await within(STEP_MS_MAX * 2, page.pdf({ format: "A4", printBackground: true }));
  if (pdf.length > bytesMax) throw tooLarge("PDF", bytesMax);
  return { base64: pdf.toString("base64"), mimeType: "application/pdf" };
}

const tooLarge = (what: string, bytesMax: number): ActionError =>
  new ActionError(
    "refused",
    `The ${what} has more than ${bytesMax} bytes: give saveAs, so that it becomes a file of the workspace.`,
  );
