import { startProduct, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "../support/client.ts";

let product: Product;
let stranger: Client;

beforeAll(async () => {
  product = await startProduct();
  stranger = new Client(product.url, null);
});

afterAll(() => product?.stop());

const ROUTES = [
  "GET /api/v1/custom-tools",
  "GET /api/v1/custom-tools/{id}",
  "DELETE /api/v1/custom-tools/{id}",
  "PATCH /api/v1/custom-tools/{id}",
  "POST /api/v1/custom-tools",
  "POST /api/v1/custom-tools/test",
  "POST /api/v1/custom-tools/{id}/approve",
  "POST /api/v1/custom-tools/{id}/disable",
  "POST /api/v1/custom-tools/{id}/enable",
  "POST /api/v1/custom-tools/{id}/execute",
  "POST /api/v1/custom-tools/{id}/reject",
  "GET /api/v1/executions",
  "GET /api/v1/executions/{id}",
  "GET /api/v1/executions/{id}/events",
  "POST /api/v1/executions/{id}/cancel",
  "GET /api/v1/system",
  "GET /api/v1/tenants",
  "GET /api/v1/tenants/{id}",
  "GET /api/v1/tenants/{id}/api-keys",
  "DELETE /api/v1/tenants/{id}/api-keys/{keyId}",
  "PATCH /api/v1/tenants/{id}",
  "POST /api/v1/tenants",
  "POST /api/v1/tenants/{id}/api-keys",
  "GET /healthz",
  "GET /readyz",
];

test("OpenAPI 3.1 describes every route, its problems and its streams", async () => {
  const { status, body } = await stranger.get("/docs/json");
  expect(status).toBe(200);
  expect(body.openapi).toMatch(/^3\.1\./);
  const described = Object.entries<Record<string, unknown>>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(ROUTES.toSorted());
  for (const route of ROUTES.filter((one) => one.includes("/api/"))) {
    const [method = "", path = ""] = route.split(" ");
    const { responses } = body.paths[path][method.toLowerCase()];
    expect(Object.keys(responses.default.content), route).toEqual(["application/problem+json"]);
  }
  const { execute, events } = {
    execute: body.paths["/api/v1/custom-tools/{id}/execute"].post,
    events: body.paths["/api/v1/executions/{id}/events"].get,
  };
  expect(Object.keys(execute.responses["200"].content)).toEqual(["application/json", "text/event-stream"]);
  expect(Object.keys(events.responses["200"].content)).toEqual(["text/event-stream"]);
  expect(execute.requestBody.content["application/json"].schema).toBeDefined();
});

test("the reference for people is served from here", async () => {
  const { status, body } = await stranger.get("/docs");
  expect(status).toBe(200);
  expect(body).toContain("<html");
  expect(body).not.toMatch(/(src|href)="https?:/);
});

test("alive and ready need no key, and ready says what is missing", async () => {
  expect((await stranger.get("/healthz")).body).toEqual({ status: "alive" });
  expect((await stranger.get("/readyz")).body.checks).toEqual(["postgres", "migrations", "redis"]);
  await product.redis?.kill();
  await expect.poll(async () => (await stranger.get("/readyz")).status, { timeout: 10_000 }).toBe(503);
  expect((await stranger.get("/readyz")).body).toMatchObject({
    code: "service.unavailable",
    detail: "Not ready: redis.",
  });
  await product.redis?.restartEmpty();
  await expect.poll(async () => (await stranger.get("/readyz")).status, { timeout: 20_000 }).toBe(200);
});

test.each([
  ["a path that can't be decoded", "/api/v1/custom-tools/%zz", 400],
  ["a part of a path that is too long", `/api/v1/custom-tools/${"x".repeat(300)}`, 400],
])("%s is answered as a problem", async (_name, path, status) => {
  const answer = await stranger.get(path);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toContain("application/problem+json");
  expect(answer.body).toMatchObject({ success: false, code: "request.invalid" });
});
