import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { NARROW_DARK, unfitOn, WIDE_LIGHT } from "../support/console.ts";
import { SCREENS } from "./pictures/screens.ts";
import { openScreen, startSeeded } from "./pictures/seeded-product.ts";

let browser: Browser;
let product: Awaited<ReturnType<typeof startSeeded>>;

beforeAll(async () => {
  [browser, product] = await Promise.all([startBrowser(), startSeeded()]);
});
afterAll(async () => {
  await browser.close();
  await product.close();
});

test.each(SCREENS.map((screen) => [screen.name, screen] as const))(
  "axe finds nothing on %s, at both ends of what screens are made for",
  async (_name, screen) => {
    const found: string[] = [];
    for (const [size, options] of Object.entries({ WIDE_LIGHT, NARROW_DARK })) {
      const page = await openScreen(browser, product.seeded, screen, options);
      found.push(...(await unfitOn(page)).map((fault) => `${size}: ${fault}`));
      await page.context().close();
    }
    expect(found).toEqual([]);
  },
);
