import { expect } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { Client } from "../../support/client.ts";
import { NARROW_DARK, openConsole } from "../../support/console.ts";
import type { Seeded } from "../pictures/seed.ts";

/** The innermost elements that stand out of the window and are not in something that scrolls or cuts. */
const WIDEST = `[...document.querySelectorAll("#main *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => { for (let up = one; up !== null; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible") return false; return true; })
  .map((one) => one.outerHTML.slice(0, 120)).slice(-3).join(" … ")`;

/** What comes in behind its first lists has come by then; milliseconds. */
const SETTLED_MS = 400;

/** What one screen does that it must not, of a tenant whose texts are all hostile, on the narrowest window. */
export async function harmsOn(browser: Browser, { url, key }: Seeded, path: string): Promise<string[]> {
  const { page, faults } = await openConsole(browser, new Client(url, key), path, NARROW_DARK);
  try {
    page.on("dialog", (dialog) => {
      faults.push(`asked by a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.getByRole("heading").first().waitFor();
    // A page that listens for events is never without a request: what it asks for by itself has come once nothing is loading.
    await expect.poll(() => page.locator("#main [role=status][aria-busy=true]").count()).toBe(0);
    await page.waitForTimeout(SETTLED_MS);
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    if (wide > 0) faults.push(`${wide} pixels too wide: ${await page.evaluate<string>(WIDEST)}`);
    if (await page.evaluate<boolean>("'owned' in globalThis")) faults.push("a stranger's text was run");
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll("a[href], form[action], iframe, object, embed")]
         .map((one) => one.getAttribute("href") ?? one.getAttribute("action") ?? one.tagName)
         .filter((where) => /^\\s*(javascript|data|vbscript):|^[A-Z]+$/i.test(where))`,
    );
    return [...faults, ...links.map((where) => `leads to ${where}`)];
  } finally {
    await page.context().close();
  }
}
