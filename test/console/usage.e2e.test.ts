import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([sharedBrowser(), newTenant(product)]);
});

test("what runs is counted by day and tool, and leads to the tool", async () => {
  await createTool(owner, "counted", "if (args.n > 1) throw new Error('too many'); return args.n;");
  const { page, faults } = await openConsole(browser, owner, "/usage");
  await page.getByText("Nothing ran in this time").waitFor();
  for (const n of [1, 1, 1, 2])
    await owner.post("/api/v1/custom-tools/counted/execute", { arguments: { n } });
  await page.reload();
  const row = page
    .getByRole("table", { name: "Cost by tool" })
    .getByRole("row")
    .filter({ hasText: "counted" });
  await row.waitFor();
  expect(await row.getByRole("cell").allInnerTexts()).toEqual(
    expect.arrayContaining(["counted", "4", expect.stringMatching(/^25\s?%$/)]),
  );
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect.poll(() => page.url()).toMatch(/chart=table/);
  await page.getByRole("region", { name: "Executions over time" }).getByText("3", { exact: true }).waitFor();
  await row.getByRole("link").click();
  await page.getByRole("heading", { name: "counted" }).waitFor();
  expect(faults).toEqual([]);
});
