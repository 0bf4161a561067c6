import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedBrowser, type Browser } from "../support/browser.ts";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";
import { openConsole } from "../support/console.ts";
import { SmallServer } from "../support/mcp-servers.ts";

const product = await sharedProduct();
const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202Egnp.exe <script>document.title='owned'</script>`;
const SHOWN = String.raw`\u{202e}gnp.exe`;
const WRITE = {
  name: "write-note",
  description: "Writes a note.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
let browser: Browser;
let owner: Client;
let agent: Client;
let tenantId: string;
let small: SmallServer;

beforeAll(async () => {
  [browser, { id: tenantId, owner }, small] = await Promise.all([
    sharedBrowser(),
    newTenant(product),
    new SmallServer().start(),
  ]);
  small.tools = [WRITE];
  await createTool(owner, "refund_order", "return 1;");
  await createTool(owner, "hostile", "return 1;", { description: HOSTILE });
  const key = { name: "Support", role: "agent", agentId: "support" };
  const made = await owner.post(`/api/v1/tenants/${tenantId}/api-keys`, key);
  agent = new Client(product.url, made.body.data.key);
});
afterAll(async () => {
  await small.close();
});

/** The browser itself tells of answers that refuse; a test that asks for them takes them out. */
const withoutRefusals = (faults: string[]): string[] =>
  faults.filter((fault) => !/status of 4(00|12)/.test(fault));

test("a policy shows what it would change before it is saved, and saves over nobody's work", async () => {
  const { page, faults } = await openConsole(browser, owner, "/policy?agent=support");
  const text = page.getByLabel("The policy as JSON");
  const write = (policy: object) => text.fill(JSON.stringify(policy));
  await write({ deny: ["no_such_tool"] });
  await page.getByText('there is no tool "no_such_tool"').waitFor();
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await write({ agents: { support: { deny: ["refund_order"] } } });
  await page.getByText("Saving gives it 0 and takes 1.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The policy is saved.").waitFor();
  // The built-in tools stand before it, and rows out of sight are not drawn.
  await page.getByLabel("Search tools").fill("refund_order");
  await page.getByRole("row").filter({ hasText: "refund_order" }).getByText("Out").waitFor();

  const others = { headers: { "content-type": "application/json" }, body: '{"forbid":["hostile"]}' };
  expect((await owner.raw("PUT", "/api/v1/policy", others.body, others.headers)).status).toBe(200);
  await write({ deny: ["refund_order"] });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByText("Somebody else has saved the policy").waitFor();
  await page.getByRole("dialog").getByText('"hostile"').waitFor();
  expect((await owner.get("/api/v1/policy")).body.data).toEqual({ forbid: ["hostile"] });
  await page.getByRole("button", { name: "Go on with mine" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await owner.get("/api/v1/policy")).body.data)
    .toEqual({ deny: ["refund_order"] });
  expect(withoutRefusals(faults)).toEqual([]);
});

test("an agent's tools are seen as its model gets them, and what is hostile is text", async () => {
  const { page, faults } = await openConsole(browser, owner, "/agents");
  await page.getByRole("link", { name: "support" }).click();
  const row = page
    .getByRole("table", { name: "Definitions" })
    .getByRole("row")
    .filter({ hasText: "hostile" });
  await row.getByText(SHOWN).waitFor();
  expect(await page.getByRole("row").filter({ hasText: "refund_order" }).count()).toBe(0);
  await page.getByLabel("Format").selectOption({ label: "Anthropic" });
  await page.waitForURL(/format=anthropic/);
  await row.getByRole("link").click();
  const definition = page.getByRole("dialog").getByRole("region", { name: "Definition" });
  await definition.getByText("input_schema").waitFor();
  expect(await definition.innerText()).toContain("<img src=x onerror=");
  expect(await page.title()).toBe("support · Bulkhead");
  expect(faults).toEqual([]);
});

test("a server is added and tested, its changed tool is compared and approved, and an agent's wish answered", async () => {
  const { page, faults } = await openConsole(browser, owner, "/mcp-servers");
  await page.getByRole("button", { name: "Add a server" }).first().click();
  await page.getByLabel("Name").fill("notes");
  await page.getByLabel("Address").fill(small.url);
  await page.getByRole("switch", { name: "Nobody gets its tools but by a grant" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add the server" }).click();
  await page.getByRole("heading", { name: "notes" }).waitFor();
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("The server can be reached").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();

  small.tools = [{ ...WRITE, description: HOSTILE }];
  await page.getByRole("button", { name: "Refresh" }).click();
  const row = page.getByRole("row").filter({ hasText: "write-note" });
  await row.getByText("Changed, waits").waitFor();
  await row.getByRole("link").click();
  const diff = page.getByRole("region", { name: "What was approved against what the server says now" });
  await diff.getByText("Writes a note.").waitFor();
  expect(await diff.innerText()).toContain("<img src=x onerror=");
  await page.getByRole("button", { name: "Approve the change" }).click();
  await row.getByText("Active").waitFor();

  await page.getByRole("link", { name: "Access" }).click();
  await page.getByText("Nobody has asked for this server's tools.").waitFor();
  const asked = await agent.post("/api/v1/mcp-access-requests", { server: "notes", reason: HOSTILE });
  expect(asked.status).toBe(201);
  await page.getByText(SHOWN).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByLabel("Reason").fill("It writes the notes.");
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await page.getByText("Gets every tool.").waitFor();
  const { grants } = (await owner.get("/api/v1/mcp-servers/notes/grants")).body.data;
  expect(grants).toMatchObject([{ scope: "agent", id: "support", toolAllow: null }]);
  expect(faults).toEqual([]);
});

test("a viewer sees the policy and the servers, and is offered nothing that changes them", async () => {
  const viewer = await newClient(product, tenantId, "viewer");
  const { page, faults } = await openConsole(browser, viewer, "/policy");
  await page.getByText("You see what owners of the tenant have set.").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await page.getByRole("link", { name: "MCP servers" }).click();
  await page.getByRole("link", { name: "notes" }).click();
  await page.getByRole("heading", { name: "notes" }).waitFor();
  expect(await page.getByRole("button", { name: "Refresh" }).count()).toBe(0);
  expect(faults).toEqual([]);
});
