import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Page } from "playwright-core";
import { startBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole, writeCode } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
});
afterAll(() => browser.close());

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;

const editor = (page: Page) => page.locator(".monaco-editor").first();
const problems = (page: Page) => page.getByRole("region", { name: "Problems" });
const saved = async (name: string) => (await owner.get(`/api/v1/custom-tools/${name}`)).body.data;

/** The builder of a tool that is there. */
async function edit(name: string, code: string) {
  const { id } = await createTool(owner, name, code);
  const opened = await openConsole(browser, owner, `/tools/${id}/edit`);
  await editor(opened.page).waitFor();
  return { ...opened, id };
}

test("Ctrl-S takes a field's name that is typed yet, and what told of a refusal goes with the save", async () => {
  const { page } = await openConsole(browser, owner, "/tools/new?from=blank");
  await editor(page).waitFor();
  await writeCode(page, "return args.price;");
  await page.keyboard.press("Control+s");
  const refusal = page.getByText("The tool is not saved.");
  await refusal.waitFor();
  await page.getByLabel("Name", { exact: true }).fill("named_one");
  await page.getByRole("textbox", { name: "Description", exact: true }).fill("Takes a price.");
  await page.getByRole("link", { name: "Parameters", exact: true }).click();
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.keyboard.type("price");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 1 runs from now on.").waitFor();
  expect(Object.keys((await saved("named_one")).parameters.properties)).toEqual(["price"]);
  await expect.poll(() => refusal.count()).toBe(0);
});

test("a refusal stands at its field, on a tab that was not open", async () => {
  await createTool(owner, "taken", "return 1;");
  const { page } = await openConsole(browser, owner, "/tools/new?from=blank");
  await editor(page).waitFor();
  await writeCode(page, "return 1;");
  await page.keyboard.press("Control+s");
  const name = page.getByLabel("Name", { exact: true });
  await name.waitFor();
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("taken");
  await page.getByLabel("Description").fill(HOSTILE);
  await problems(page).getByText("another tool is called taken").waitFor();
  await name.fill("free_one");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 1 runs from now on.").waitFor();
  expect((await saved("free_one")).description).toBe(HOSTILE);
  expect(await page.title()).toBe("free_one · Bulkhead");
});

test("of two who change one tool the second sees what the first one did, and loses nothing", async () => {
  const { page, id } = await edit("shared_one", "return 1;");
  await writeCode(page, "return 'mine';");
  await owner.patch(`/api/v1/custom-tools/${id}`, { code: "return 'theirs';", category: HOSTILE });
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Somebody else has changed the tool" });
  await dialog.getByText("return 'theirs';").waitFor();
  await dialog.getByText("Both changed it").waitFor();
  expect(await dialog.innerText()).toContain(String.raw`\u{202e}gnp.exe`);
  await dialog.getByRole("button", { name: "Go on with mine" }).click();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. Version 3 runs from now on.").waitFor();
  expect(await saved("shared_one")).toMatchObject({ code: "return 'mine';", category: HOSTILE });
});

test("a draft goes with its tool, and whoever writes on is told that nothing of it is kept", async () => {
  const { page, id } = await edit("gone_one", "return 1;");
  await writeCode(page, "return 'unsaved';");
  const keptHere = () => page.evaluate<string>("JSON.stringify(localStorage)");
  await expect.poll(keptHere).toContain("return 'unsaved';");
  await owner.delete(`/api/v1/custom-tools/${id}`);
  await expect.poll(keptHere).not.toContain("gone_one");
  await writeCode(page, "return 'later';");
  await page.getByRole("link", { name: "The tool", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave" })
    .click();
  await page.getByText("There is no such tool.").waitFor();
  expect(await keptHere()).not.toContain("gone_one");
});

test("a run that is cancelled before it has an id is ended once it has one", async () => {
  const { page } = await edit("slow_one", "await new Promise((go) => setTimeout(go, 20_000));");
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
  await page.route("**/custom-tools/test", async (route) => {
    await pressed;
    await route.continue();
  });
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  press();
  await page.getByRole("region", { name: "The run" }).getByText("Cancelled", { exact: true }).waitFor();
});

test("leaving warns where the browser keeps nothing", async () => {
  const { id } = await createTool(owner, "left_one", "return 1;");
  const { page } = await openConsole(browser, owner, "/tools");
  // What runs in it from here on would run in the next test's page, too.
  onTestFinished(() => page.close());
  await page.getByRole("link", { name: "left_one", exact: true }).waitFor();
  await page.addInitScript(`Storage.prototype.setItem = () => { throw new Error("full"); };`);
  await page.goto(`${product.url}/console/tools/${id}/edit`);
  await editor(page).waitFor();
  await writeCode(page, "return 2;");
  await page.getByText("Not saved").waitFor();
  await page.getByRole("link", { name: "The tool", exact: true }).click();
  await page.getByText("Leave without saving?").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(page.url()).toContain("/edit");
  await page.getByRole("link", { name: "The tool", exact: true }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.waitForURL(new RegExp(`/tools/${id}$`));

  await page.goto(`${product.url}/console/tools/new?from=blank`);
  await editor(page).waitFor();
  await writeCode(page, "return 3;");
  await page.getByText("Not saved").waitFor();
  await page.getByRole("button", { name: "More to do" }).click();
  await page.getByRole("menuitem", { name: "Begin another tool" }).click();
  await page.getByText("Leave without saving?").waitFor();
});

test("a tool is made once, however often it is saved, and what is written meanwhile is a draft of it", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools/new?from=blank");
  await editor(page).waitFor();
  await writeCode(page, "return 1;");
  await page.getByRole("link", { name: "Details" }).click();
  await page.getByLabel("Name", { exact: true }).fill("made_once");
  await page.getByLabel("Description").fill("As it was sent");
  await problems(page).getByText("No problems").waitFor();
  let asked = 0;
  const written = Promise.withResolvers<void>();
  await page.route("**/api/v1/custom-tools", async (route) => {
    if (route.request().method() === "POST") {
      asked += 1;
      await written.promise;
    }
    await route.continue();
  });
  const save = `dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }));`;
  await page.evaluate(save + save);
  await page.getByLabel("Description").fill("As it was written meanwhile");
  written.resolve();
  await page.getByText("You have a draft").waitFor();
  await page.getByText("As it was written meanwhile").waitFor();
  expect((await saved("made_once")).description).toBe("As it was sent");
  expect(asked).toBe(1);
  expect(faults).toEqual([]);
});
