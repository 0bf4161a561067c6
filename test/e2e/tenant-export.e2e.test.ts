import { randomBytes } from "node:crypto";
import { sharedProduct } from "@bulkhead/testing";
import { toolArchive } from "@bulkhead/tools/packages";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const product = await sharedProduct();
const admin = new Client(product.url, product.adminKey);
const SECRET = randomBytes(24).toString("base64");
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  await createTool(owner, "says", 'console.log("heard"); return { got: args.n };');
  const service = { name: "weather", multiEntry: true, allowedHosts: ["api.example.com"] };
  expect((await owner.post("/api/v1/config-services", service)).status).toBe(201);
  const data = { api_key: SECRET, base_url: "https://api.example.com" };
  const entry = await owner.post("/api/v1/config-services/weather/entries", { label: "main", data });
  expect(entry.status, JSON.stringify(entry.body)).toBe(201);
  const ran = await owner.post("/api/v1/custom-tools/says/execute", {
    arguments: { n: 7 },
    callback: { url: "https://hooks.invalid/a", secret: `whsec_${SECRET}` },
  });
  expect(ran.body.data?.result, JSON.stringify(ran.body)).toEqual({ got: 7 });
});

const pathOf = (id: string) => `/api/v1/tenants/${id}/export`;

/** Files of the archive by their path. */
async function exportedBy({ key }: Client): Promise<Record<string, string>> {
  const response = await fetch(product.url + pathOf(tenantId), {
    headers: { authorization: `Bearer ${key}` },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  const files = toolArchive.read(Buffer.from(await response.arrayBuffer()));
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
}
const linesOf = (text = "") =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("an owner and the administrator get everything of the tenant, without its secrets", async () => {
  for (const client of [owner, admin]) {
    const files = await exportedBy(client);
    expect(JSON.parse(files["tenant.json"] ?? "")).toMatchObject({ id: tenantId });
    expect(linesOf(files["tools.ndjson"])).toMatchObject([{ name: "says", version: 1 }]);
    expect(linesOf(files["tool-versions.ndjson"])).toMatchObject([{ version: 1, language: "javascript" }]);
    expect(linesOf(files["executions.ndjson"])).toMatchObject([
      { status: "succeeded", arguments: { n: 7 }, result: { got: 7 } },
    ]);
    expect(linesOf(files["config-entries.ndjson"])).toMatchObject([
      { service: "weather", label: "main", secretFields: ["api_key"] },
    ]);
    expect(linesOf(files["audit.ndjson"]).map(({ action }) => action)).toContain("tool.created");
    const manifest = JSON.parse(files["manifest.json"] ?? "");
    for (const { file, lines } of manifest.files) expect(linesOf(files[file]), file).toHaveLength(lines);
    const whole = Object.values(files).join("\n");
    expect(whole).not.toContain(SECRET);
    expect(whole).not.toContain(owner.key);
  }
});

test("nobody else gets any of it", async () => {
  const { owner: other } = await newTenant(product);
  const developer = await newClient(product, tenantId, "developer");
  expect((await other.get(pathOf(tenantId))).body).toMatchObject({ code: "tenant.not_found" });
  expect((await developer.get(pathOf(tenantId))).body).toMatchObject({ code: "auth.forbidden" });
  expect((await admin.get(pathOf("ten_0000000000000000"))).body).toMatchObject({ code: "tenant.not_found" });
});
