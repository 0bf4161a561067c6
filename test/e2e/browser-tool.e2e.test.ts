import { everyNth, isNightly, queryRows, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool, Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { openWebShop, type WebShop } from "../support/web-shop.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;
let shop: WebShop;

const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;

beforeAll(async () => {
  shop = await openWebShop(`Our token is ${VENDOR_TOKEN}.`);
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
  await settings({ approval: { default: "ask", tools: { browser: "preApproved" } } });
  // A browser is offered once the API has heard of a worker that has one.
  const isThere = async (): Promise<boolean> => (await owner.get("/api/v1/me")).body.data.features.browser;
  // Requests at one time come to different APIs, where there are several.
  const isAtAll = async () => (await Promise.all([isThere(), isThere(), isThere()])).every(Boolean);
  await until(isAtAll, { what: "a browser is offered" });
});
afterAll(() => shop?.close());

const settings = (changed: object) => owner.patch("/api/v1/tenant/settings", changed);
const call = (client: Client, args: object, context: object = {}) =>
  client.post("/api/v1/custom-tools/browser/execute", { arguments: args, context });
const run = async (args: object, context: object = {}) => (await call(agent, args, context)).body.data;
const failing = async (args: object, context: object = {}): Promise<string> => {
  const { status, error } = await run(args, context);
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  return error.message;
};
const refOf = (tree: string, what: RegExp): string =>
  /\[ref=(\w+)\]/.exec(tree.split("\n").find((line) => what.test(line)) ?? "")?.[1] ?? "none";
const pixelsOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

test("an agent uses a site as a person does, over any number of calls", async () => {
  product.showLogsIfTestFails();
  const opened = await run({ action: "open", url: `${shop.url}/moved` });
  expect(opened).toMatchObject({
    status: "succeeded",
    result: { page: "p1", url: `${shop.url}/`, title: "Shop", status: 200 },
    metadata: { usage: { capabilityCalls: 1, networkRequests: 3 } },
  });
  // What it could not have is told, so that a half-loaded page is understood.
  expect(opened.result.refused).toMatchObject({
    count: 1,
    first: [expect.stringMatching(/169\.254\.169\.254/)],
  });
  const { text: tree } = (await run({ action: "snapshot" })).result;
  expect(tree).toMatch(/heading "Shop"[^]*textbox "Name"[^]*button "Order"/);
  await run({ action: "type", ref: refOf(tree, /textbox "Name"/), text: "Ann & Co" });
  await run({ action: "select", ref: refOf(tree, /combobox/), values: ["blue"] });
  const sale = await run({ action: "click", ref: refOf(tree, /"Sale"/) });
  expect(sale.result.dismissed).toMatchObject({ count: 1, first: [expect.stringMatching(/Sale!/)] });
  const window = await run({ action: "click", ref: refOf(tree, /"Terms"/) });
  expect(window.result).toMatchObject({ page: "p1" });
  const ordered = await run({ action: "click", ref: refOf(tree, /"Order"/) });
  expect(ordered.result).toMatchObject({ page: "p1", url: `${shop.url}/order`, title: "Ordered" });
  // A window that comes when the click is over is told by the next action.
  expect([window, ordered].flatMap(({ result }) => result.opened ?? [])).toEqual(["p2"]);
  expect(shop.seen.at(-1)).toMatchObject({ path: "/order", body: "name=Ann+%26+Co&colour=blue" });
  expect((await run({ action: "text" })).result.text).toMatch(/Thank you\. Cookie: visit=\d+; basket=1/);
  // The element is one of the page before.
  expect(await failing({ action: "click", ref: refOf(tree, /"Order"/) })).toMatch(/take a new snapshot/);
  expect((await run({ action: "back" })).result).toMatchObject({ title: "Shop" });
  expect((await run({ action: "wait", text: "7 left", ms: 5_000 })).status).toBe("succeeded");
  const { pages } = (await run({ action: "pages" })).result;
  expect(pages).toMatchObject([
    { page: "p1", isCurrent: true },
    { page: "p2", title: "Ordered", isCurrent: false },
  ]);
  expect((await run({ action: "close", page: "p2" })).result.pages).toHaveLength(1);
});

test("a picture is an image of the window, a print is a PDF, and both can become files", async () => {
  await run({ action: "open", url: `${shop.url}/order?print` });
  const [picture, facts] = (await run({ action: "screenshot" })).result.content;
  expect([picture.type, picture.mimeType]).toEqual(["image", "image/png"]);
  expect(pixelsOf(Buffer.from(picture.data, "base64"))).toEqual([1_280, 720]);
  expect(facts.json).toMatchObject({ page: "p1", title: "Ordered", width: 1_280, height: 720 });
  const jpeg = (await run({ action: "screenshot", format: "jpeg" })).result.content[0];
  expect(Buffer.from(jpeg.data, "base64").subarray(0, 3).toString("hex")).toBe("ffd8ff");
  const print = (await run({ action: "pdf", saveAs: "prints/shop.pdf" })).result;
  expect(print.file).toMatchObject({ path: "prints/shop.pdf", size: print.bytes });
  const stored = await fetch(`${product.url}/api/v1/files/prints/shop.pdf?agentId=one`, {
    headers: { authorization: `Bearer ${owner.key}` },
  });
  expect(
    Buffer.from(await stored.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  expect(await failing({ action: "text", saveAs: "a.txt" })).toMatch(/saveAs/);
  const mcp = await connectMcp(product, agent, "auto");
  const shown = await mcp.callTool({ name: "browser", arguments: { action: "screenshot" } });
  expect(shown.content).toMatchObject([{ type: "image", mimeType: "image/png" }, { type: "text" }]);
  await run({ action: "back" });
});

test("a picture of what must be covered is withheld, of a page, of a field and in a frame, but not of the rest", async () => {
  for (const args of [{ action: "screenshot" }, { action: "pdf", saveAs: "prints/no.pdf" }])
    expect(await failing(args)).toMatch(/shows a secret.*ask for its text/);
  const { text: tree } = (await run({ action: "snapshot" })).result;
  const field = refOf(tree, /textbox "Name"/);
  const pictured = async () => (await run({ action: "screenshot", ref: field })).status;
  expect(await pictured()).toBe("succeeded");
  await run({ action: "open", url: `${shop.url}/field`, page: "new" });
  for (const path of ["field", "shadow", "asks", "frame"]) {
    await run({ action: "open", url: `${shop.url}/${path}` });
    expect(await failing({ action: "screenshot" }), path).toMatch(/shows a secret/);
  }
  const frame = refOf((await run({ action: "snapshot" })).result.text, /iframe/);
  expect(await failing({ action: "screenshot", ref: frame })).toMatch(/shows a secret/);
  await run({ action: "close", page: "p3" });
  await run({ action: "open", url: shop.url, page: "p1" });
});

test("a long text comes in parts, and secrets are covered wherever they are", async () => {
  expect((await run({ action: "text" })).result.text).toContain("Our token is [REDACTED].");
  const { text: tree } = (await run({ action: "snapshot" })).result;
  expect(tree).toContain("Our token is [REDACTED].");
  // Nor is one had in pieces.
  const at = tree.indexOf("[REDACTED]");
  expect((await run({ action: "snapshot", startChar: at, maxChars: 10 })).result.text).toBe("[REDACTED]");
  const typed = await run({ action: "type", ref: refOf(tree, /textbox/), text: `x ${VENDOR_TOKEN}` });
  expect(typed.result.covered).toBe(true);
  expect((await run({ action: "snapshot" })).result.text).toMatch(/textbox "Name".*x \[REDACTED\]/);
  await run({ action: "open", url: `${shop.url}/long`, page: "new" });
  const first = (await run({ action: "text" })).result;
  expect([first.startChar, first.text.length]).toEqual([0, 20_000]);
  const next = (await run({ action: "text", startChar: first.nextChar, maxChars: 100_000 })).result;
  expect([next.startChar, next.nextChar]).toEqual([20_000, undefined]);
  expect(first.text.length + next.text.length).toBe(first.totalChars);
});

test.each([
  [{}, /required/],
  [{ action: "evaluate", code: "1" }, /action|additional/],
  [{ action: "open", url: 1 }, /url/],
  [{ action: "wait", ms: 10_001 }, /ms/],
  [{ action: "scroll", direction: "left" }, /direction/],
])("arguments are refused that its schema does not allow: %#", async (args, message) => {
  const { status, body } = await call(agent, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

const FAILING: [args: object, message: RegExp][] = [
  [{ action: "open" }, /^url: is required$/],
  [{ action: "open", url: "file:///etc/passwd" }, /http/],
  [{ action: "open", url: "javascript:alert(1)" }, /http/],
  [{ action: "open", url: "http://169.254.169.254/latest" }, /169\.254\.169\.254/],
  [{ action: "open", url: "http://10.0.0.1/" }, /10\.0\.0\.1/],
  [{ action: "click", ref: "e1 >> body" }, /ref/],
  [{ action: "click", ref: "e9999" }, /new snapshot/],
  [{ action: "text", page: "p99" }, /no page p99/],
  [{ action: "press", key: "Foo" }, /Foo/],
  [{ action: "wait" }, /text or ms/],
  [{ action: "pages", url: "x" }, /url/],
];

test.each(everyNth(FAILING, 2))("%j fails in words that a model can use", async (args, message) => {
  expect(await failing(args)).toMatch(message);
});

/** The agent "one" of another tenant. */
async function newStranger(): Promise<Client> {
  const { one, owner: strangers } = await newAgentTenant(product);
  await strangers.patch("/api/v1/tenant/settings", { approval: { tools: { browser: "preApproved" } } });
  return one;
}

test("users, agents and tenants have browsers of their own", async () => {
  const ann = { userId: "ann" };
  expect(await failing({ action: "text" }, ann)).toMatch(/No page is open/);
  const stranger = await newStranger();
  for (const [client, context] of [
    [agent, { userId: "bob" }],
    [other, {}],
    [stranger, {}],
  ] as const)
    expect((await call(client, { action: "pages" }, context)).body.data.error.message).toMatch(
      /No page is open/,
    );
});

test.runIf(isNightly)("a user's browser is a new one, and closing it ends it alone", async () => {
  const ann = { userId: "ann" };
  const own = (await run({ action: "pages" })).result;
  await run({ action: "open", url: shop.url }, ann);
  // Without the other user's cookies, and the agent's own browser is as it was.
  expect(shop.seen.findLast(({ path }) => path === "/")?.cookie).toBe("");
  expect((await run({ action: "pages" })).result).toEqual(own);
  for (const [client, context] of [
    [agent, { userId: "bob" }],
    [await newStranger(), ann],
  ] as const)
    expect((await call(client, { action: "pages" }, context)).body.data.error.message).toMatch(
      /No page is open/,
    );
  expect((await run({ action: "close" }, ann)).result).toEqual({ pages: [] });
  // Why is known where it was.
  expect(await failing({ action: "text" }, ann)).toMatch(
    /^No page is open(.*it was closed)?\. Open one first/,
  );
});

test("a ref of one call's snapshot holds in the next one, whichever workers do them", async () => {
  const { workers } = (await new Client(product.url, product.adminKey).get("/api/v1/system")).body.data;
  const rounds = workers.length > 1 ? 8 : 1;
  const done: string[] = [];
  const useBy = async (client: Client): Promise<void> => {
    const does = async (args: object) => {
      const { data } = (await call(client, args)).body;
      expect(data.error ?? data.status).toBe("succeeded");
      done.push(data.executionId);
      return data.result;
    };
    await does({ action: "open", url: `${shop.url}/count` });
    for (let clicks = 0; clicks < rounds; clicks += 1) {
      const { text: tree } = await does({ action: "snapshot" });
      await does({ action: "click", ref: refOf(tree, new RegExp(`button "${clicks}"`)) });
    }
    expect(await does({ action: "text" })).toMatchObject({ text: `${rounds}` });
  };
  await Promise.all([agent, other].map(useBy));
  const ran = "SELECT DISTINCT worker_id FROM executions WHERE id = ANY($1)";
  const ranIn = await queryRows(product.databaseUrl, ran, [done]);
  expect(ranIn.length > 1).toBe(workers.length > 1);
});

test("tools call it within their permissions and hosts, and their code has no way to it beside", async () => {
  const surf = async (name: string, more: object) => {
    const code = `return utils.callTool("browser", args).then((a) => a.title, (e) => e.message);`;
    await createTool(owner, name, code, { parameters: { type: "object" }, approval: "preApproved", ...more });
    return async (args: object) =>
      (await agent.post(`/api/v1/custom-tools/${name}/execute`, { arguments: args })).body.data.result;
  };
  const open = { action: "open", url: shop.url };
  const free = await surf("surf", { permissions: ["network"] });
  expect(await free(open)).toBe("Shop");
  expect(await free({ action: "screenshot", saveAs: "a.png" })).toMatch(/permission filesystem/);
  const bound = await surf("surf_there", { permissions: ["network"], allowedHosts: ["only.example"] });
  expect(await bound(open)).toMatch(/allowedHosts/);
  expect(await (await surf("surf_not", {}))(open)).toMatch(/permission network/);
});

test("an agent's call waits for a person who sees it, and the policy shows it or takes it away", async () => {
  await settings({ approval: { default: "preApproved", tools: {} } });
  const waiting = await call(agent, { action: "open", url: `${shop.url}/order?asked` });
  expect(waiting.status).toBe(202);
  const inbox = (await owner.get("/api/v1/approvals")).body.data;
  expect(JSON.stringify(inbox)).toContain("/order?asked");
  expect(shop.seen.some(({ path }) => path.endsWith("asked"))).toBe(false);
  await settings({ approval: { default: "ask", tools: { browser: "preApproved" } } });
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  const definitions = async () =>
    (await agent.get("/api/v1/custom-tools/active/definitions")).body.data.tools.map(
      ({ name }: { name: string }) => name,
    );
  await put({ allow: ["browser"] });
  expect(await definitions()).toEqual(["browser"]);
  await put({ deny: ["group:ui"] });
  expect(await definitions()).not.toContain("browser");
  expect((await call(agent, { action: "pages" })).body.code).toBe("tool.not_found");
  await put({});
  const listed = (await owner.get("/api/v1/built-in-tools")).body.data.tools;
  expect(listed.find(({ name }: { name: string }) => name === "browser")).toMatchObject({
    group: "ui",
    permission: "network",
    letBy: "name",
    engine: { available: true, missing: null },
  });
});
