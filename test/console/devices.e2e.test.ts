import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { newClient, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
const HOSTILE = `<img src=x onerror="document.title='owned'"> says \u202Efdp`;
let browser: Browser;
let owner: Client;
let viewer: Client;

beforeAll(async () => {
  const [opened, tenant] = await Promise.all([sharedBrowser(), newTenant(product)]);
  browser = opened;
  ({ owner } = tenant);
  viewer = await newClient(product, tenant.id, "viewer");
});

test("a device is paired by the code that is shown, looked at, renamed, disabled and removed", async () => {
  const { page, faults } = await openConsole(browser, owner, "/devices");
  await page.getByText("No device is paired yet").waitFor();
  await page.getByRole("button", { name: "Pair a device" }).first().click();
  await page.getByLabel("Agent").fill("robot-7");
  await page.getByRole("button", { name: "Make a code" }).click();
  const code = await page.getByLabel("The code", { exact: true }).innerText();
  await page.getByText(`bulkhead device pair ${code} --server ${product.url}`).waitFor();
  await page.getByText(/Works once, for/).waitFor();
  const commands = [
    { name: "disk-usage", description: HOSTILE, parameters: { type: "object", properties: { path: {} } } },
  ];
  const device = { code, name: "build-server", platform: "linux", commands };
  const headers = { "content-type": "application/json" };
  const paired = await owner.raw("POST", "/api/v1/devices", JSON.stringify(device), headers);
  expect(paired.status).toBe(201);
  await page.getByText("The device is paired").waitFor();
  await page.getByRole("button", { name: "Show it" }).click();
  const record = page.getByRole("dialog");
  await record.getByText("Offline").waitFor();
  await record.getByText("agent robot-7").waitFor();
  await record.getByText(String.raw`says \u{202e}fdp`).waitFor();
  await record.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("another");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await record.getByRole("heading", { name: "another" }).waitFor();
  await record.getByRole("button", { name: "Disable" }).click();
  await record.getByText("Disabled", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  const row = page.getByRole("table", { name: "Devices" }).getByRole("row").filter({ hasText: "another" });
  await row.getByText("Disabled").waitFor();
  const looking = await openConsole(browser, viewer, "/devices");
  await looking.page.getByRole("link", { name: "another" }).click();
  await looking.page.getByText("disk-usage").last().waitFor();
  expect(await looking.page.getByRole("button", { name: /Rename|Remove|Pair/ }).count()).toBe(0);
  await page.getByRole("link", { name: "another" }).click();
  await record.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("The device another is gone.").waitFor();
  await page.getByText("No device is paired yet").waitFor();
  expect(await page.title()).toBe("Devices · Bulkhead");
  expect(faults).toEqual([]);
});
