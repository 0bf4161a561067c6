import { EventEmitter } from "node:events";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STEP_MS_MAX } from "../action-bounds.ts";
import { PAGES_MAX } from "../bounds.ts";
import { Pages } from "./pages.ts";

class FakePage extends EventEmitter {
  readonly url = (): string => "https://a.example/";
  readonly title = async (): Promise<string> => "A";
  readonly mainFrame = (): null => null;
  async close(): Promise<void> {
    this.emit("close");
  }
}
const asPage = (page: FakePage): Page => page as unknown as Page;

let context: EventEmitter;
let pages: Pages;
/** One that the browser opens, by whatever it was asked. */
function opens(): FakePage {
  const page = new FakePage();
  context.emit("page", page);
  return page;
}
beforeEach(() => {
  context = Object.assign(new EventEmitter(), { pages: () => [], newPage: async () => opens() });
  pages = new Pages(context as unknown as BrowserContext);
});
afterEach(() => void vi.useRealTimers());

test("a page that has closed itself is told of as closed, and not shown without a name", async () => {
  const page = opens();
  expect(await pages.show(asPage(page))).toMatchObject({ page: "p1", title: "A" });
  await page.close();
  await expect(pages.show(asPage(page))).rejects.toThrow("has been closed");
});

test("a page that closed before anything was opened in it is not opened again", async () => {
  const first = await pages.blank();
  await first?.close();
  pages.putBack(first as Page);
  expect(await pages.blank()).not.toBe(first);
  expect(await pages.list()).toHaveLength(1);
});

test("a new page that does not come in time is a failure that says so, and is used when it comes late", async () => {
  vi.useFakeTimers();
  const late = Promise.withResolvers<FakePage>();
  Object.assign(context, { newPage: () => late.promise });
  const refused = expect(pages.blank()).rejects.toMatchObject({
    code: "timed_out",
    message: expect.stringMatching(/^The browser opened no new page within 10000 ms: try again/),
  });
  await vi.advanceTimersByTimeAsync(STEP_MS_MAX);
  await refused;
  const page = opens();
  late.resolve(page);
  await vi.advanceTimersByTimeAsync(0);
  expect(pages.takeOpened()).toEqual([]);
  expect(await pages.list()).toEqual([]);
  expect(await pages.blank()).toBe(page);
});

test("of more pages than may be, those that are about to be closed are told to nobody", async () => {
  const all = Array.from({ length: PAGES_MAX + 2 }, opens);
  expect(pages.takeOpened()).toHaveLength(PAGES_MAX);
  expect(await pages.list()).toHaveLength(PAGES_MAX);
  expect(await pages.blank()).toBeNull();
  await all[0]?.close();
  expect(await pages.blank()).not.toBeNull();
});
