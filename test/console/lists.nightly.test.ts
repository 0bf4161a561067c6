import { sharedProduct } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

const run = (tool: string, args: Record<string, unknown> = {}) =>
  owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args });

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
  await createTool(owner, "adds", "return { sum: args.a + args.b, unit: 'parcels' };", {
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  });
  await createTool(owner, "fails", "throw new Error('There is no such customer.');");
  for (const a of [1, 2, 3]) await run("adds", { a, b: 1 });
  await run("fails");
});
afterAll(() => browser.close());

const rows = (page: Page) => page.getByRole("table", { name: "Executions" }).locator("[data-row]");
const items = (page: Page) => page.getByRole("list", { name: "Tools" }).getByRole("listitem");
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
