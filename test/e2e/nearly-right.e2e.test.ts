import { sharedProduct } from "@bulkhead/testing";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let tenantId = "";

beforeAll(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
  await createTool(owner, "echo", "return args;");
});

test.each([
  ["POST", "/api/v1/executions", "GET, HEAD"],
  ["PUT", "/api/v1/custom-tools", "GET, HEAD, POST"],
  ["DELETE", "/api/v1/meta-tools/create_tool", "POST"],
  ["OPTIONS", "/api/v1/custom-tools/echo", "DELETE, GET, HEAD, PATCH, PUT"],
  ["HEAD", "/api/v1/custom-tools/echo/execute", "POST"],
  ["POST", "/healthz", "GET, HEAD"],
  ["POST", "/docs/json", "GET, HEAD"],
])("[R34] %s %s: the path is there, for %s", async (method, path, allow) => {
  for (const key of [owner.key, null]) {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const answer = await fetch(product.url + path, { method, headers });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    if (method === "HEAD") continue;
    expect(await answer.json()).toMatchObject({ code: "route.method_not_allowed", success: false });
  }
});

test.each(["0x10", "0b11", "1e1", "%2B1", "%0A5", "01"])("the number %s is refused", async (number) => {
  for (const [path, field] of [
    [`custom-tools?limit=${number}`, "limit"],
    [`custom-tools?offset=${number}`, "offset"],
    [`usage?limit=${number}`, "limit"],
    [`audit?limit=${number}`, "limit"],
    [`custom-tools/echo/versions?cursor=${number}`, "cursor"],
    [`custom-tools/echo/versions/${number}`, "n"],
    [`custom-tools/echo/versions/1/diff?against=${number}`, "against"],
  ]) {
    const { status, body } = await owner.get(`/api/v1/${path}`);
    expect([path, status, body.errors?.[0].path]).toEqual([path, 400, field]);
  }
  const redelivered = await owner.post(
    `/api/v1/executions/exe_${"0".repeat(32)}/deliveries/${number}/redeliver`,
  );
  expect([redelivered.status, redelivered.body.errors?.[0].path]).toEqual([400, "n"]);
});

test("a page of usage that begins at no day is refused", async () => {
  const { status, body } = await owner.get("/api/v1/usage?cursor=2026-99-99~");
  expect([status, body.errors?.[0].path]).toEqual([400, "cursor"]);
});

test("a tenant, a key and a schedule are not called nothing", async () => {
  const admin = new Client(product.url, product.adminKey);
  for (const [client, path, body] of [
    [admin, "/api/v1/tenants", { slug: `t-${randomUUID()}` }],
    [owner, `/api/v1/tenants/${tenantId}/api-keys`, { role: "viewer" }],
    [owner, "/api/v1/schedules", { tool: "echo", arguments: { city: "Bern" }, everyMs: 86_400_000 }],
  ] as const) {
    const answer = await client.post(path, { ...body, name: "   " });
    expect([path, answer.status, answer.body.errors?.[0]]).toEqual([
      path,
      400,
      { path: "name", message: "must not be blank" },
    ]);
  }
});
