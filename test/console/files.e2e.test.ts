import { sharedProduct } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { newClient, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ id: tenantId, owner } = await newTenant(product));
});

const put = (path: string, body: string, query = "") =>
  fetch(`${product.url}/api/v1/files/${path}${query}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${owner.key}` },
    body,
  });
const read = async (path: string): Promise<string> =>
  (
    await fetch(`${product.url}/api/v1/files/${path}`, { headers: { authorization: `Bearer ${owner.key}` } })
  ).text();

const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Files" }).getByRole("link", { name });

test("files are made, uploaded, found, changed, compared and restored, and nothing is overwritten unseen", async () => {
  const { page, faults } = await openConsole(browser, owner, "/files");
  await page.getByText("There are no files here yet").waitFor();
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "read.md", mimeType: "text/markdown", buffer: Buffer.from("# Heading\n\n<b>no tag</b>\n") },
    { name: "data.json", mimeType: "application/json", buffer: Buffer.from('{"a": 1}\n') },
  ]);
  await page.getByText("2 of 2 files uploaded.").waitFor();
  // What is there already is replaced by somebody's word alone.
  await page
    .getByLabel("Files to upload")
    .setInputFiles([{ name: "data.json", mimeType: "application/json", buffer: Buffer.from('{"a": 2}\n') }]);
  await page.getByText("A file of this path is there already").waitFor();
  expect(await read("data.json")).toBe('{"a": 1}\n');
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.getByText("1 of 1 files uploaded.").waitFor();
  expect(await read("data.json")).toBe('{"a": 2}\n');

  await row(page, "read.md").click();
  await page.getByRole("heading", { name: "Heading" }).waitFor();
  await page.getByText("<b>no tag</b>").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("The file", { exact: true }).fill("mine\n");
  await put("read.md", "theirs\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Somebody else has changed the file" }).waitFor();
  await page.getByRole("button", { name: "Go on with mine" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The file is saved.").waitFor();
  expect(await read("read.md")).toBe("mine\n");

  await page.getByRole("link", { name: "Versions" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Version 2" })
    .getByRole("button", { name: "Compare" })
    .click();
  await page.getByRole("button", { name: "Restore version 2" }).click();
  await page.getByText("The file is as version 2 was.").waitFor();
  expect(await read("read.md")).toBe("theirs\n");
  // The refusals of what was there already are the page's only faults.
  expect(faults.filter((fault) => !fault.includes("412"))).toEqual([]);
});

test("a link opens a folder, a user's workspace and what is found; a viewer changes nothing", async () => {
  await put("notes/deep/one.txt", "the needle\n", "?agentId=alpha&userId=ann");
  await put("notes/two.md", "nothing\n", "?agentId=alpha&userId=ann");
  const viewer = await newClient(product, tenantId, "viewer");
  const { page, faults } = await openConsole(browser, viewer, "/files?agent=alpha&user=ann&in=notes");
  await row(page, "deep/").waitFor();
  await row(page, "two.md").waitFor();
  expect(await page.getByRole("button", { name: "Upload" }).count()).toBe(0);
  await page.getByLabel("Text in files, as a regular expression").fill("NEED.e");
  await page.getByLabel("Ignore case").check();
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByRole("table", { name: "Lines that were found" }).getByText("the needle").waitFor();
  await page.getByLabel("Text in files, as a regular expression").fill("");
  await page.getByLabel("Of files whose path is like").fill("**/*.txt");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page
    .getByRole("table", { name: "Files that were found" })
    .getByRole("link", { name: "notes/deep/one.txt" })
    .click();
  await page.getByText("the needle").waitFor();
  expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  expect(faults).toEqual([]);
});
