import { sharedProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { OPERATION_IDS } from "../../apps/api/src/edge/operation-ids.ts";
import { Client, newTenant } from "../support/client.ts";
import { ROUTES } from "./documented-routes.ts";

const product = await sharedProduct();
const stranger = new Client(product.url, null);
/** Who has a key. */
const { owner } = await newTenant(product);

test("[R31] OpenAPI 3.1 describes every route, its problems and its streams", async () => {
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

test("[R31] the reference says who may do what, what each field and answer means, and nothing that nothing needs", async () => {
  const { body } = await stranger.get("/docs/json");
  expect(body.servers).toEqual([{ url: "/" }]);
  for (const route of ROUTES.filter((one) => one.includes("/api/"))) {
    const [method = "", path = ""] = route.split(" ");
    const { description, responses, requestBody } = body.paths[path][method.toLowerCase()];
    expect(description, route).toMatch(/^For keys with the role /);
    const said = Object.values<{ description: string }>(responses).map((answer) => answer.description);
    expect(said, route).not.toContain("Default Response");
    expect(undescribedIn(requestBody?.content["application/json"]?.schema, route)).toEqual([]);
  }
  const unsaid = operationsOf(body).flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
  );
  expect(unsaid).toEqual([]);
  const all = JSON.stringify(body);
  const unused = Object.keys(body.components.schemas).filter((name) => !all.includes(`schemas/${name}"`));
  expect(unused).toEqual([]);
  const { 204: noMore } = body.paths["/api/v1/executions/{id}/events"].get.responses;
  expect(noMore).toEqual({ description: expect.any(String) });
  const { schema, example } = body.paths["/api/v1/custom-tools"].post.requestBody.content["application/json"];
  expect(example ?? schema.examples?.[0]).toMatchObject({ name: "fetch_weather" });
});

test("[R31] each operation has a name of its own, which is in the table of names and nothing else is", async () => {
  const { body } = await stranger.get("/docs/json");
  // Whoever generates a client leaves the protocol of /mcp to a client of its own.
  const { "/mcp": ofProtocol, ...paths } = body.paths;
  const ids = operationsOf({ paths }).map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(Object.values(OPERATION_IDS).toSorted());
  expect(new Set(ids).size).toBe(ROUTES.filter((route) => !route.endsWith(" /mcp")).length);
  expect(JSON.stringify(ofProtocol)).not.toContain("operationId");
});

test("[R31] no body may be null, which is refused everywhere", async () => {
  const { body } = await stranger.get("/docs/json");
  const bodies = operationsOf(body).flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content["application/json"]?.schema;
    return schema ? [{ operationId, text: JSON.stringify([schema.type, schema.anyOf, schema.oneOf]) }] : [];
  });
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.filter(({ text }) => text.includes('"null"'))).toEqual([]);
  const { body: refused } = await owner.post("/api/v1/approvals/x/deny", null);
  expect(refused).toMatchObject({ status: 400, errors: [{ path: "", message: "must not be null" }] });
});

test("[R31] a zip is bytes, in an import as in an export", async () => {
  const { body } = await stranger.get("/docs/json");
  const binary = { schema: expect.objectContaining({ type: "string", format: "binary" }) };
  const { post } = body.paths["/api/v1/custom-tools/import"];
  const { get } = body.paths["/api/v1/custom-tools/export"];
  expect(post.requestBody.content).toEqual({
    "application/json": { schema: expect.objectContaining({ type: "object" }) },
    "application/zip": binary,
    "application/x-zip-compressed": binary,
  });
  expect(get.responses["200"].content["application/zip"]).toEqual(binary);
});

/** Nobody can read what they made again. */
const TOLD_ONCE = ["createAccessToken", "createLoginCode", "createPairingCode", "pairDevice"];

test("[R31] answers name the headers that they carry, each described once", async () => {
  const { body } = await stranger.get("/docs/json");
  const operations = operationsOf(body);
  const quotas = ["RateLimit", "RateLimit-Policy"];
  for (const { operationId, responses, path } of operations.filter((one) => one.path.includes("/api/"))) {
    const headers = (status: string) => Object.keys(responses[status]?.headers ?? {});
    if ("201" in responses && !TOLD_ONCE.includes(operationId))
      expect([operationId, headers("201")]).toEqual([
        operationId,
        expect.arrayContaining(["Location", ...quotas]),
      ]);
    if ("200" in responses) expect([path, headers("200")]).toEqual([path, expect.arrayContaining(quotas)]);
    expect([operationId, headers("429")]).toEqual([operationId, ["Retry-After", ...quotas]]);
    expect(headers("default")).toEqual(["Retry-After", "WWW-Authenticate", ...quotas]);
  }
  const tagged = operations.filter(({ responses }) =>
    Object.values(responses).some(({ headers = {} }) => "ETag" in headers),
  );
  expect(tagged.map(({ operationId }) => operationId).toSorted()).toEqual([
    "approveTool",
    "approveVersion",
    "createConfigEntry",
    "createConfigService",
    "createTool",
    "disableTool",
    "enableTool",
    "getConfigService",
    "getData",
    "getFile",
    "getPolicy",
    "getTool",
    "getToolGlobals",
    "getToolTypes",
    "listConfigEntries",
    "listToolTypes",
    "putData",
    "putFile",
    "putPolicy",
    "putTool",
    "rejectTool",
    "rejectVersion",
    "restoreVersion",
    "updateConfigEntry",
    "updateConfigService",
    "updateTool",
  ]);
  expect(body.components.headers["Retry-After"]).toEqual({
    description: expect.any(String),
    schema: { type: "integer" },
  });
  const all = JSON.stringify(body);
  const unused = Object.keys(body.components.headers).filter((name) => !all.includes(`headers/${name}"`));
  expect(unused).toEqual([]);
  expect(Object.keys(body.paths["/readyz"].get.responses["503"].headers)).toEqual(["Retry-After"]);
});

interface Operation {
  path: string;
  operationId: string;
  parameters?: { name: string; description?: string }[];
  responses: Record<string, { headers?: object }>;
  requestBody?: {
    content: Record<string, { schema?: { type?: unknown; anyOf?: unknown; oneOf?: unknown } }>;
  };
}

const operationsOf = (document: { paths: Record<string, Record<string, Operation>> }): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );

interface Described {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
}

/** Paths of the properties that no sentence describes. */
function undescribedIn(schema: Described | undefined, path: string): string[] {
  const entries = Object.entries(schema?.properties ?? {});
  const bare = entries.filter(([, property]) => !property.description).map(([name]) => `${path} ${name}`);
  const below = entries.flatMap(([name, property]) => undescribedIn(property, `${path} ${name}`));
  return [...bare, ...below, ...(schema?.items ? undescribedIn(schema.items, path) : [])];
}

test("the reference for people is served from here", async () => {
  const { status, body } = await stranger.get("/docs");
  expect(status).toBe(200);
  expect(body).toContain("<html");
  expect(body).not.toMatch(/(src|href)="https?:/);
});

test.each([
  ["a path that can't be decoded", "/api/v1/custom-tools/%zz", "url"],
  ["a part of a path that is too long", `/api/v1/custom-tools/${"x".repeat(300)}`, "id"],
  ["a part of a path as long as a request may have one", `/api/v1/custom-tools/${"x".repeat(15_000)}`, "id"],
])("%s is answered as a problem that names it", async (_name, path, named) => {
  const answer = await owner.get(path);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toContain("application/problem+json");
  expect(answer.body).toMatchObject({ success: false, code: "request.invalid", errors: [{ path: named }] });
});
