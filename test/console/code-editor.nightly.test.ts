import { sharedProduct } from "@bulkhead/testing";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
});
afterAll(() => browser.close());

/** The editor of a tool's code, once it is more than a plain field. */
async function openEditor() {
  const opened = await openConsole(browser, owner, "/tools/new?from=blank");
  const editor = opened.page.locator(".monaco-editor").first();
  await editor.waitFor();
  return { ...opened, editor };
}

async function write(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press("ControlOrMeta+A");
  // As pasted text, so that no bracket is closed by itself.
  await page.keyboard.insertText(text);
}

/** What an editor shows of its lines. */
const shown = async (editor: Locator): Promise<string> =>
  (await editor.locator(".view-lines").innerText()).replaceAll("\u00a0", " ");

test("a tool's world is completed, explained and checked, and the page's policy has nothing to refuse", async () => {
  const { page, faults, editor } = await openEditor();
  await write(page, editor, "const rows = utils.parseCsv");
  await editor.getByText("parseCsv").first().hover();
  await page.locator(".monaco-hover").getByText("The rows of a CSV text").first().waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type('("id");\nconst title = document.title + (await rows.nothing);\nreturn rows.filt');
  await page.locator(".suggest-widget").getByText("filter", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => shown(editor)).toContain("return rows.filter");
  // There is no document, and rows have nothing of that name; to return and to await at the top is right.
  await expect.poll(() => editor.locator(".squiggly-error").count()).toBe(2);
  expect(faults).toEqual([]);
});

test("what nothing but a return uses looks used", async () => {
  const { page, editor } = await openEditor();
  await write(page, editor, "const sum = 1;\ndocument;\nreturn { sum };");
  await editor.locator(".squiggly-error").waitFor();
  // Faded words come with the errors.
  expect(await editor.locator(".squiggly-inline-unnecessary").count()).toBe(0);
});

test("what is invisible or turns the writing shows, and Tab leaves once it is told to", async () => {
  const { page, faults, editor } = await openEditor();
  await write(page, editor, "// \u202Egnp.exe <img src=x onerror=alert(1)>\nreturn 1;");
  await editor.locator(".unicode-highlight").first().waitFor();
  expect(await shown(editor)).toContain("[U+202E]gnp.exe <img src=x onerror=alert(1)>");
  await page.keyboard.press("Control+M");
  await page.keyboard.press("Tab");
  await expect.poll(() => editor.locator(":focus").count()).toBe(0);
  expect(faults).toEqual([]);
});

test("where the editor does not load, its place is a field that can be written in, and it says so", async () => {
  const { page } = await openConsole(browser, owner, "/tools");
  await page.getByRole("heading", { name: "Tools" }).first().waitFor();
  await page.route(/\/open-editor[^/]*\.js$/, (route) => route.abort());
  await page.goto(`${product.url}/console/tools/new?from=blank`);
  await page.getByText("The editor did not load").first().waitFor();
  const field = page.getByLabel("Code", { exact: true });
  await field.fill("return 7;");
  expect(await field.inputValue()).toBe("return 7;");
});
