import type { BrowserContext, Page } from "playwright-core";
import { STEP_MS_MAX } from "../action-bounds.ts";
import { PAGES_MAX, TITLE_CHARS_MAX, URL_CHARS_MAX } from "../bounds.ts";
import { ActionError } from "./action-error.ts";
import { settledWithin, StuckError, within } from "./within.ts";

/** A page that does not tell its title within this time is shown without one. Milliseconds. */
const TITLE_MS_MAX = 1_000;
const NO_NEW_PAGE = `The browser opened no new page within ${STEP_MS_MAX} ms: try again, or end the browser by a close without a page.`;

/** The pages of one browser by their names, and what is remembered of each. */
export class Pages {
  readonly #context: BrowserContext;
  readonly #pages = new Map<string, Page>();
  /** Those in which nothing was opened. */
  readonly #unused = new Set<Page>();
  readonly #snapshots = new WeakMap<Page, string>();
  #count = 0;
  #current: Page | null = null;
  #opened: string[] = [];

  constructor(context: BrowserContext) {
    this.#context = context;
    for (const page of context.pages()) {
      this.#take(page);
      this.#unused.add(page);
    }
    context.on("page", (page) => {
      // One more than may be is about to be closed.
      if (this.#pages.size < PAGES_MAX) this.#opened.push(this.#take(page));
    });
  }

  /** The page that was used last, and is still there. */
  get current(): Page | null {
    return this.#current;
  }

  find(name: string): Page | null {
    const page = this.#pages.get(name) ?? null;
    return page !== null && this.#unused.has(page) ? null : page;
  }

  use(page: Page): void {
    this.#unused.delete(page);
    this.#current = page;
  }

  /** Nothing could be opened in it; it may have closed meanwhile. */
  putBack(page: Page): void {
    if (this.#nameOf(page) !== "") this.#unused.add(page);
    this.#leave(page);
  }

  /** One in which nothing was opened; null: there are as many as may be. */
  async blank(): Promise<Page | null> {
    if (this.#unused.size === 0 && this.#pages.size < PAGES_MAX)
      await within(STEP_MS_MAX, this.#addBlank()).catch((error: unknown) => {
        throw error instanceof StuckError ? new ActionError("timed_out", NO_NEW_PAGE) : error;
      });
    const [page = null] = this.#unused;
    if (page !== null) this.#unused.delete(page);
    return page;
  }

  /** Playwright knows no bound for it; one that comes too late is there for whoever asks next. */
  async #addBlank(): Promise<void> {
    const page = await this.#context.newPage();
    const name = this.#nameOf(page);
    this.#opened = this.#opened.filter((one) => one !== name);
    if (name !== "") this.#unused.add(page);
  }

  async close(page: Page): Promise<void> {
    this.#forget(page);
    await page.close();
  }

  list() {
    const used = [...this.#pages].filter(([, page]) => !this.#unused.has(page));
    return Promise.all(
      used.map(async ([name, page]) => ({
        ...(await this.show(page, name)),
        isCurrent: page === this.#current,
      })),
    );
  }

  /** Rejects for one that has closed, as a button of it may have done. */
  async show(page: Page, name = this.#nameOf(page)) {
    if (name === "") throw new Error("it has been closed");
    const title = await settledWithin(TITLE_MS_MAX, page.title());
    return {
      page: name,
      url: page.url().slice(0, URL_CHARS_MAX),
      title: (title ?? "").slice(0, TITLE_CHARS_MAX),
    };
  }

  keepSnapshot(page: Page, text: string): void {
    this.#snapshots.set(page, text);
  }

  /** The last one of the document that the page shows. */
  snapshotOf(page: Page): string | null {
    return this.#snapshots.get(page) ?? null;
  }

  /** Those that pages have opened by themselves since this was asked last. */
  takeOpened(): string[] {
    const opened = this.#opened.filter((name) => this.#pages.has(name));
    this.#opened = [];
    return opened;
  }

  #take(page: Page): string {
    this.#count += 1;
    const name = `p${this.#count}`;
    this.#pages.set(name, page);
    page.on("close", () => this.#forget(page));
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.#snapshots.delete(page);
    });
    return name;
  }

  #nameOf(page: Page): string {
    return this.#pages.entries().find(([, one]) => one === page)?.[0] ?? "";
  }

  #forget(page: Page): void {
    this.#pages.delete(this.#nameOf(page));
    this.#unused.delete(page);
    this.#leave(page);
  }

  #leave(page: Page): void {
    if (this.#current !== page) return;
    this.#current = [...this.#pages.values()].findLast((one) => !this.#unused.has(one)) ?? null;
  }
}
