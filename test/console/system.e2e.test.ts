import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
const admin = new Client(product.url, product.adminKey);
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

test("the administrator begins at the system, and sees its workers, layers and tenants", async () => {
  const { page, faults } = await openConsole(browser, admin, "/");
  const { workers, sandboxLayers } = (await admin.get("/api/v1/system")).body.data;
  await page
    .getByRole("table", { name: "Workers" })
    .getByText(`${workers[0].host} · ${workers[0].pid}`)
    .waitFor();
  for (const { layer } of sandboxLayers)
    await page.getByRole("listitem").getByText(layer, { exact: true }).waitFor();
  expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts()).toEqual([
    "System",
  ]);
  await page.getByRole("link", { name: "Tenants" }).click();
  await page.getByRole("table", { name: "Tenants" }).getByRole("row").nth(1).waitFor();
  const slug = `seen-${Date.now()}`;
  await admin.post("/api/v1/tenants", { slug, name: `<b>${slug}</b>` });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText(`<b>${slug}</b>`).waitFor();
  expect(faults).toEqual([]);
});
