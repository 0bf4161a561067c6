import { sharedProduct } from "@bulkhead/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;

/** More than fields can show: it stays as it is written. */
const PARAMETERS = {
  "x-first": { z: 1, a: [true, null] },
  type: "object",
  properties: {
    city: { type: "string", "x-ui": "map", description: "Where", minLength: 1 },
    when: { oneOf: [{ type: "string", format: "date" }, { $ref: "#/$defs/range" }], "x-ui": "picker" },
    [HOSTILE]: { description: HOSTILE, type: "integer" },
    days: { type: "integer", maximum: 14 },
  },
  required: ["city", "when"],
  dependentRequired: { days: ["city"] },
  $defs: { range: { type: "object", patternProperties: { "^d": true } } },
};

beforeAll(async () => {
  [browser, { owner }] = await Promise.all([startBrowser(), newTenant(product)]);
});
afterAll(() => browser.close());

const fields = (page: Page) => page.getByRole("region", { name: "Parameters" });
const shownAs = (page: Page, name: string) =>
  fields(page).getByRole("group").getByRole("button", { name, exact: true }).click();
const names = (page: Page): Promise<string[]> =>
  fields(page)
    .getByRole("textbox", { name: /^Name of / })
    .evaluateAll((inputs) => inputs.map((input) => ("value" in input ? String(input.value) : "")));

/** Pastes text, so that the editor closes no bracket by itself. */
const pasting = (text: string): string => `(() => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", ${JSON.stringify(text)});
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(paste);
})()`;

/** What a stored tool's parameters are, as text: in their order. */
const stored = async (name: string): Promise<string> =>
  JSON.stringify((await owner.get(`/api/v1/custom-tools/${name}`)).body.data.parameters);

async function saved(page: Page, name: string, before: string): Promise<string> {
  await page.keyboard.press("Control+s");
  await expect.poll(() => stored(name)).not.toBe(before);
  return stored(name);
}

test("a schema is edited by its fields, and what they can't show stays as it was written", async () => {
  const { id } = await createTool(owner, "forecast", "return 1;", { parameters: PARAMETERS });
  const { page, faults } = await openConsole(browser, owner, `/tools/${id}/edit?tab=parameters`);
  await fields(page).getByLabel("Name of city").waitFor();
  expect(await names(page)).toEqual(["city", "when", HOSTILE, "days"]);
  await fields(page).getByLabel("Name of city").fill("days");
  await fields(page).getByText("Another field has this name.").waitFor();
  await fields(page).getByLabel("Name of city").fill("town");
  await page.keyboard.press("Enter");
  await fields(page).getByRole("button", { name: "Move days" }).press("ArrowUp");
  await fields(page).getByRole("button", { name: "Move days" }).press("ArrowUp");
  await expect.poll(() => names(page)).toEqual(["town", "days", "when", HOSTILE]);
  await fields(page).getByRole("button", { name: "Details of days" }).click();
  await fields(page).getByLabel("At most", { exact: true }).fill("7");
  const { city, when, days, [HOSTILE]: hostile } = PARAMETERS.properties;
  expect(await saved(page, "forecast", JSON.stringify(PARAMETERS))).toBe(
    JSON.stringify({
      ...PARAMETERS,
      properties: { town: city, days: { ...days, maximum: 7 }, when, [HOSTILE]: hostile },
      required: ["town", "when"],
      dependentRequired: { days: ["town"] },
    }),
  );
  expect(await page.title()).not.toBe("owned");
  expect(faults).toEqual([]);
});

test("a field is added, typed, removed and brought back by the keyboard alone", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools/new?from=blank&tab=parameters");
  await fields(page).getByRole("button", { name: "Add a field" }).press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Name of field");
  await page.keyboard.type("limit");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Type of limit");
  await fields(page).getByLabel("Type of limit").selectOption("integer");
  await fields(page).getByLabel("Required: limit").press("Space");
  await fields(page).getByRole("button", { name: "More for limit" }).press("Enter");
  await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
  await fields(page).getByText("“limit” is removed.").waitFor();
  await fields(page).getByRole("button", { name: "Undo it" }).press("Enter");
  await shownAs(page, "Preview");
  await fields(page).getByText("required", { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test("fields are made from an example, whose plan shows first", async () => {
  const { page } = await openConsole(browser, owner, "/tools/new?from=blank&tab=parameters");
  await fields(page).getByRole("button", { name: "From an example" }).click();
  const dialog = page.getByRole("dialog");
  const sample = { since: "2026-02-03", rows: [{ id: 1, note: HOSTILE }, { id: 2.5 }] };
  await dialog.getByRole("textbox").fill(JSON.stringify(sample));
  await expect.poll(() => dialog.getByRole("listitem").allInnerTexts()).toHaveLength(2);
  await dialog.getByRole("button", { name: "Take these fields" }).click();
  expect(await names(page)).toEqual(["since", "rows"]);
  await fields(page).getByRole("button", { name: "Details of rows" }).click();
  await expect.poll(() => names(page)).toEqual(["since", "rows", "id", "note"]);
});

test("fields wait while the JSON can't be read, which says where", async () => {
  const { page } = await openConsole(browser, owner, "/tools/new?from=blank&tab=parameters");
  await shownAs(page, "JSON");
  const write = async (text: string): Promise<void> => {
    await fields(page).locator(".monaco-editor").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.evaluate(pasting(text));
  };
  await write('{ "type": "object",\n "properties": { "a": {} }, }');
  await fields(page).getByText("Line 2, column 29: The comma before this is one too many.").waitFor();
  await shownAs(page, "Fields");
  await fields(page).getByRole("button", { name: "Mend the JSON" }).click();
  await write('{ "type": "object", "properties": { "a": true, "b": {} } }');
  await shownAs(page, "Fields");
  await expect.poll(() => names(page)).toEqual(["a", "b"]);
  expect(await fields(page).getByLabel("Type of a", { exact: true }).inputValue()).toBe("other");
});
