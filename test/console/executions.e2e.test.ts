import { sharedProduct } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { openConsole, unfitOn } from "../support/console.ts";

const product = await sharedProduct();
const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;

let browser: Browser;
let owner: Client;
let viewer: Client;

const run = async (tool: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args });
  return body.data.executionId;
};

beforeAll(async () => {
  const [started, tenant] = await Promise.all([sharedBrowser(), newTenant(product)]);
  browser = started;
  owner = tenant.owner;
  viewer = await newClient(product, tenant.id, "viewer");
  await createTool(owner, "adds", "return { sum: args.a + args.b, unit: 'parcels' };", {
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  });
  await createTool(owner, "fails", "throw new Error('There is no such customer.');");
  await createTool(owner, "hostile", "console.log(args.text); throw new Error(args.text);");
  for (const a of [1, 2, 3]) await run("adds", { a, b: 1 });
  await run("fails");
});

const rows = (page: Page) => page.getByRole("table", { name: "Executions" }).locator("[data-row]");

test("by the keyboard: those that failed are found, opened, read and replayed", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools");
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await rows(page).first().waitFor();
  await page.getByRole("button", { name: "Failed 1" }).press("Enter");
  await page.waitForURL(/status=failed/);
  await expect.poll(() => rows(page).allInnerTexts()).toEqual(["fails"]);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("There is no such customer.").waitFor();
  const failed = page.url();
  await page.getByRole("button", { name: "Replay", exact: true }).press("Enter");
  await page.waitForURL((url) => url.href !== failed);
  await page.getByText("Replay of").waitFor();
  expect(faults).toEqual([]);
});

/** A red point, and half a second of silence. */
const MEDIA = `
  const wav = new Uint8Array(44 + 4000).fill(128, 44);
  const view = new DataView(wav.buffer);
  const words = { 0: "RIFF", 8: "WAVEfmt ", 36: "data" };
  for (const at of Object.keys(words)) for (let i = 0; i < words[at].length; i++) wav[Number(at) + i] = words[at].charCodeAt(i);
  for (const [at, value] of [[4, 4036], [16, 16], [24, 8000], [28, 8000], [40, 4000]]) view.setUint32(at, value, true);
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) view.setUint16(at, value, true);
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
  return utils.content([
    { type: "image", data, mimeType: "image/png" },
    { type: "audio", data: wav, mimeType: "audio/wav" },
    { type: "audio", data: "AAAA", mimeType: "audio/x-unknown" },
  ]);`;

test("a picture is seen and sound is played, within the page's policy; other sound can be kept", async () => {
  await createTool(owner, "media", MEDIA);
  const { page, faults } = await openConsole(browser, owner, `/executions/${await run("media")}`);
  const seen = (what: string): Promise<unknown> => page.evaluate(what);
  const picture = `document.querySelector("img[alt='What the tool made']")?.naturalWidth`;
  await expect.poll(() => seen(picture)).toBe(1);
  await expect.poll(() => seen(`document.querySelector("audio")?.duration`)).toBe(0.5);
  expect(await page.locator("audio").count()).toBe(1);
  expect(await page.getByText("audio/x-unknown").count()).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  expect(await unfitOn(page)).toEqual([]);
});

test("what ends elsewhere shows on top; paused, it waits and is counted", async () => {
  const { page } = await openConsole(browser, owner, "/executions?tool=adds&source=rest");
  await expect.poll(() => rows(page).count()).toBe(3);
  await run("adds", { a: 4, b: 1 });
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole("button", { name: "Pause" }).click();
  await run("adds", { a: 5, b: 1 });
  await page.getByRole("button", { name: "1 new" }).click();
  await expect.poll(() => rows(page).count()).toBe(5);
});

test("a call is made again with other arguments, once they are right", async () => {
  const { page } = await openConsole(browser, owner, `/executions/${await run("adds", { a: 1, b: 2 })}`);
  await page.getByRole("button", { name: "More to do" }).click();
  await page.getByRole("menuitem", { name: "Replay with other arguments" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Arguments").fill('{"a": "one"');
  await dialog.getByRole("button", { name: "Run tool" }).click();
  await expect.poll(() => dialog.getByLabel("Arguments").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Arguments").fill('{"a": "one", "b": 2}');
  await dialog.getByRole("button", { name: "Run tool" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Arguments").fill('{"a": 40, "b": 2}');
  await dialog.getByRole("button", { name: "Run tool" }).click();
  await page.getByText("sum: 42").waitFor();
});

test("who mends a tool is told which version a replay runs", async () => {
  const { id } = await createTool(owner, "mended", "throw new Error('not yet');");
  const failed = await run("mended");
  await owner.patch(`/api/v1/custom-tools/${id}`, { code: "return 'mended by now';" });
  const { page } = await openConsole(browser, owner, `/executions/${failed}`);
  await page.getByText("the tool runs as it is then").waitFor();
  await page.getByRole("button", { name: "More to do" }).click();
  await page.getByRole("menuitem", { name: "Replay with other arguments" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Version 2 runs, the tool as it is now; this call was of version 1.").waitFor();
  await dialog.getByLabel("Run version 1 again").check();
  await dialog.getByText("Version 1 runs, as it did; the tool is at version 2 by now.").waitFor();
  await dialog.getByLabel("Run version 1 again").uncheck();
  await dialog.getByRole("button", { name: "Run tool" }).click();
  await page.getByText("mended by now").waitFor();
});

test("what is hostile is text, in errors and events, and a viewer has no buttons that change", async () => {
  const id = await run("hostile", { text: HOSTILE });
  const { page, faults } = await openConsole(browser, viewer, `/executions/${id}?tab=events`);
  const shown = page.getByRole("region", { name: "Events" });
  await shown.getByText("Ended: failed").waitFor();
  expect(await shown.innerText()).toContain(String.raw`onerror="document.title='owned'"> \u{202e}gnp.exe`);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("region", { name: "Why it failed" }).getByText("<img src=x").waitFor();
  expect(await page.title()).toBe("hostile · Bulkhead");
  expect(await page.getByRole("button", { name: /^(Replay|Cancel)$/ }).count()).toBe(0);
  expect(faults).toEqual([]);
});
