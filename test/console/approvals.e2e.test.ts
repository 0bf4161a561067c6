import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { NARROW_DARK, openConsole, unfitOn } from "../support/console.ts";

const product = await sharedProduct();
let browser: Browser;
let owner: Client;
let agent: Client;
let viewer: Client;

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;
const SHELL = { parameters: { type: "object", properties: { command: { type: "string" } } } };

beforeAll(async () => {
  const [opened, tenant] = await Promise.all([sharedBrowser(), newTenant(product)]);
  browser = opened;
  ({ owner } = tenant);
  [agent, viewer] = await Promise.all([
    newClient(product, tenant.id, "agent"),
    newClient(product, tenant.id, "viewer"),
  ]);
  await createTool(owner, "shell", "console.warn('at it'); return args.command ?? 'ran';", SHELL);
  const said = JSON.stringify(`# ${HOSTILE}\n\n[press me](javascript:document.title='owned') and **more**`);
  await createTool(owner, "sly", `console.log(${JSON.stringify(HOSTILE)}); return ${said};`, {
    description: HOSTILE,
    ...SHELL,
  });
});

/** A call of the agent's that waits; the ids of its approval and its execution. */
async function ask(command: string, tool = "shell"): Promise<{ id: string; executionId: string }> {
  const asked = await agent.post(`/api/v1/custom-tools/${tool}/execute`, {
    arguments: { command },
    mode: "async",
  });
  const { executionId } = asked.body.data;
  return { id: (await owner.get(`/api/v1/approvals/${executionId}`)).body.data.id, executionId };
}

const approval = async (id: string) => (await owner.get(`/api/v1/approvals/${id}`)).body.data;
const rows = (page: Page) => page.getByRole("list", { name: "Calls that wait" }).getByRole("link");
const call = (page: Page) => page.getByRole("article", { name: "The call" });

test("a call that waits is found, read and allowed by the keyboard alone, and its run is seen", async () => {
  const { page, faults } = await openConsole(browser, owner, "/tools");
  await page.getByRole("list", { name: "Tools" }).waitFor();
  const { id } = await ask("git push");
  await page.getByRole("link", { name: "Approvals 1" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await rows(page).waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(`${product.url}/console/approvals/${id}`);
  await call(page).getByText('"git push"').first().waitFor();
  await page.keyboard.press("a");
  await call(page).getByText("Allowed once.").waitFor();
  await call(page).getByText("Succeeded").waitFor();
  await call(page).getByText("at it", { exact: true }).waitFor();
  await page.getByText("Nothing waits for you").waitFor();
  expect(page.url()).toContain(id);
  expect(faults).toEqual([]);
});

test("what is typed into a reason answers nothing, and the reason reaches whoever asked", async () => {
  const { id, executionId } = await ask("rm -rf /");
  const { page } = await openConsole(browser, owner, `/approvals/${id}`);
  await call(page).getByRole("button", { name: "Deny" }).waitFor();
  // Behind `g` it goes to another page, and denies nothing.
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.waitForURL(/schedules/);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.goBack();
  await call(page).getByRole("button", { name: "Deny" }).waitFor();
  await page.keyboard.press("d");
  await page.keyboard.type("a A d: not on a Friday");
  expect((await approval(id)).status).toBe("waiting");
  await page.keyboard.press("Control+Enter");
  await call(page).getByText("Reason: a A d: not on a Friday").waitFor();
  const { error } = (await owner.get(`/api/v1/executions/${executionId}`)).body.data;
  expect(error).toMatchObject({
    code: "approval.denied",
    message: expect.stringContaining("not on a Friday"),
  });
});

test("what is allowed always is said before, stands, and is revoked", async () => {
  const { id } = await ask("ls -l");
  const { page } = await openConsole(browser, owner, `/approvals/${id}`);
  await call(page).getByRole("button", { name: "Allow always" }).waitFor();
  await page.keyboard.press("Shift+A");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("calls of shell, version 1, where the argument /command is exactly ls -l").waitFor();
  await dialog.getByLabel("Text that must match").fill("cat *");
  await dialog.getByText("This very call does not match.").waitFor();
  expect(await dialog.getByRole("button", { name: "Allow always" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Text that must match").fill("ls *");
  await dialog.getByRole("button", { name: "Allow always" }).click();
  await call(page).getByText("Allowed, and such calls from then on.").waitFor();
  await page.getByRole("link", { name: "Standing" }).click();
  await page
    .getByRole("list", { name: "Standing approvals" })
    .getByText("where the argument /command is like ls *")
    .waitFor();
  expect(await unfitOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Nothing is allowed for good").waitFor();
});

test("who may not answer sees the call, and no button", async () => {
  const { id } = await ask("look");
  const { page } = await openConsole(browser, viewer, `/approvals/${id}`);
  await call(page).getByText("Your key may look, and not answer").waitFor();
  expect(
    await call(page)
      .getByRole("button", { name: /Allow|Deny/ })
      .count(),
  ).toBe(0);
  await page.keyboard.press("a");
  expect((await approval(id)).status).toBe("waiting");
  await owner.post(`/api/v1/approvals/${id}/deny`);
});

test("hostile calls, logs and results are text, and axe finds nothing, narrow and dark", async () => {
  const { id } = await ask(HOSTILE, "sly");
  const { page, faults } = await openConsole(browser, owner, "/approvals", NARROW_DARK);
  await rows(page).waitFor();
  await rows(page).click();
  await call(page)
    .getByText("Hosts", { exact: true })
    .or(call(page).getByText("Nothing: it computes."))
    .waitFor();
  expect(await call(page).innerText()).toContain(String.raw`\u202egnp.exe`);
  await call(page).getByRole("button", { name: "Allow once" }).click();
  await call(page).getByText("[press me](javascript:").waitFor();
  expect(await call(page).getByRole("link", { name: "press me" }).count()).toBe(0);
  expect(await unfitOn(page)).toEqual([]);
  expect(await page.title()).toBe("Approvals · Bulkhead");
  expect((await approval(id)).status).toBe("allowed");
  expect(faults).toEqual([]);
});
