import { sharedProduct } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { NARROW_DARK, openConsole, unfitOn } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

const run = async (tool: string, args: Record<string, unknown> = {}): Promise<string> =>
  (await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args })).body.data.executionId;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
  await createTool(owner, "adds", "return { sum: args.a + args.b, unit: 'parcels' };", {
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  });
  await createTool(owner, "fails", "throw new Error('There is no such customer.');");
  await createTool(owner, "word_count", "return 1;");
  for (const a of [1, 2, 3, 4, 5, 6, 7, 8]) await run("adds", { a, b: 1 });
  await run("fails");
});
afterAll(() => browser.close());

const rows = (page: Page) => page.getByRole("table", { name: "Executions" }).locator("[data-row]");
const items = (page: Page) => page.getByRole("list", { name: "Tools" }).getByRole("listitem");
const namesOn = (page: Page): Promise<string[]> => items(page).getByRole("link").allInnerTexts();
const statusOf = async (name: string): Promise<string> =>
  (await owner.get(`/api/v1/custom-tools/${name}`)).body.data.status;

test("what is read further down stays where it is; what is new is told, and a press away", async () => {
  const low = { viewport: { width: 1_280, height: 300 } };
  const { page } = await openConsole(browser, owner, "/executions", low);
  await rows(page).first().waitFor();
  await page.getByRole("slider").waitFor();
  await page.evaluate("scrollTo(0, 1_000)");
  await page.waitForFunction("scrollY > 320");
  await run("adds", { a: 6, b: 1 });
  await page.getByRole("button", { name: "1 new" }).click();
  await page.waitForFunction("scrollY === 0");
  await page.getByRole("button", { name: "1 new" }).waitFor({ state: "detached" });
});

test("the chart narrows the list by its bars, and a cross takes a filter away", async () => {
  const { page } = await openConsole(browser, owner, "/executions?tool=adds");
  await rows(page).first().waitFor();
  const chart = page.getByRole("slider", { name: "Executions over time" });
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForURL(/from=.*to=/);
  await page.goBack();
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(x + width / 2, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + 20);
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  await rows(page).first().waitFor();
  await page.getByRole("button", { name: "Remove: tool adds" }).click();
  await page.getByText("fails").first().waitFor();
  await page.goBack();
  await page.waitForURL(/tool=adds/);
});

test("two that are chosen are replayed, after their count, and compared", async () => {
  const { page } = await openConsole(browser, owner, "/executions?tool=adds&source=rest");
  await rows(page).first().waitFor();
  for (const _row of [0, 1]) {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
  }
  await page.getByRole("button", { name: "Replay 2" }).click();
  await page
    .getByRole("dialog", { name: "Replay 2 executions?" })
    .getByRole("button", { name: "Replay 2" })
    .click();
  await page.getByText("Replayed 2 executions.").waitFor();
  for (const nth of [0, 1]) await page.getByRole("checkbox", { name: "Select adds" }).nth(nth).click();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("region", { name: "Arguments" }).getByText("changed").waitFor();
  expect(await page.getByRole("region", { name: "Result" }).innerText()).toContain("sum");
});

test("tools are selected by the keyboard and as a range, those out of sight are told, and all are changed at once", async () => {
  for (const n of [1, 2, 3]) await createTool(owner, `bulk_${n}`, "return 1;");
  const { page, faults } = await openConsole(browser, owner, "/tools?q=bulk&sort=name&view=list");
  await items(page).first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByLabel("Select bulk_3").click({ modifiers: ["Shift"] });
  await page.getByText("3 selected").waitFor();
  const words = page.getByLabel("Search the tools");
  await words.fill("bulk_1");
  await page.getByRole("button", { name: "2 of them not in the list" }).click();
  await page.getByRole("dialog", { name: "Selected, and not in the list" }).getByText("bulk_2").waitFor();
  await page.keyboard.press("Escape");
  await words.fill("bulk");
  await expect.poll(() => page.getByText("not in the list").count()).toBe(0);
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByText("3 tools disabled.").waitFor();
  await expect.poll(() => items(page).getByText("Disabled").count()).toBe(3);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete 3" }).click();
  await page.getByText("No tool is like that").waitFor();
  expect(await statusOf("adds")).toBe("active");
  expect(faults).toEqual([]);
});

test("a next page that fails is told, and asked for again by a press alone", async () => {
  const { page } = await openConsole(browser, owner, "/audit");
  await page.getByRole("table", { name: "Changes" }).waitFor();
  let asked = 0;
  await page.route("**/api/v1/audit?**", async (route) => {
    if (new URL(route.request().url()).searchParams.has("cursor")) {
      asked += 1;
      return await route.fulfill({ status: 400, json: { code: "request.invalid", detail: "It is broken." } });
    }
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: { ...json.data, nextCursor: "next" } } });
  });
  await page.reload();
  await page.getByText("More could not be loaded.").waitFor();
  expect(asked).toBe(1);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => asked).toBe(2);
});

test("a tool that is made elsewhere shows without a reload", async () => {
  const { page } = await openConsole(browser, owner, "/tools?q=newcomer");
  await page.getByText("No tool is like that").waitFor();
  await createTool(owner, "newcomer", "return 1;");
  await items(page).first().waitFor();
  expect(await namesOn(page)).toEqual(["newcomer"]);
});

test("a session that another page of the browser begins or ends is every page's", async () => {
  const { page } = await openConsole(browser, owner, "/tools");
  await items(page).first().waitFor();
  const { owner: other } = await newTenant(product);
  await createTool(other, "of_another", "return 1;");
  const { body } = await other.post("/api/v1/session/codes", { key: other.key });
  const second = await page.context().newPage();
  await second.goto(`${product.url}/console/tools#code=${body.data.code}`);
  // A stranger's link would have one work in the stranger's tenant: nothing happens before the person says so.
  await second.getByText("Take it only if you made it yourself.").waitFor();
  expect(await namesOn(page)).toContain("word_count");
  await second.getByRole("button", { name: "Log in by the link" }).click();
  await expect.poll(() => namesOn(page)).toEqual(["of_another"]);
  await second.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("API key").waitFor();
});

test("what lies deep in a result is in the page once it is opened", async () => {
  await createTool(owner, "deep", "return { a: { b: { c: { d: 1 } } } };");
  const { page } = await openConsole(browser, owner, `/executions/${await run("deep")}`);
  const levels = page.locator("summary");
  await levels.filter({ hasText: /^b:/ }).waitFor();
  expect(await levels.filter({ hasText: /^c:/ }).count()).toBe(0);
  await levels.filter({ hasText: /^b:/ }).click();
  await levels.filter({ hasText: /^c:/ }).waitFor();
});

test("an empty tenant gets three ways to begin, and a template is a tool by two presses", async () => {
  const { owner: fresh } = await newTenant(product);
  const { page, faults } = await openConsole(browser, fresh, "/tools", NARROW_DARK);
  await page.getByText("There are no tools yet").waitFor();
  expect(await unfitOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Show how" }).click();
  await page.getByText(`${product.url}/mcp`).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "See the templates" }).click();
  await page.getByRole("link", { name: "Date arithmetic" }).click();
  await page.getByRole("button", { name: "Create tool" }).click();
  await page.getByText("Saved. Version 1 runs from now on.").waitFor();
  expect(faults).toEqual([]);
});

test("a tool's page tells that its service is filled in, once it is", async () => {
  const { id } = await createTool(owner, "ask_sky", "return 1;", {
    requiredConfigServices: [{ name: "sky" }],
  });
  const { page } = await openConsole(browser, owner, `/tools/${id}`);
  await page.getByText("Not filled in").waitFor();
  await page.getByRole("link", { name: "Secrets of sky" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("api_key", { exact: true }).fill("sk_live_0123456789abcdef");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("••••cdef").waitFor();
  await page.goBack();
  await page.getByText("Filled in", { exact: true }).waitFor();
});

test("a dialog that is cancelled gives the focus back to what opened it", async () => {
  const { page, faults } = await openConsole(browser, owner, "/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.locator(":focus").allInnerTexts()).toEqual(["New key"]);
  expect(faults).toEqual([]);
});

test("an agent's page leads to the form of its key", async () => {
  const { page } = await openConsole(browser, owner, "/agents/one?agent=billing&tab=connect");
  await page.getByRole("link", { name: "Create a key" }).click();
  const form = page.getByRole("dialog");
  await expect.poll(() => form.getByLabel("Agent", { exact: true }).inputValue()).toBe("billing");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.url()).toMatch(/\/keys$/);
});

test("work that is not saved is not lost by a press on a link", async () => {
  const { page } = await openConsole(browser, owner, "/settings");
  await page.getByLabel("Results and texts of errors").fill("7");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
  await expect.poll(() => asked).toEqual(["Leave without saving the settings?"]);
  expect(await page.getByLabel("Results and texts of errors").inputValue()).toBe("7");
});
