import { errors, type BrowserContext, type Locator, type Page } from "playwright-core";
import {
  KEPT_CHARS_MAX,
  OPEN_MS_MAX,
  SCROLL_PX_DEFAULT,
  STEP_MS_MAX,
  WAIT_MS_MAX,
  WINDOW,
} from "../action-bounds.ts";
import type { ActionFailure, ActionResult, BrowserAction } from "../actions.ts";
import { FAILURE_CHARS_MAX, PAGES_MAX } from "../bounds.ts";
import { ActionError } from "./action-error.ts";
import { Pages } from "./pages.ts";
import { goTo } from "./go-to.ts";
import { pictureOf, printOf, wordsIn } from "./picture.ts";
import { andSettle, settledWithin, StuckError, within } from "./within.ts";

type On<Name extends BrowserAction["action"]> = Extract<BrowserAction, { action: Name }>;
/** What a person does with a mouse and keys, and waits for. */
type Use = On<"click" | "type" | "press" | "select" | "scroll" | "back" | "wait">;

const ALL = new WeakMap<BrowserContext, Pages>();

/** The pages of a browser, which are known from the first action on. */
function pagesOf(context: BrowserContext): Pages {
  const known = ALL.get(context) ?? new Pages(context);
  ALL.set(context, known);
  return known;
}

/** Carries one action out. Rejects with an ActionError alone. */
export async function act(context: BrowserContext, action: BrowserAction): Promise<ActionResult> {
  const pages = pagesOf(context);
  try {
    return await carryOut(pages, action);
  } catch (error) {
    throw asActionError(error);
  }
}

async function carryOut(pages: Pages, action: BrowserAction): Promise<ActionResult> {
  switch (action.action) {
    case "pages":
      return { action: "pages", pages: await pages.list() };
    case "close":
      return close(pages, action);
    case "open":
      return open(pages, action);
    case "snapshot":
    case "text": {
      const page = pageOf(pages, action.page);
      const whole = await (action.action === "text" ? textOf(page, action.ref) : treeOf(pages, page, action));
      return { action: action.action, ...(await pages.show(page)), text: whole.toWellFormed() };
    }
    case "screenshot": {
      const page = pageOf(pages, action.page);
      const element = action.ref === undefined ? undefined : await refOf(page, action.ref);
      const shows = await wordsIn(page, element);
      const picture = await pictureOf(page, action, element);
      return { action: "screenshot", ...(await pages.show(page)), ...picture, shows };
    }
    case "pdf": {
      const page = pageOf(pages, action.page);
      const shows = await wordsIn(page);
      const print = await printOf(page, action);
      return { action: "pdf", ...(await pages.show(page)), ...print, shows };
    }
    default: {
      const page = pageOf(pages, action.page);
      await (action.action === "wait" ? wait(page, action) : andSettle(page, () => use(page, action)));
      return { action: action.action, ...(await pages.show(page)), opened: pages.takeOpened() };
    }
  }
}

/** Of all of them none is left: whoever holds the browser ends it then. */
async function close(pages: Pages, { page: name }: On<"close">): Promise<ActionResult> {
  if (name === undefined) return { action: "close", pages: [] };
  await within(STEP_MS_MAX, pages.close(pageOf(pages, name)));
  return { action: "close", pages: await pages.list() };
}

function pageOf(pages: Pages, name: string | undefined): Page {
  const page = name === undefined ? pages.current : pages.find(name);
  if (page === null)
    throw new ActionError(
      "bad_action",
      name === undefined ? "No page is open: open one first." : `There is no page ${name}.`,
    );
  pages.use(page);
  return page;
}

async function open(pages: Pages, { url, page: name }: On<"open">): Promise<ActionResult> {
  if (!/^https?:/i.test(url)) throw new ActionError("bad_action", "Only http and https can be opened.");
  const before = name === undefined ? pages.current : name === "new" ? null : pageOf(pages, name);
  const page = before ?? (await pages.blank());
  if (page === null)
    throw new ActionError(
      "bad_action",
      `There are ${PAGES_MAX} pages, as many as may be: close one, or open it in one of them.`,
    );
  pages.use(page);
  try {
    const response = await andSettle(page, () => goTo(page, url, OPEN_MS_MAX));
    const opened = pages.takeOpened();
    return { action: "open", ...(await pages.show(page)), opened, status: response?.status() ?? null };
  } catch (error) {
    // A page that has never shown anything is none; in another one the browser tells of its error, and `back` leads back.
    if (before === null) {
      await settledWithin(STEP_MS_MAX, page.goto("about:blank", { timeout: STEP_MS_MAX }));
      pages.putBack(page);
    }
    throw error;
  }
}

async function use(page: Page, action: Exclude<Use, On<"wait">>): Promise<void> {
  const timeout = STEP_MS_MAX;
  switch (action.action) {
    case "click": {
      const element = await refOf(page, action.ref);
      const how = { timeout, button: action.button ?? "left" } as const;
      return action.double === true ? element.dblclick(how) : element.click(how);
    }
    case "type": {
      const element = await refOf(page, action.ref);
      if (action.slowly === true) await element.pressSequentially(action.text, { timeout });
      else await element.fill(action.text, { timeout });
      if (action.submit === true) await element.press("Enter", { timeout });
      return;
    }
    case "press":
      return within(timeout, page.keyboard.press(action.key));
    case "select": {
      const element = await refOf(page, action.ref);
      await element.selectOption(action.values, { timeout });
      return;
    }
    case "scroll":
      return scroll(page, action);
    case "back": {
      if (!(await hasBefore(page))) throw new ActionError("refused", "There is no page before this one.");
      await page.goBack({ waitUntil: "domcontentloaded", timeout: OPEN_MS_MAX });
      return;
    }
    default:
      return action satisfies never;
  }
}

/** Whether a page was shown before: every one begins with a blank one, to which nobody goes back. */
async function hasBefore(page: Page): Promise<boolean> {
  const session = await within(STEP_MS_MAX, page.context().newCDPSession(page));
  const { currentIndex, entries } = await within(STEP_MS_MAX, session.send("Page.getNavigationHistory"));
  await within(STEP_MS_MAX, session.detach());
  const before = entries[currentIndex - 1];
  return before !== undefined && before.url !== "about:blank";
}

async function scroll(
  page: Page,
  { direction, pixels = SCROLL_PX_DEFAULT, ref }: On<"scroll">,
): Promise<void> {
  if (ref === undefined) await within(STEP_MS_MAX, page.mouse.move(WINDOW.width / 2, WINDOW.height / 2));
  else await (await refOf(page, ref)).hover({ timeout: STEP_MS_MAX });
  await within(STEP_MS_MAX, page.mouse.wheel(0, direction === "up" ? -pixels : pixels));
}

async function wait(page: Page, { text, ms }: On<"wait">): Promise<void> {
  if (text === undefined) return new Promise((resolve) => setTimeout(resolve, ms ?? 0));
  const timeout = ms ?? WAIT_MS_MAX;
  const found = page.getByText(text).first();
  if (await within(STEP_MS_MAX, found.isVisible())) return;
  // Playwright takes 0 for no bound at all.
  const shown =
    timeout > 0 && (await found.waitFor({ state: "visible", timeout }).then(() => true, lateOrThrow));
  if (!shown) throw new ActionError("timed_out", `The page did not show this text within ${timeout} ms.`);
}

function lateOrThrow(error: unknown): false {
  if (error instanceof errors.TimeoutError) return false;
  throw error;
}

/** The element that the page's last snapshot called so. */
async function refOf(page: Page, ref: string): Promise<Locator> {
  const element = page.getByRef(ref);
  const count = await within(
    STEP_MS_MAX,
    element.count().catch(() => 0),
  );
  if (count === 1) return element;
  throw new ActionError(
    "bad_action",
    `${ref} is no element of the page as it is now: take a new snapshot, and use a ref of that one.`,
  );
}

async function treeOf(pages: Pages, page: Page, { goesOn }: On<"snapshot">): Promise<string> {
  const before = goesOn ? pages.snapshotOf(page) : null;
  if (before !== null) return before;
  const tree = await heard(page.ariaSnapshot({ mode: "ai", timeout: STEP_MS_MAX }));
  pages.keepSnapshot(page, tree.slice(0, KEPT_CHARS_MAX));
  return tree.slice(0, KEPT_CHARS_MAX);
}

async function textOf(page: Page, ref: string | undefined): Promise<string> {
  const element = ref === undefined ? page.locator("body") : await refOf(page, ref);
  return (await heard(element.innerText({ timeout: STEP_MS_MAX }))).slice(0, KEPT_CHARS_MAX);
}

/** A page that is asked for what it shows, and doesn't answer, is busy with itself. */
async function heard(asked: Promise<string>): Promise<string> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof errors.TimeoutError ? new StuckError() : error;
  }
}

/** The browser's own words, without the name of its function and without the colours of a terminal. */
function wordsOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  // oxlint-disable-next-line no-control-regex -- colours begin with one
  const plain = said.replace(/\u001b\[[\d;]*m/g, "").replace(/^\w+\.\w+: (Error: )?/, "");
  return plain.slice(0, FAILURE_CHARS_MAX).trim();
}

/** What the browser says, and what of it is told: null is its first line. */
const KNOWN: readonly (readonly [RegExp, ActionFailure, string | null])[] = [
  [
    /Download is starting/,
    "refused",
    "There is a file at this address and no page; files are not downloaded.",
  ],
  [/crash/i, "failed", "The page crashed: open it again, or another one."],
  [/net::ERR/, "failed", null],
  [/has been closed/, "refused", "The page was closed meanwhile."],
];

function asActionError(error: unknown): ActionError {
  if (error instanceof ActionError) return error;
  if (error instanceof StuckError)
    return new ActionError(
      "timed_out",
      "The page does not answer: a script of it may not end. Close the page, or open another one in a new page.",
    );
  const words = wordsOf(error);
  const [, code, message] = KNOWN.find(([pattern]) => pattern.test(words)) ?? [];
  if (code !== undefined) return new ActionError(code, message ?? words.split("\n")[0] ?? words);
  return new ActionError(error instanceof errors.TimeoutError ? "timed_out" : "refused", words);
}
