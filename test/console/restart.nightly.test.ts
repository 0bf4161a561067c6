import { sharedProduct, startProduct, type Product } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";
import { openConsole } from "../support/console.ts";
import { shutGate } from "../support/gate.ts";

const product = await sharedProduct();
let browser: Browser;
/** An API of this file's own beside the others of the shared product: the page talks to it, agents to the others. */
let own: Product;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const { databaseUrl, redisUrl, env } = product;
  const [opened, started, tenant] = await Promise.all([
    startBrowser(),
    startProduct({ databaseUrl, redisUrl, env, workers: 0 }),
    newTenant(product),
  ]);
  [browser, own] = [opened, started];
  owner = new Client(own.url, tenant.owner.key);
  agent = await newClient(product, tenant.id, "agent");
  await createTool(owner, "shell", "return args.command;", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
});
afterAll(async () => {
  await browser.close();
  await own.stop();
});

const ask = (command: string) =>
  agent.post("/api/v1/custom-tools/shell/execute", { arguments: { command }, mode: "async" });
const waiting = (page: Page) => page.getByRole("list", { name: "Calls that wait" }).getByRole("link");
/** The page's word for that its events do not come; its other one stands in the menu of narrow windows. */
const sign = (page: Page) => page.getByRole("complementary").getByText("Reconnecting", { exact: true });
/** What a page may say of its own while there is no server. */
const isLost = (fault: string): boolean => fault.startsWith("Failed to load resource");

test("a page goes on where it was when the API is back: a run, an inbox, and what somebody writes", async () => {
  const gate = await shutGate();
  const code = `console.log("before"); await fetch(${JSON.stringify(gate.url)}); console.log("behind"); return "done";`;
  const tool = await createTool(owner, "long", code, { permissions: ["network"] });
  await ask("first");
  const run = await openConsole(browser, owner, `/tools/${tool.id}?tab=test`);
  const inbox = await openConsole(browser, owner, "/approvals");
  const lines = run.page.getByRole("list", { name: "Lines of the log" }).getByRole("listitem");
  await run.page.getByRole("button", { name: "Run tool" }).click();
  await lines.getByText("before").waitFor();
  const written = '{ "what": "I write" }';
  await run.page.getByLabel("Arguments as JSON").fill(written);
  await waiting(inbox.page).first().click();
  await inbox.page.getByRole("button", { name: "Deny" }).click();
  await inbox.page.getByLabel("Reason").fill("not on Fridays");

  await own.api.kill();
  for (const { page } of [run, inbox]) await sign(page).waitFor();
  await inbox.page.getByRole("dialog").getByRole("button", { name: "Deny" }).click();
  await inbox.page.getByText("The server can't be reached.").first().waitFor();
  gate.open();
  await ask("second");

  await own.api.restart();
  await run.page.getByText("Succeeded").first().waitFor();
  expect(await lines.allInnerTexts()).toEqual([
    expect.stringContaining("before"),
    expect.stringContaining("behind"),
  ]);
  expect(await run.page.getByLabel("Arguments as JSON").inputValue()).toBe(written);
  await expect.poll(() => waiting(inbox.page).count()).toBe(2);
  expect(await inbox.page.getByLabel("Reason").inputValue()).toBe("not on Fridays");
  await inbox.page.getByRole("dialog").getByRole("button", { name: "Deny" }).click();
  await inbox.page.getByText("Denied: shell").waitFor();
  await expect.poll(() => waiting(inbox.page).count()).toBe(1);
  for (const { page, faults } of [run, inbox]) {
    await expect.poll(() => sign(page).count()).toBe(0);
    expect(faults.filter((fault) => !isLost(fault))).toEqual([]);
  }
});
