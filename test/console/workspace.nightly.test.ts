import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
});
afterAll(() => browser.close());

const put = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${product.url}/api/v1/files/${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${owner.key}` },
    body,
  });

const read = async (path: string): Promise<string> =>
  (
    await fetch(`${product.url}/api/v1/files/${path}`, { headers: { authorization: `Bearer ${owner.key}` } })
  ).text();

const FILES = 450;

test("a folder of many files shows those near the window, comes page by page, and goes as a whole", async () => {
  for (let n = 0; n < FILES; n += 1) await put(`many/f-${String(n).padStart(4, "0")}.txt`, `${n}\n`);
  const { page, faults } = await openConsole(browser, owner, "/files?in=many");
  const rows = page.getByRole("table", { name: "Files" }).getByRole("row");
  await page.getByRole("link", { name: "f-0000.txt" }).waitFor();
  expect(await rows.count()).toBeLessThan(100);
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 40_000);
        return page.getByRole("link", { name: "f-0449.txt" }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(await rows.count()).toBeLessThan(100);
  await page.goto(`${product.url}/console/files`);
  await page.getByLabel("Select many").check();
  await page.getByRole("region", { name: "Selected files" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: `Delete ${FILES} files?` }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 deleted.").waitFor();
  expect((await owner.get("/api/v1/files")).body.data.files).toEqual([]);
  expect(faults).toEqual([]);
});

/** One pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture is shown to who asks for it, and what is no text is told so", async () => {
  await put("one.png", new Uint8Array(PIXEL));
  await put("blob.bin", Uint8Array.of(0, 1, 2));
  const { page, faults } = await openConsole(browser, owner, "/files?open=one.png");
  expect(await page.getByRole("img", { name: "The file" }).count()).toBe(0);
  await page.getByRole("button", { name: "Show the picture" }).click();
  await page.getByRole("img", { name: "The file" }).waitFor();
  await page.goto(`${product.url}/console/files?open=blob.bin`);
  await page.getByText("This is no text").waitFor();
  expect(faults).toEqual([]);
});

test("a built-in tool is found, read and run from its page", async () => {
  await put("hello.txt", "hi\n");
  const { page, faults } = await openConsole(browser, owner, "/tools/built-in");
  await page.getByLabel("Search the built-in tools").fill("read fs");
  await page.getByRole("link", { name: "read_file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("group:fs").waitFor();
  await dialog.getByText("As JSON").click();
  await dialog.getByLabel("Arguments as JSON").fill('{"path": "hello.txt"}');
  await dialog.getByRole("button", { name: "Run tool" }).click();
  await dialog.getByText("Succeeded").waitFor();
  await dialog.getByText("hi").first().waitFor();
  expect(faults).toEqual([]);
});

test("a file gets another path, and what is selected goes with all that is in it", async () => {
  await put("box/a.txt", "a\n");
  await put("box/b.txt", "b\n");
  const { page } = await openConsole(browser, owner, "/files?in=box&open=box/a.txt");
  await page.getByRole("button", { name: "Move" }).click();
  await page.getByLabel("New path").fill("box/b.txt");
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await page.getByText("A file of this path is there already.").waitFor();
  await page.getByLabel("Put it in the other one's place").check();
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await expect.poll(() => page.url()).toContain("box%2Fb.txt");
  expect(await read("box/b.txt")).toBe("a\n");
  await page.goto(`${product.url}/console/files`);
  await page.getByLabel("Select box").check();
  await page.getByRole("region", { name: "Selected files" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 deleted.").waitFor();
  expect(await read("box/b.txt")).toContain("file.not_found");
});
