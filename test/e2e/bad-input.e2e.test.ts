import { sharedProduct } from "@bulkhead/testing";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let tenantId = "";

beforeAll(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
  await createTool(owner, "echo", "return args;", {
    parameters: {
      type: "object",
      properties: {
        city: { type: "string", minLength: 2 },
        when: { type: "string", format: "date" },
        items: {
          type: "array",
          items: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
        },
      },
      required: ["city"],
      additionalProperties: false,
    },
  });
});

// Whatever was sent: the next caller is served as ever.
afterEach(async () => {
  const { body } = await owner.post("/api/v1/custom-tools/echo/execute", { arguments: { city: "Bern" } });
  expect(body.data?.result).toEqual({ city: "Bern" });
});

const tool = (more: Record<string, unknown>) => ({
  name: "fresh",
  description: "d",
  parameters: { type: "object" },
  code: "return 1;",
  ...more,
});

describe("authentication", () => {
  test.each([
    ["no key", null, "auth.required"],
    ["a wrong key", "bh_wrong", "auth.invalid_key"],
    ["a key of 10,000 characters", "x".repeat(10_000), "auth.invalid_key"],
  ])("%s", async (_name, key, code) => {
    const { status, body } = await new Client(product.url, key).get("/api/v1/custom-tools");
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, code, status: 401, retryable: false });
  });

  test("[R2] a revoked key opens nothing from the moment of the answer", async () => {
    const client = await newClient(product, tenantId, "developer");
    expect((await client.get("/api/v1/custom-tools")).status).toBe(200);
    const { body } = await owner.get(`/api/v1/tenants/${tenantId}/api-keys`);
    const { id } = body.data.apiKeys.find((apiKey: { name: string }) => apiKey.name === "developer");
    expect(JSON.stringify(body)).not.toContain(client.key);
    expect((await owner.delete(`/api/v1/tenants/${tenantId}/api-keys/${id}`)).status).toBe(200);
    expect((await client.get("/api/v1/custom-tools")).body.code).toBe("auth.invalid_key");
  });
});

describe("bodies", () => {
  const json = { "content-type": "application/json" };
  test("broken JSON", async () => {
    const { status, body } = await owner.raw("POST", "/api/v1/custom-tools", '{"name": "x",', json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "request.malformed_json", errors: [{ path: "" }] });
  });

  test("a name that would change what all objects are", async () => {
    const poisoned = '{"arguments": {"__proto__": {"admin": true}}}';
    const { status, body } = await owner.raw("POST", "/api/v1/custom-tools/echo/execute", poisoned, json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "request.invalid", errors: [{ path: "arguments.__proto__" }] });
  });

  test("10 MB", async () => {
    const { status, body } = await owner.raw(
      "POST",
      "/api/v1/custom-tools",
      JSON.stringify("x".repeat(10_000_000)),
      json,
    );
    expect(status).toBe(413);
    expect(body.code).toBe("request.too_large");
  });

  test("no JSON at all", async () => {
    const { status, body } = await owner.raw("POST", "/api/v1/custom-tools", "name=x", {
      "content-type": "text/plain",
    });
    expect(status).toBe(415);
    expect(body.code).toBe("request.unsupported_media_type");
  });

  test("[R34] every wrong and unknown field is named", async () => {
    const { status, body } = await owner.post(
      "/api/v1/custom-tools",
      tool({ name: 7, colour: "red", limits: { cpuMs: -1 } }),
    );
    expect(status).toBe(400);
    expect(body.code).toBe("request.invalid");
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "colour",
      "limits.cpuMs",
      "name",
    ]);
  });

  test("a route that does not exist", async () => {
    const { status, body } = await owner.get("/api/v1/nothing");
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: "route.not_found", success: false });
  });

  test.each([
    ["GET", "custom-tools/"],
    ["PATCH", "custom-tools/"],
    ["GET", "custom-tools/?limit=1"],
    ["POST", "custom-tools//execute"],
    ["GET", "custom-tools//versions/1"],
    ["GET", "executions/"],
    ["GET", "config-services/"],
    ["DELETE", "config-services/a/entries/"],
    ["GET", "schedules/"],
    ["GET", "approvals/"],
    ["GET", "tenants/"],
    ["DELETE", "scrub-rules/"],
    ["POST", "meta-tools/create_tool/"],
  ])("[R34] %s %s, which names nothing, is a route that does not exist", async (method, path) => {
    for (const client of [owner, new Client(product.url, null)]) {
      const sent = { "content-type": "application/json" };
      const to = `/api/v1/${path}`;
      const answer = await (method === "GET" ? client.get(to) : client.raw(method, to, "{}", sent));
      expect(answer.status).toBe(404);
      const asked = `${method} /api/v1/${path.split("?")[0]};`;
      expect(answer.body).toMatchObject({
        code: "route.not_found",
        detail: expect.stringContaining(asked),
        meta: { requestId: expect.stringMatching(/^req_/), traceId: expect.any(String) },
      });
    }
  });
});

describe("tools", () => {
  test.each([
    "Upper",
    "1digit",
    "with-dash",
    "",
    "a".repeat(65),
    "ünïcode",
    "stats",
    "create_tool",
    "tool_0123456789abcdef",
    "a\nb",
  ])("[P7] the name %j is refused", async (name) => {
    const { status, body } = await owner.post("/api/v1/custom-tools", tool({ name }));
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe("name");
  });

  test("[E8] a duplicate name", async () => {
    const { status, body } = await owner.post("/api/v1/custom-tools", tool({ name: "echo" }));
    expect(status).toBe(409);
    expect(body.code).toBe("tool.name_taken");
  });

  test("a syntax error is reported with line and column at creation", async () => {
    const code = "const a = 1;\nconst b = a +;\nreturn b;";
    const { status, body } = await owner.post("/api/v1/custom-tools", tool({ code }));
    expect(status).toBe(400);
    expect(body.code).toBe("tool.code_invalid");
    expect(body.errors[0]).toMatchObject({ path: "code" });
    expect(body.errors[0].message).toMatch(/^line 2, column 14: /);
  });

  test.each([
    ["imports", "import fs from 'node:fs'; return 1;"],
    ["closes the function around it", "}); (async () => {"],
    ["holds a NUL character", "return '\0';"],
  ])("code that %s", async (_name, code) => {
    expect((await owner.post("/api/v1/custom-tools", tool({ code }))).status).toBe(400);
  });

  test.each([
    ["is no schema", { type: "objekt" }, 400],
    ["is not for objects", { type: "string" }, 400],
    [
      "refers to another host",
      { type: "object", properties: { a: { $ref: "http://127.0.0.1:1/schema" } } },
      400,
    ],
    ["has a broken pattern", { type: "object", properties: { a: { type: "string", pattern: "(" } } }, 400],
    ["is too deep", { type: "object", ...nested(40) }, 400],
    ["is too large", { type: "object", description: "x".repeat(200_000) }, 400],
  ])("a JSON Schema that %s", async (_name, parameters, status) => {
    const answer = await owner.post("/api/v1/custom-tools", tool({ parameters }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.code).toBe("tool.schema_invalid");
    expect(answer.body.errors[0].path).toMatch(/^parameters/);
  });
});

function nested(depth: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { properties: { a: schema } };
  return schema;
}

describe("calls", () => {
  test("of an unknown tool", async () => {
    const { status, body } = await owner.post("/api/v1/custom-tools/nobody/execute", {});
    expect(status).toBe(404);
    expect(body.code).toBe("tool.not_found");
  });

  test("[E16, T6] of a disabled tool, from the moment of the answer on", async () => {
    await createTool(owner, "switched", "return 1;");
    expect((await owner.post("/api/v1/custom-tools/switched/execute")).status).toBe(200);
    await owner.post("/api/v1/custom-tools/switched/disable");
    const { status, body } = await owner.post("/api/v1/custom-tools/switched/execute");
    expect(status).toBe(400);
    expect(body.code).toBe("tool.not_active");
    await owner.post("/api/v1/custom-tools/switched/enable");
    expect((await owner.post("/api/v1/custom-tools/switched/execute")).status).toBe(200);
  });

  test("with arguments that break the schema name each fault's path", async () => {
    const args = { city: "x", when: "yesterday", items: [{ id: 1 }, {}], other: 1 };
    const { status, body } = await owner.post("/api/v1/custom-tools/echo/execute", { arguments: args });
    expect(status).toBe(400);
    expect(body.code).toBe("tool.arguments_invalid");
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "arguments.city",
      "arguments.items.1.id",
      "arguments.other",
      "arguments.when",
    ]);
    const { data } = (await owner.get("/api/v1/executions?tool=echo&limit=200")).body;
    expect(JSON.stringify(data)).not.toContain("yesterday");
  });

  test.each([
    ["a mode that there is none", { mode: "later" }, "mode"],
    ["an unknown field of the context", { context: { password: "x" } }, "context.password"],
    ["a timeout of nothing", { timeoutMs: 0 }, "timeoutMs"],
    ["arguments that are no object", { arguments: [1] }, "arguments"],
  ])("with %s", async (_name, request, path) => {
    const { status, body } = await owner.post("/api/v1/custom-tools/echo/execute", request);
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
  });

  test("[R19] an execution that has ended can't be cancelled", async () => {
    const { body } = await owner.post("/api/v1/custom-tools/echo/execute", { arguments: { city: "Bern" } });
    const cancelled = await owner.post(`/api/v1/executions/${body.data.executionId}/cancel`);
    expect(cancelled.status).toBe(409);
    expect(cancelled.body.code).toBe("execution.already_ended");
  });
});
