import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { pngPixels } from "../../libs/tools/src/built-in/canvas/fixtures/png-pixels.ts";
import { newAgentTenant } from "../support/agents.ts";
import { Client, createTool } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";

const product = await sharedProduct();
const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  ({ owner, one: agent } = await newAgentTenant(product));
});

const call = (client: Client, args: object, context: object = {}, tool = "canvas") =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (args: object, context: object = {}, tool = "canvas") =>
  (await call(agent, args, context, tool)).body.data;
const svg = (body: string, size = 'width="40" height="30"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`;
const RED = '<rect width="40" height="30" fill="#f00"/>';
const SQUARE = svg(RED);
const pixelsOf = ({ content: [image] }: { content: { data: string }[] }) =>
  pngPixels(Buffer.from(image?.data ?? "", "base64"));

test("a picture is answered as an image, with what it is", async () => {
  product.showLogsIfTestFails();
  // What is secret is covered before it is drawn, here below the picture's end.
  const secretive = svg(`${RED}<text y="60">${VENDOR_TOKEN}</text>`);
  const { result, metadata } = await run({ svg: secretive, width: 80 });
  expect(result.content).toMatchObject([
    { type: "image", mimeType: "image/png" },
    {
      type: "json",
      json: { width: 80, height: 60, format: "png", bytes: expect.any(Number), covered: true },
    },
  ]);
  expect(result.content[1].json.engine).toMatch(/^(chromium|resvg)$/);
  const picture = pixelsOf(result);
  expect([picture.width, picture.height, picture.at(40, 30)]).toEqual([80, 60, [255, 0, 0, 255]]);
  expect(metadata.usage).toMatchObject({ networkRequests: 0 });
  const { engines } = (await new Client(product.url, product.adminKey).get("/api/v1/system")).body.data;
  expect(engines).toContainEqual(expect.objectContaining({ engine: "resvg", available: true }));
});

test("what is drawn by its path, with saveAs, becomes a file of the caller's workspace", async () => {
  const ann = { userId: "ann" };
  await run({ path: "logo.svg", content: SQUARE }, ann, "write_file");
  const { result } = await run({ path: "logo.svg", saveAs: "charts/red.png", scale: 2 }, ann);
  expect(result).toMatchObject({ path: "charts/red.png", created: true, width: 80, height: 60 });
  const read = await run({ path: "charts/red.png" }, ann, "read_file");
  expect(read.result.content).toMatchObject([{ type: "image", mimeType: "image/png" }, { type: "json" }]);
  expect(pixelsOf(read.result).width).toBe(80);
  // Another user's workspace, and another tenant's, have none of them.
  expect((await run({ path: "logo.svg" }, { userId: "bob" })).error.message).toMatch(/no file logo\.svg/);
  const { one: stranger } = await newAgentTenant(product);
  expect((await call(stranger, { path: "logo.svg" }, ann)).body.data.error.message).toMatch(/no file/);
});

test.runIf(isNightly)("over MCP it is an image", async () => {
  const client = await connectMcp(product, agent, "auto");
  const told = await client.callTool({
    name: "canvas",
    arguments: { path: "logo.svg" },
    _meta: { "bulkhead/context": { userId: "ann" } },
  });
  expect(told.content).toMatchObject([
    { type: "image", mimeType: "image/png" },
    { type: "text", text: expect.stringContaining('"width":40') },
  ]);
});

const DRAWS = "return utils.callTool('canvas', args)";
const SAVING = { svg: SQUARE, saveAs: "a.png" };

test("a tool of a tenant's saves nothing without filesystem", async () => {
  await createTool(owner, "draws", DRAWS);
  const refused = (await call(owner, SAVING, {}, "draws")).body.data;
  expect(refused.error.message).toMatch(/"canvas" with saveAs needs the permission filesystem/);
});

test.runIf(isNightly)("with it, what a tool draws is saved", async () => {
  await createTool(owner, "draws_files", DRAWS, { permissions: ["filesystem"] });
  expect((await call(owner, SAVING, {}, "draws_files")).body.data.result).toMatchObject({ path: "a.png" });
});

test.each([
  [{ svg: 1 }, /svg/],
  [{ svg: SQUARE, width: 0 }, /width/],
  [{ svg: SQUARE, width: 8_193 }, /width/],
  [{ svg: SQUARE, scale: 5 }, /scale/],
  [{ svg: SQUARE, background: "url(x)" }, /background/],
  [{ svg: SQUARE, format: "gif" }, /format/],
  [{ svg: SQUARE, saveAs: "" }, /saveAs/],
  [{ svg: SQUARE, path: "a".repeat(1_025) }, /path/],
  [{ svg: SQUARE, script: "x" }, /additional|unknown|not allowed/i],
  [{ svg: "a".repeat(131_073) }, /svg/],
])("arguments that its schema does not allow are refused: %#", async (args, message) => {
  const { status, body } = await call(agent, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

test.each([
  [{}, /exactly one of svg, html and path/],
  [{ svg: SQUARE, html: "<p>x" }, /exactly one/],
  [{ svg: SQUARE, saveAs: "a.gif" }, /saveAs must end with/],
  [{ svg: SQUARE, saveAs: "a.png", format: "jpeg" }, /saveAs must end with \.jpg/],
  [{ path: "notes.md" }, /must name a file that ends with/],
  [{ path: "none.svg" }, /no file none\.svg/],
])("%j fails in words that a model can use", async (args, message) => {
  const { status, error } = await run(args);
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(message);
});

test("the policy takes it away and shows it, and approval rules ask a person", async () => {
  const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  const namesOf = ({ body }: { body: { data: { tools: { name: string }[] } } }) =>
    body.data.tools.map(({ name }) => name);
  const { body } = await owner.get("/api/v1/built-in-tools");
  expect(body.data.tools.find(({ name }: { name: string }) => name === "canvas")).toMatchObject({
    group: "ui",
    permission: null,
    letBy: "policy",
    engine: { available: true, missing: null },
  });
  await settings({ tools: { canvas: "ask" } });
  // It finds nothing to draw: what is allowed runs, and costs no picture.
  const asked = (await call(agent, { path: "none.svg" })).body.data;
  expect(asked.status).toBe("awaiting_approval");
  expect((await owner.post(`${asked.links.approval}/allow-once`, {})).status).toBe(200);
  await (await owner.follow(asked.executionId)).rest();
  const allowed = (await agent.get(`/api/v1/executions/${asked.executionId}`)).body.data;
  expect([allowed.status, allowed.error.message]).toEqual(["failed", expect.stringMatching(/no file none/)]);
  await settings({ tools: { canvas: "blocked" } });
  expect((await call(agent, { svg: SQUARE })).body.code).toBe("tool.blocked");
  await settings({ tools: {} });
  expect((await put({ allow: ["group:ui"] })).status).toBe(200);
  expect(namesOf(await agent.get("/api/v1/custom-tools/active/definitions"))).toContain("canvas");
  expect((await put({ forbid: ["canvas"] })).status).toBe(200);
  expect((await call(agent, { svg: SQUARE })).body.code).toBe("tool.not_found");
  expect(namesOf(await agent.get("/api/v1/built-in-tools"))).not.toContain("canvas");
  await put({});
});
