import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ owner } = await newTenant(product));
});

const DATA = "/api/v1/data";

const put = (path: string, body: object) =>
  owner.raw("PUT", `${DATA}${path}?agentId=alpha`, JSON.stringify(body), {
    "content-type": "application/json",
  });

test("documents are put, found, changed over what was seen alone, and deleted", async () => {
  await put("/orders/o1", { value: { status: "open", total: 12 } });
  await put("/orders/o2", {
    value: { status: "paid", total: 30 },
    ttlSeconds: 900,
  });
  const { page, faults } = await openConsole(browser, owner, "/data");
  const collections = page.getByRole("table", { name: "Collections" });
  await collections.getByText("agent alpha").waitFor();
  await collections.getByRole("link", { name: "orders" }).click();
  const documents = page.getByRole("table", { name: "Documents" });
  await documents.getByRole("link", { name: "o1" }).waitFor();
  await page.getByLabel("Conditions, as JSON").fill('{"total": {"gt": 20}}');
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await expect.poll(() => documents.getByRole("link").allInnerTexts()).toEqual(["o2"]);

  await documents.getByRole("link", { name: "o2" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  expect(Number(await page.getByLabel("Gone after").inputValue())).toBeGreaterThan(0);
  await page.getByLabel("Gone after").fill("");
  await put("/orders/o2", { value: { status: "theirs", total: 31 } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Somebody else has changed the document" }).waitFor();
  await page.getByText('"theirs"').first().waitFor();
  await page.getByRole("button", { name: "Go on with mine" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The document is saved.").waitFor();
  expect((await owner.get(`${DATA}/orders/o2?agentId=alpha`)).body.data).toMatchObject({
    value: { status: "paid", total: 30 },
    version: 3,
    expiresAt: null,
  });

  await page.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: "Delete the document?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByText("o2 is deleted.").waitFor();
  await page.getByText("No document is like that").waitFor();
  await page.getByRole("button", { name: "New document" }).click();
  await page.getByLabel("Id").fill("o3");
  await page.getByRole("button", { name: "Put it there" }).click();
  await page.getByRole("dialog", { name: "o3" }).waitFor();
  expect((await owner.get(`${DATA}/orders/o3?agentId=alpha`)).body.data.value).toEqual({});
  expect(faults.filter((fault) => !fault.includes("412"))).toEqual([]);
});
