import { sharedProduct } from "@bulkhead/testing";
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

const settings = async () => (await owner.get("/api/v1/tenant/settings")).body.data;

test("what agents' calls need is set, kept, and told where it can't be", async () => {
  const { page, faults } = await openConsole(browser, owner, "/settings");
  await page.getByLabel("A call that nothing else decides").selectOption({ label: "Is refused" });
  await page.getByLabel("Developers answer, too").check();
  await page.getByRole("button", { name: "Add a rule" }).click();
  const save = page.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await page.getByText("Name the tool.").waitFor();
  await page.getByLabel("Tool of rule 1").fill("shell");
  await page.getByLabel("Argument of rule 1").fill("/command");
  await page.getByLabel("Pattern of rule 1").fill("git *");
  await page.getByLabel("Decision of rule 1").selectOption({ label: "Runs unasked" });
  await page.getByLabel("Arguments").fill("none");
  await save.click();
  await page.getByText(`approval.rules.0.tool: "shell" means no tool that is there.`).waitFor();
  await page.getByText("The settings are saved.").waitFor();
  expect(await settings()).toMatchObject({
    approval: {
      default: "blocked",
      developersMayApprove: true,
      rules: [{ tool: "shell", argument: "/command", pattern: "git *", decision: "preApproved" }],
    },
    retention: { arguments: "none" },
  });
  await page.getByLabel("Seconds that a call waits for a person").fill("999999999");
  await save.click();
  await page.getByRole("alert").getByText("timeoutMs").waitFor();
  // Its answer of 400 is the one fault of the page.
  expect(faults).toHaveLength(1);
});

test("which files agents see is set, and a path that can't be is told", async () => {
  const { page } = await openConsole(browser, owner, "/settings");
  await page.getByLabel("Not there for agents and for what runs").fill("private\nkeys/live");
  await page.getByRole("button", { name: "Add an agent" }).click();
  const save = page.getByRole("button", { name: "Save" });
  await page.getByText("Name the agent.").waitFor();
  await page.getByLabel("Agent 1", { exact: true }).fill("alpha");
  await page.getByLabel("Context files of agent 1").selectOption("predefined");
  await page.getByLabel("Not there for agent 1").fill("drafts");
  await save.click();
  await page.getByText("The settings are saved.").waitFor();
  expect((await settings()).files).toEqual({
    deny: ["private", "keys/live"],
    agents: { alpha: { kind: "predefined", deny: ["drafts"] } },
  });
  await page.getByLabel("Not there for agents and for what runs").fill("../up");
  await save.click();
  await page.getByRole("alert").getByText("files.deny").waitFor();
});

test("what runs commands and which collections are shared is set", async () => {
  const { page } = await openConsole(browser, owner, "/settings");
  await page.getByLabel("What runs a command").selectOption("off");
  await page.getByRole("button", { name: "Share a collection" }).click();
  await page.getByText("Name the collection.").waitFor();
  await page.getByLabel("Collection 1", { exact: true }).fill("prices");
  await page.getByLabel("Who shares collection 1").selectOption("tenant");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings are saved.").waitFor();
  expect(await settings()).toMatchObject({
    shell: { engine: "off" },
    data: { shared: { prices: "tenant" } },
  });
});

test("who may only look sees what is set, without a button", async () => {
  const viewer = await newClient(product, tenantId, "viewer");
  const { page } = await openConsole(browser, viewer, "/settings");
  await page.getByText("You see what owners of the tenant have set.").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  expect(await page.getByLabel("Developers answer, too").isDisabled()).toBe(true);
});
