import { randomUUID } from "node:crypto";
import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
const admin = new Client(product.url, product.adminKey);
let tenant: { id: string; owner: Client };

beforeAll(async () => {
  tenant = await newTenant(product);
  await createTool(tenant.owner, "scheduled", "return 1;");
  await tenant.owner.post("/api/v1/config-services", { name: "located", multiEntry: true });
  await tenant.owner.post("/api/v1/mcp-servers", { ...SERVER, name: "located" });
});

const TOOL = { description: "d", parameters: { type: "object" }, code: "return 1;" };
const SERVER = { transport: "streamable-http", url: "https://mcp.example.com/" };
const slug = `t-${randomUUID()}`;

/** What each route that creates takes; `{id}` is the tenant's. */
const CREATED: Record<string, object> = {
  "/api/v1/tenants": { slug, name: slug },
  "/api/v1/tenants/{id}/api-keys": { name: "a key", role: "viewer" },
  "/api/v1/custom-tools": { ...TOOL, name: "created" },
  "/api/v1/meta-tools/create_tool": { ...TOOL, name: "created_by_meta_tool" },
  "/api/v1/schedules": { tool: "scheduled", arguments: {}, everyMs: 31_622_400_000 },
  "/api/v1/config-services": { name: "created" },
  "/api/v1/config-services/{name}/entries": { label: "a label", data: { api_key: "k3yThatIsLongEnough" } },
  "/api/v1/mcp-servers": { ...SERVER, name: "created" },
  "/api/v1/mcp-access-requests": { server: "located", id: "an_agent" },
  "/api/v1/scrub-rules": { name: "a-rule", value: "somethingThatIsCovered" },
};

test.each(Object.entries(CREATED))("where POST %s says that it is, it can be read", async (route, body) => {
  const client = route === "/api/v1/tenants" ? admin : tenant.owner;
  const made = await client.post(route.replace("{id}", tenant.id).replace("{name}", "located"), body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const location = made.headers.get("location") ?? "";
  const read = await client.get(location);
  expect({ location, status: read.status }).toEqual({ location, status: 200 });
  // By its id where it has one, which nothing else has.
  const { id, name, label } = made.body.data;
  expect(JSON.stringify(read.body.data)).toContain(JSON.stringify(id ?? label ?? name));
});

test("whether an answer that creates has an ETag is as the reference says", async () => {
  const { body: reference } = await admin.get("/docs/json");
  const made = Object.entries({
    "/api/v1/custom-tools": { ...TOOL, name: "tagged" },
    "/api/v1/config-services": { name: "tagged" },
    "/api/v1/config-services/{name}/entries": { label: "tagged", data: { api_key: "k3yThatIsLongEnough" } },
    "/api/v1/schedules": { tool: "scheduled", everyMs: 31_622_400_000 },
    "/api/v1/scrub-rules": { name: "untagged", value: "somethingElseThatIsCovered" },
  });
  for (const [route, body] of made) {
    const { status, headers } = await tenant.owner.post(route.replace("{name}", "located"), body);
    expect([route, status]).toEqual([route, 201]);
    const told = Object.keys(reference.paths[route].post.responses["201"].headers);
    const carried = told.filter((name) => headers.has(name));
    expect([route, carried, headers.has("etag")]).toEqual([route, told, told.includes("ETag")]);
  }
});

/** It needs a model, which this product has none of: its own test reads what it creates. */
const BY_A_MODEL = "/api/v1/assist/tool";

test("these are all the routes that create", async () => {
  const { body } = await admin.get("/docs/json");
  const creating = Object.entries<Record<string, { responses: Record<string, { headers: object }> }>>(
    body.paths,
  )
    // Nobody can read an access token again, nor a login code.
    .filter(([, { post }]) => "Location" in (post?.responses["201"]?.headers ?? {}))
    .map(([path]) => path);
  expect(creating.toSorted()).toEqual([...Object.keys(CREATED), BY_A_MODEL].toSorted());
});
