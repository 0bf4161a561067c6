import { sharedProduct } from "@bulkhead/testing";
import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { Client, newClient, newTenant } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
const HOSTILE = "=cmd|' /C calc'!A0 <img src=x onerror=alert(1)> \u202Efdp";
let browser: Browser;
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ id: tenantId, owner } = await newTenant(product));
});

test("a key is made, its secret shown once and works, it gets another, and is taken away", async () => {
  const { page, faults } = await openConsole(browser, owner, "/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("Robot");
  await page.getByLabel("Agent").fill("robot-7");
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = async (): Promise<string> => {
    const text = await page.getByRole("dialog").getByRole("region", { name: "The secret" }).innerText();
    return text.replace(/^1\s+/, "").trim();
  };
  await page.getByText("The key is created").waitFor();
  const secret = await shown();
  expect((await new Client(product.url, secret).get("/api/v1/me")).body.data.key).toMatchObject({
    name: "Robot",
    role: "agent",
    agentId: "robot-7",
  });
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "New secret for Robot" }).click();
  await page.getByLabel("The present secret").selectOption({ label: "Ends at once" });
  await page.getByRole("button", { name: "Create secret" }).click();
  await page.getByText("The new secret").waitFor();
  const next = await shown();
  expect(next).not.toBe(secret);
  expect((await new Client(product.url, next).get("/api/v1/me")).status).toBe(200);
  expect((await new Client(product.url, secret).get("/api/v1/me")).status).toBe(401);
  await page.getByRole("button", { name: "I have saved it" }).click();
  expect(await page.content()).not.toContain(next);
  await page.getByRole("button", { name: "Delete Robot" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The key Robot is gone.").waitFor();
  expect((await new Client(product.url, next).get("/api/v1/me")).status).toBe(401);
  expect(faults).toEqual([]);
});

test("the log of changes is narrowed by its address, opens an entry, and is kept as a file that runs nothing", async () => {
  const made = await owner.post(`/api/v1/tenants/${tenantId}/api-keys`, { name: HOSTILE, role: "viewer" });
  expect(made.status).toBe(201);
  const { page, faults } = await openConsole(browser, owner, "/audit?about=api_key");
  const rows = page.getByRole("table", { name: "Changes" }).getByRole("row");
  await rows.filter({ hasText: String.raw`\u{202e}fdp` }).waitFor();
  await rows.filter({ hasText: "fdp" }).getByRole("link").click();
  await page.getByRole("dialog").getByText("API key: created").waitFor();
  expect(page.url()).toMatch(/entry=/);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).not.toMatch(/entry=/);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const text = await readFile(await file.path(), "utf8");
  expect(text).toContain(`'=cmd|' /C calc'!A0`);
  expect(text).not.toMatch(/(^|,)"?=cmd/m);
  expect(faults).toEqual([]);
});

test("a viewer is not led to the keys, and is told why they are not shown", async () => {
  const viewer = await newClient(product, tenantId, "viewer");
  const { page } = await openConsole(browser, viewer, "/keys");
  await page.getByText("Your key may not see this").waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).waitFor();
  expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0);
});
