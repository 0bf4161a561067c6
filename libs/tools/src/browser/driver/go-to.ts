import { setTimeout as wait } from "node:timers/promises";
import type { Frame, Page, Response } from "playwright-core";

const ERROR_PAGE_MS_MAX = 500;

/**
 * Opens a URL and waits for its document; null where it came by no answer of a server. Chromium puts a page of its
 * own in place of one that it could not have: this rejects when that is there, since until then Chromium may not close it.
 */
export async function goTo(page: Page, url: string, timeout: number): Promise<Response | null> {
  const replaced = Promise.withResolvers<void>();
  const look = (frame: Frame): void => {
    if (frame === page.mainFrame() && frame.url().startsWith("chrome-error:")) replaced.resolve();
  };
  page.on("framenavigated", look);
  try {
    return await page.goto(url, { waitUntil: "domcontentloaded", timeout });
  } catch (error) {
    if ((error as Error).name !== "TimeoutError")
      await Promise.race([replaced.promise, wait(ERROR_PAGE_MS_MAX)]);
    throw error;
  } finally {
    page.off("framenavigated", look);
  }
}
