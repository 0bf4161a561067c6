import { sharedProduct } from "@bulkhead/testing";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole, unfitOn, WIDE_LIGHT } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;
let adder: { id: string };
let proposed: { id: string };

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;
const NUMBER = { type: "number", description: HOSTILE };
const ADDS = {
  parameters: { type: "object", properties: { a: NUMBER, b: { type: "number" } }, required: ["a"] },
  description: HOSTILE,
};

/** A tool of a model's, whose newer version asks for more and waits. */
async function propose(): Promise<{ id: string }> {
  const name = "sends_mail";
  const meta = "/api/v1/meta-tools";
  const parameters = { type: "object", properties: {} };
  await owner.post(`${meta}/create_tool`, { name, description: name, parameters, code: "return 1;" });
  const code = `// ${HOSTILE}\nreturn 2;`;
  await owner.post(`${meta}/update_tool`, { name, permissions: ["email"], code });
  return (await owner.get(`/api/v1/custom-tools/${name}`)).body.data;
}

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([sharedBrowser(), newTenant(product)]);
  adder = await createTool(owner, "adder", "console.log('adds'); return args.a + (args.b ?? 0);", ADDS);
  const asks = "return await (await fetch('https://api.example.com/x')).text();";
  await createTool(owner, "asks_outside", asks, { permissions: ["network"], category: HOSTILE });
  await owner.patch(`/api/v1/custom-tools/${adder.id}`, { code: "return args.a + (args.b ?? 0);" });
  await owner.post(`/api/v1/custom-tools/${adder.id}/execute`, { arguments: { a: 1 } });
  proposed = await propose();
});

const items = (page: Page) => page.getByRole("list", { name: "Tools" }).getByRole("listitem");
const statusOf = async (name: string): Promise<string> =>
  (await owner.get(`/api/v1/custom-tools/${name}`)).body.data.status;

test("a folder is planned first, with its faults, and imported then", async () => {
  const home = await mkdtemp(join(tmpdir(), "bulkhead-import-"));
  const files = {
    "shouts/manifest.json": `{"description":"shouts","input":{"text":{"type":"string"}}}`,
    "shouts/tool.js": "return args.text.toUpperCase();",
    "broken/manifest.json": `{"description":"broken","nonsense":1}`,
    "broken/tool.js": "return 1;",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const { page, faults } = await openConsole(browser, owner, "/tools", WIDE_LIGHT);
  await page.getByRole("button", { name: "Import" }).click();
  await page.locator("input[webkitdirectory]").setInputFiles(home);
  const plan = page.getByRole("list", { name: "What would be done" });
  await plan.waitFor();
  expect(await plan.innerText()).toMatch(/broken[^]*Refused[^]*nonsense[^]*shouts[^]*Creates/);
  expect((await owner.get("/api/v1/custom-tools/shouts")).status).toBe(404);
  expect(await unfitOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Import 1 tool" }).click();
  await page.getByRole("list", { name: "What was done" }).getByText("Created").waitFor();
  expect(await statusOf("shouts")).toBe("active");
  expect(faults).toEqual([]);
  await rm(home, { recursive: true });
});

test("a zip that an export wrote is dropped onto the page, and changes nothing", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools?q=adder");
  await items(page).first().waitFor();
  await page.getByRole("button", { name: "More for adder" }).click();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as zip" }).click(),
  ]);
  const zip = JSON.stringify([...(await readFile(await saved.path()))]);
  const dropped = await page.evaluateHandle(`(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([new Uint8Array(${zip})], "tools.zip", { type: "application/zip" }));
    return dropped;
  })()`);
  await page.getByRole("list", { name: "Tools" }).dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByRole("list", { name: "What would be done" }).getByText("Unchanged").waitFor();
  expect(await page.getByRole("button", { name: "Nothing to import" }).isDisabled()).toBe(true);
  expect(faults).toEqual([]);
});

test("the form and the JSON follow each other, arguments are kept, and a dry run tells what it reached for", async () => {
  const { page, faults } = await openConsole(browser, owner, `/tools/${adder.id}?tab=test`);
  const json = page.getByLabel("Arguments as JSON");
  await page.getByLabel("b", { exact: true }).fill("2.50");
  expect(JSON.parse(await json.inputValue())).toEqual({ a: 0, b: 2.5 });
  await json.fill(`{ "a": ${"[".repeat(5_000)}${"]".repeat(5_000)} }`);
  await page.getByText("It nests deeper than 500 levels here.").waitFor();
  await json.fill(`{ "a": 40, "b": 2 }`);
  await expect.poll(() => page.getByLabel("b", { exact: true }).inputValue()).toBe("2");
  await page.getByRole("button", { name: "Keep these" }).click();
  await page.getByLabel("Name").fill("forty-two");
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await json.press("Control+Enter");
  await page.getByText("Succeeded").waitFor();
  expect(await page.getByRole("region", { name: "The run" }).innerText()).toContain("42");
  await page.goto(`${product.url}/console/tools/asks_outside?tab=test`);
  await page.getByRole("button", { name: "Dry run" }).click();
  const seen = page.getByRole("region", { name: "The dry run" });
  await seen.getByText("https://api.example.com/x").first().waitFor();
  await page.goto(`${product.url}/console/tools/${adder.id}?tab=test`);
  await page.getByRole("button", { name: "forty-two", exact: true }).click();
  expect(JSON.parse(await json.inputValue())).toEqual({ a: 40, b: 2 });
  expect(faults).toEqual([]);
});

test("a version that waits shows what it can do more, and runs once it is approved", async () => {
  const { page, faults } = await openConsole(browser, owner, `/tools/${proposed.id}`);
  await page.getByRole("link", { name: "See what it may do" }).click();
  await page.getByRole("region", { name: "What it can do more" }).getByText("Sends e-mail").waitFor();
  const code = page.getByRole("region", { name: /What changed in the code/ });
  await code.waitFor();
  expect(await code.innerText()).toContain(String.raw`\u{202e}gnp.exe`);
  expect(await unfitOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("navigation", { name: "Versions" }).getByText("Serves").waitFor();
  await expect
    .poll(async () => (await owner.get("/api/v1/custom-tools/sends_mail")).body.data.version)
    .toBe(2);
  expect(faults).toEqual([]);
});
