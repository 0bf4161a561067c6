import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { type Client, createTool, newClient, newTenant } from "../support/client.ts";
import { openConsole } from "../support/console.ts";

const product = await sharedProduct();
const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe`;
const SECRET = "sk_live_0123456789abcdef";
let browser: Browser;
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  [browser, { id: tenantId, owner }] = await Promise.all([sharedBrowser(), newTenant(product)]);
  await createTool(owner, "charge_card", "return 1;", { requiredConfigServices: [{ name: "payments" }] });
  await createTool(owner, "report", "return args.day ?? 0;", {
    parameters: { type: "object", properties: { day: { type: "number" } } },
  });
  const made = await owner.post("/api/v1/config-services", {
    name: "hostile",
    displayName: HOSTILE,
    description: HOSTILE,
    docsUrl: "https://docs.example.com/",
    configSchema: [{ name: "token", type: "secret", description: HOSTILE }],
  });
  expect(made.status).toBe(201);
});

test("a link from a tool opens the form of what it misses; the secret goes in once and never comes back", async () => {
  const { page, faults } = await openConsole(browser, owner, "/secrets?missing=payments");
  const form = page.getByRole("dialog");
  const key = form.getByLabel("api_key", { exact: true });
  await key.fill("hunter2");
  await form.getByLabel("base_url").fill("https://api.pay.example/v1");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.getByText("A weak secret stands in ordinary texts").waitFor();
  await key.fill(SECRET);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("••••cdef").waitFor();
  await expect.poll(() => page.url()).toBe(`${product.url}/console/secrets/payments`);
  expect(await page.getByText("api.pay.example", { exact: true }).count()).toBe(1);
  expect(await page.getByRole("link", { name: "charge_card" }).count()).toBe(1);
  await page.getByRole("button", { name: "Edit default" }).click();
  expect(await key.inputValue()).toBe("");
  expect(await page.content()).not.toContain(SECRET);
  // The refused answer is the browser's own line.
  expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("a service is made with fields of its own, is found in the list, and goes with what is told before", async () => {
  const { page, faults } = await openConsole(browser, owner, "/secrets");
  await page.getByRole("button", { name: "New service" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name in code").fill("mailer");
  await form.getByRole("button", { name: "Choose other fields" }).click();
  await form.getByLabel("Name of field 2").fill("region");
  await form.getByLabel("Kind of field 2").selectOption("select");
  await form.getByLabel("Choices of field 2").fill("eu\nus");
  await form.getByLabel("Code gets").selectOption("reveal");
  await form.getByText("can read its secrets").waitFor();
  await form.getByRole("button", { name: "Create service" }).click();
  await form.getByLabel("region").selectOption("us");
  await form.getByLabel("api_key").fill(SECRET);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("••••cdef").waitFor();
  await page.getByText("Code holds the value itself").waitFor();
  const { body } = await owner.get("/api/v1/config-services/mailer");
  expect(body.data).toMatchObject({ delivery: "reveal", entries: [{ data: { region: "us" } }] });
  await page.getByRole("link", { name: "Secrets" }).first().click();
  const rows = page.getByRole("table", { name: "Services" }).getByRole("row");
  await page.getByLabel("State").selectOption("configured");
  await rows.filter({ hasText: "mailer" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Delete the service" }).click();
  await page.getByText("Its entry goes with it").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the service" }).click();
  await page.getByText("The service mailer is gone.").waitFor();
  expect((await owner.get("/api/v1/config-services/mailer")).status).toBe(404);
  expect(faults).toEqual([]);
});

test("a rule covers what matches, and is taken away", async () => {
  const { page, faults } = await openConsole(browser, owner, "/secrets?tab=rules");
  await page.getByRole("button", { name: "New rule" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("customers");
  await form.getByLabel("Pattern").fill("CUST-[0-9]{6}");
  await form.getByRole("button", { name: "Create rule" }).click();
  await page.getByRole("table", { name: "Scrub rules" }).getByText("CUST-[0-9]{6}").waitFor();
  await page.getByRole("button", { name: "Delete customers" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the rule" }).click();
  await page.getByText("There is no rule yet").waitFor();
  expect(faults).toEqual([]);
});

test("a schedule is made by words of its tool, tells its next runs, is paused, run and taken away", async () => {
  const { page, faults } = await openConsole(browser, owner, "/schedules");
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByRole("combobox", { name: "Tool" }).fill("report");
  await form.getByRole("option", { name: "report" }).waitFor();
  await page.keyboard.press("Enter");
  await form.getByLabel("Time zone").selectOption("Europe/Berlin");
  await form.getByLabel("Arguments").fill('{"day": "x"}');
  await form.getByRole("button", { name: "Create schedule" }).click();
  await form.getByLabel("Arguments").and(page.locator("[aria-invalid=true]")).waitFor();
  await form.getByLabel("Arguments").fill('{"day": 1}');
  await form.getByRole("button", { name: "Create schedule" }).click();
  const nextRuns = form.getByRole("list", { name: "Next times" });
  await nextRuns.waitFor();
  expect(await nextRuns.getByRole("listitem").count()).toBe(5);
  await form.getByText("every weekday at 09:00 Europe/Berlin").waitFor();
  await form.getByRole("button", { name: "Pause" }).click();
  await form.getByRole("button", { name: "Resume" }).waitFor();
  const recordUrl = page.url();
  await form.getByRole("button", { name: "Run now" }).click();
  await page.waitForURL(/\/executions\/exe_/);
  await page.goto(recordUrl);
  await form.getByRole("list", { name: "Latest executions" }).getByText("Succeeded").waitFor();
  await form.getByRole("button", { name: "Delete" }).click();
  await form.getByRole("button", { name: "Delete the schedule" }).click();
  await page.getByText("Nothing runs by itself yet").waitFor();
  expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("what is hostile is text, and a viewer is offered nothing to change", async () => {
  const viewer = await newClient(product, tenantId, "viewer");
  const { page, faults } = await openConsole(browser, viewer, "/secrets/hostile");
  const shown = page.getByRole("heading", { level: 1 });
  await shown.waitFor();
  expect(await shown.innerText()).toContain(String.raw`\u{202e}gnp.exe`);
  expect(await page.title()).toContain("<img src=x");
  expect(await page.title()).toContain(String.raw`\u{202e}gnp.exe`);
  expect(await page.getByRole("link", { name: "Docs" }).getAttribute("rel")).toContain("noopener");
  for (const name of ["Fill in", "Settings", "Delete the service"])
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  expect(faults).toEqual([]);
});
