import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe <script>document.title='owned'</script>`;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([sharedBrowser(), newTenant(product)]);
  for (const name of ["fetch_orders", "parse_csv", "word_count"]) await createTool(owner, name, "return 1;");
  await createTool(owner, "hostile", "return 1;", { description: HOSTILE });
});

const items = (page: Page) => page.getByRole("list", { name: "Tools" }).getByRole("listitem");
const namesOn = (page: Page): Promise<string[]> => items(page).getByRole("link").allInnerTexts();

test("a link logs in once, leaves the address, and the tools are there", async () => {
  const { page, faults, code } = await openConsole(browser, owner, "/");
  await items(page).first().waitFor();
  expect((await namesOn(page)).sort()).toEqual(["fetch_orders", "hostile", "parse_csv", "word_count"]);
  expect(page.url()).toBe(`${product.url}/console/tools`);
  const again = await browser.open().then((context) => context.newPage());
  await again.goto(`${product.url}/console/#code=${code}`);
  await again.getByText("The link was used before").waitFor();
  expect(faults).toEqual([]);
});

/** What somebody waits for who sees the console for the first time: bytes of the page and its files, compressed. */
const FIRST_LOAD_BYTES_MAX = 250 * 1024;

test("the first look at the console loads no more than was settled", async () => {
  const { page } = await openConsole(browser, owner, "/tools");
  await items(page).first().waitFor();
  const loaded = await page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(
        ({ name, entryType }: { name: string; entryType: string }) =>
          entryType === "navigation" || name.includes("/console/assets/"),
      )
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES_MAX);
});

test("whoever logs in behind somebody else, in the same page, sees nothing of theirs", async () => {
  const { page } = await openConsole(browser, owner, "/tools");
  await items(page).first().waitFor();
  const { owner: other } = await newTenant(product);
  await createTool(other, "of_another", "return 1;");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("API key").fill(other.key ?? "");
  await page.getByRole("button", { name: "Log in" }).click();
  await items(page).first().waitFor();
  expect(await namesOn(page)).toEqual(["of_another"]);
  await page.getByRole("button", { name: /^All tools\s*1$/ }).waitFor();
});

test("what is hostile is text, and nothing of it runs", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools?q=hostile");
  await items(page).first().waitFor();
  const shown = await items(page).innerText();
  expect(shown).toContain("<img src=x onerror=");
  expect(shown).toContain(String.raw`\u{202e}gnp.exe`);
  expect(await page.title()).toBe("Tools · Bulkhead");
  expect(faults).toEqual([]);
});

test("words, filters and the way back stand in the address, by the keyboard alone", async () => {
  const { page } = await openConsole(browser, owner, "/tools");
  await items(page).first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("csv");
  await page.waitForURL(/[?]q=csv/);
  await expect.poll(() => namesOn(page)).toEqual(["parse_csv"]);
  await page.reload();
  await items(page).first().waitFor();
  expect(await namesOn(page)).toEqual(["parse_csv"]);
});
