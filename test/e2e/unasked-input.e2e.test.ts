import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const JSON_TYPE = { "content-type": "application/json" };

const product = await sharedProduct();
let owner: Client;
let operations: [route: string, operation: { description: string; requestBody?: { required: boolean } }][];
let paths: Awaited<ReturnType<Client["get"]>>["body"];

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "echo", "return args;");
  ({ paths } = (await owner.get("/docs/json")).body);
  operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
});

const required = (route: string) => new Map(operations).get(route)?.requestBody?.required;

test("[R34] every route without a body refuses one, before it looks for what it is about", async () => {
  const bodiless = operations.filter(
    // What /mcp refuses, it refuses by JSON-RPC.
    ([route, { requestBody }]) => !requestBody && /^(POST|PUT|PATCH|DELETE) \/api/.test(route),
  );
  expect(bodiless.length).toBeGreaterThan(15);
  const admin = new Client(product.url, product.adminKey);
  for (const [route, { description }] of bodiless) {
    const [method = "", path = ""] = route.split(" ");
    const url = path.replace("{n}", "1").replaceAll(/\{\w+\}/g, "none");
    const client = description.startsWith("For keys with the role admin.") ? admin : owner;
    const { status, body } = await client.raw(method, url, '{"foo":1}', JSON_TYPE);
    expect([status, body.errors], route).toEqual([400, [{ path: "foo", message: expect.any(String) }]]);
  }
});

test("a replay with other arguments is refused, not run with the old ones", async () => {
  const ran = await owner.post(`${TOOLS}/echo/execute`, { arguments: { a: 1 } });
  const replay = `/api/v1/executions/${ran.body.data.executionId}/replay`;
  expect((await owner.post(replay, { arguments: { a: 99 } })).status).toBe(400);
  expect((await owner.post(replay)).status).toBe(202);
});

test("all that failed is replayed for who asks for it, not for who left the body out", async () => {
  const { status, body } = await owner.post("/api/v1/executions/replay");
  expect([status, body.errors?.[0].path]).toEqual([400, ""]);
  expect((await owner.post("/api/v1/executions/replay", {})).status).toBe(202);
  expect(required("POST /api/v1/executions/replay")).toBe(true);
});

test("[R31] the reference asks for a body only where there has to be one", async () => {
  expect(required(`POST ${TOOLS}`)).toBe(true);
  expect((await owner.post(TOOLS)).status).toBe(400);
  expect(required(`POST ${TOOLS}/{id}/execute`)).toBe(false);
  expect((await owner.post(`${TOOLS}/echo/execute`)).status).toBe(200);
  expect(required(`PATCH ${TOOLS}/{id}`)).toBe(false);
  expect(JSON.stringify(paths)).not.toContain("x-body");
});

test("[R31] the reference says of an export what it always holds, and that it may come as a zip", async () => {
  const { body } = await owner.get("/docs/json");
  const { content, description } = body.paths[`${TOOLS}/export`].get.responses["200"];
  expect(Object.keys(content)).toEqual(["application/json", "application/zip"]);
  expect(description).toMatch(/^The tools' folders/);
  const { data } = (await owner.get(`${TOOLS}/export`)).body;
  const always = body.components.schemas.ToolManifest.required;
  expect(Object.keys(data.tools.echo["manifest.json"])).toEqual(expect.arrayContaining(always));
});

test.each([`${TOOLS}/echo`, `${TOOLS}/echo/versions/1`, "/api/v1/scrub-rules"])(
  "a field of a query that %s doesn't take is named",
  async (path) => {
    expect((await owner.get(path)).status).toBe(200);
    expect((await owner.get(`${path}?foo=1`)).body.errors).toMatchObject([{ path: "foo" }]);
  },
);

test.each([
  ["packed", { "content-encoding": "gzip" }],
  ["in another charset", { "content-type": "application/json; charset=utf-16" }],
])("a body that is %s is refused, not misread", async (_how, headers) => {
  const sent = await owner.raw("POST", `${TOOLS}/echo/execute`, "{}", { ...JSON_TYPE, ...headers });
  expect([sent.status, sent.body.code]).toEqual([415, "request.unsupported_media_type"]);
});

test("an archive that is packed once more is refused", async () => {
  const headers = { "content-type": "application/zip", "content-encoding": "gzip" };
  expect((await owner.raw("POST", `${TOOLS}/import`, "PK", headers)).status).toBe(415);
});
