import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { openConsole, writeCode } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;
let viewer: Client;

beforeAll(async () => {
  const [opened, tenant] = await Promise.all([sharedBrowser(), newTenant(product)]);
  browser = opened;
  ({ owner } = tenant);
  viewer = await newClient(product, tenant.id, "viewer");
});

const editor = (page: Page) => page.locator(".monaco-editor").first();

/** What the editor shows of its lines. */
const shown = async (page: Page): Promise<string> =>
  (await editor(page).locator(".view-lines").innerText()).replaceAll("\u00a0", " ");

const problems = (page: Page) => page.getByRole("region", { name: "Problems" });
const saved = async (name: string) => (await owner.get(`/api/v1/custom-tools/${name}`)).body.data;

test("a template becomes a tool: its fault is told at its line, it runs before it is saved, and Ctrl-S creates it", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools/new");
  await page.getByRole("link", { name: "Text cleaning" }).click();
  await editor(page).waitFor();
  await writeCode(page, "const text = args.text;\nreturn text +;");
  await problems(page)
    .getByRole("button", { name: /Unexpected token.*Code 2:14/s })
    .waitFor();
  await page.getByRole("link", { name: /^Code\s*1/ }).waitFor();
  await writeCode(
    page,
    "console.log('at it');\nreturn { text: args.text.trim() + '!', words: 1, charactersRemoved: 0 };",
  );
  await problems(page).getByText("No problems").waitFor();
  await page.getByRole("button", { name: "one line" }).click();
  await page.keyboard.press("Control+Enter");
  const run = page.getByRole("region", { name: "The run" });
  await run.getByText("Succeeded").waitFor();
  await run.getByText("at it", { exact: true }).waitFor();
  expect((await owner.get("/api/v1/custom-tools/clean_text")).status).toBe(404);
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 1 runs from now on.").waitFor();
  expect(page.url()).toMatch(/\/tools\/tool_\w+\/edit/);
  expect((await saved("clean_text")).code).toContain("+ '!'");
  expect(faults).toEqual([]);
});

test("what was not saved is offered behind a reload, and goes for good with the log-out", async () => {
  const { id } = await createTool(owner, "kept_one", "return 1;");
  const { page, faults } = await openConsole(browser, owner, `/tools/${id}/edit`);
  await editor(page).waitFor();
  await writeCode(page, "return 'kept';");
  await page.getByText("Not saved").waitFor();
  await page.reload();
  await page.getByText("You have a draft").waitFor();
  await page.getByRole("region", { name: "Code" }).getByText("return 'kept';").waitFor();
  await page.getByRole("button", { name: "Drop it" }).click();
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect.poll(() => shown(page)).toContain("return 'kept';");
  await page.getByText("Not saved").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("API key").waitFor();
  expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("kept_one");
  expect(faults).toEqual([]);
});

test("a command is written, mended at its line, tried out with a value that nobody sees again, and changed", async () => {
  const secret = "correct-horse-battery";
  const { page, faults } = await openConsole(browser, owner, "/tools/new?from=command");
  await editor(page).waitFor();
  await writeCode(page, "date >/dev/null\necho {{.who}} $KEY");
  await problems(page)
    .getByRole("button", { name: /parameters\.properties has no who.*Command 2:6/s })
    .waitFor();
  await writeCode(page, "date >/dev/null\necho is $KEY");
  await page.getByLabel("Another variable").fill("KEY");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Value of KEY").fill("short");
  await page.getByText("env.KEY is too short or too common").first().waitFor();
  await page.getByLabel("Value of KEY").fill(secret);
  await problems(page).getByText("No problems").waitFor();
  expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain(secret);
  await page.keyboard.press("Control+Enter");
  const run = page.getByRole("region", { name: "The run" });
  await run.getByText("Succeeded").waitFor();
  await run.getByText("is [REDACTED]").waitFor();
  await page.getByRole("link", { name: "Details", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("of_command");
  await page.getByRole("textbox", { name: "Description", exact: true }).fill("Says a value.");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 1 runs from now on.").waitFor();
  await page.getByRole("link", { name: "Command", exact: true }).click();
  await page.getByText("Stays as it is").waitFor();
  expect(await page.content()).not.toContain(secret);
  await writeCode(page, "echo now $KEY");
  await page.getByLabel("Time-out in seconds").fill("9");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 2 runs from now on.").waitFor();
  expect(await saved("of_command")).toMatchObject({ command: "echo now $KEY", timeoutSeconds: 9 });
  const { body } = await owner.post("/api/v1/custom-tools/of_command/execute", { arguments: {} });
  expect(body.data.result).toBe("now [REDACTED]");
  expect(faults).toEqual([]);
});

test("whoever only looks is told so, and gets no field", async () => {
  const { id } = await createTool(owner, "plain_one", "return 1;");
  const { page } = await openConsole(browser, viewer, `/tools/${id}/edit`);
  await page.getByText("Your key may not write tools").waitFor();
  expect(await page.locator(".monaco-editor, textarea").count()).toBe(0);
});
