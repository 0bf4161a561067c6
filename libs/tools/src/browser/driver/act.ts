import type { BrowserContext, Page } from "playwright-core";
import type { ActionResult, BrowserAction } from "../actions.ts";
import { TEXT_CHARS_MAX, TITLE_CHARS_MAX, URL_CHARS_MAX } from "../bounds.ts";
import { ActionError } from "./action-error.ts";
import { goTo } from "./go-to.ts";
import { cut } from "./notes.ts";

/** The ids of pages, in the order in which they came. */
const ids = new WeakMap<Page, string>();
let lastId = 0;
let current: Page | null = null;

const idOf = (page: Page): string => {
  const id = ids.get(page) ?? `p${++lastId}`;
  ids.set(page, id);
  return id;
};

/** Carries out one action. Throws an ActionError with words for whoever asked, or what Playwright throws. */
export async function act(context: BrowserContext, action: BrowserAction): Promise<ActionResult> {
  switch (action.action) {
    case "open":
      return open(context, action);
    case "text": {
      const page = find(context, action.page);
      const text = await page.locator("body").innerText();
      return { action: "text", ...(await tell(page)), text: cut(text, TEXT_CHARS_MAX) };
    }
    case "close":
      await find(context, action.page).close();
      return { action: "close", left: context.pages().map(idOf) };
    default:
      return action satisfies never;
  }
}

async function open(
  context: BrowserContext,
  { url, page: id }: Extract<BrowserAction, { action: "open" }>,
): Promise<ActionResult> {
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new ActionError("bad_action", "Only http and https can be opened.");
  const page = id === undefined && context.pages().length === 0 ? await context.newPage() : find(context, id);
  const answer = await goTo(page, target.href);
  current = page;
  return { action: "open", ...(await tell(page)), status: answer?.status() ?? null };
}

function find(context: BrowserContext, id: string | undefined): Page {
  const pages = context.pages();
  const last = current !== null && pages.includes(current) ? current : pages.at(-1);
  const page = id === undefined ? last : pages.find((one) => idOf(one) === id);
  if (page === undefined) throw new ActionError("bad_action", "There is no such page: open one.");
  return page;
}

async function tell(page: Page): Promise<{ page: string; url: string; title: string }> {
  const title = await page.title();
  return { page: idOf(page), url: cut(page.url(), URL_CHARS_MAX), title: cut(title, TITLE_CHARS_MAX) };
}
