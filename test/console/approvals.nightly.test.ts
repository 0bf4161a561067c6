import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startBrowser, type Browser } from "../support/browser.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { openConsole, unfitOn } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const [opened, tenant] = await Promise.all([startBrowser(), newTenant(product)]);
  browser = opened;
  ({ owner } = tenant);
  agent = await newClient(product, tenant.id, "agent");
  await createTool(owner, "shell", "return args.command;", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
});
afterAll(() => browser.close());

/** A call of the agent's that waits; the id of its approval. */
async function ask(command: string): Promise<{ id: string }> {
  const call = { arguments: { command }, mode: "async" };
  const { executionId } = (await agent.post("/api/v1/custom-tools/shell/execute", call)).body.data;
  return { id: (await owner.get(`/api/v1/approvals/${executionId}`)).body.data.id };
}

const approval = async (id: string) => (await owner.get(`/api/v1/approvals/${id}`)).body.data;
const rows = (page: Page) => page.getByRole("list", { name: "Calls that wait" }).getByRole("link");
const call = (page: Page) => page.getByRole("article", { name: "The call" });

test("new calls come and answered ones go without a change of what is open; several are denied together", async () => {
  const { id } = await ask("one");
  const { page } = await openConsole(browser, owner, `/approvals/${id}`);
  await call(page).getByText('"one"').first().waitFor();
  const second = await ask("two");
  await expect.poll(() => rows(page).count()).toBe(2);
  await owner.post(`/api/v1/approvals/${id}/deny`, { reason: "elsewhere" });
  await call(page).getByText("Reason: elsewhere").waitFor();
  expect(page.url()).toContain(id);
  const third = await ask("three");
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByLabel("Select all").check();
  await page.getByRole("list").first().waitFor();
  await page
    .getByText("2 selected")
    .locator("..")
    .locator("..")
    .getByRole("button", { name: "Deny" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Deny 2 calls" }).click();
  await page.getByText("Nothing waits for you").waitFor();
  for (const one of [second, third]) expect((await approval(one.id)).status).toBe("denied");
});

test("a run is seen as it goes: its log, its rows as a table and as JSON, the call to be copied", async () => {
  const code = "console.error('careful'); console.log('fine'); return [{ city: 'Kiel', parcels: 12 }];";
  const { id } = await createTool(owner, "rows", code);
  const { page, faults } = await openConsole(browser, owner, `/tools/${id}?tab=test`);
  await page.getByRole("button", { name: "Run tool" }).click();
  await page.getByRole("cell", { name: "Kiel" }).waitFor();
  const log = page.getByRole("list", { name: "Lines of the log" });
  expect(await log.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining("careful"),
    expect.stringContaining("fine"),
  ]);
  await page.getByLabel("Least level of the log").selectOption("error");
  await expect.poll(() => log.getByRole("listitem").count()).toBe(1);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.getByText('"Kiel"').waitFor();
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "curl" }).waitFor();
  expect(await unfitOn(page)).toEqual([]);
  expect(faults).toEqual([]);
});
