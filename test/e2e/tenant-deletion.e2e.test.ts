import { openSse, queryRows, sharedProduct, until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
const admin = new Client(product.url, product.adminKey);

const pathOf = (id: string) => `/api/v1/tenants/${id}`;
const slugOf = async (id: string): Promise<string> => (await admin.get(pathOf(id))).body.data.slug;
const remove = (id: string, slug: string) => admin.delete(`${pathOf(id)}?slug=${encodeURIComponent(slug)}`);

test("a tenant goes with everything it has, from the answer on nothing of it works, and another one is unharmed", async () => {
  const { id, owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
  const { id: otherId, owner: other } = await newTenant(product);
  const slug = await slugOf(id);
  for (const client of [owner, other]) {
    await createTool(client, "long", "await new Promise((done) => setTimeout(done, 25_000)); return 1;");
    await createTool(client, "quick", "return 1;");
    const schedule = { tool: "quick", arguments: {}, everyMs: 3_600_000 };
    expect((await client.post("/api/v1/schedules", schedule)).status).toBe(201);
  }
  const run = (client: Client) =>
    client.post("/api/v1/custom-tools/long/execute", { arguments: {}, mode: "async" });
  const runs = [await run(owner), await run(owner), await run(other)];
  const [first, , theirs] = runs.map(({ body }) => body.data.executionId as string);
  await until(async () => (await owner.get(`/api/v1/executions/${first}`)).body.data.status === "running", {
    what: "the first one runs",
  });
  const stream = await openSse(`${product.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${owner.key}` },
  });

  const wrong = await remove(id, `${slug}x`);
  expect([wrong.status, wrong.body.errors]).toEqual([
    400,
    [{ path: "slug", message: expect.stringContaining("slug") }],
  ]);
  expect((await admin.delete(pathOf(id))).body.errors).toMatchObject([{ path: "slug" }]);
  expect((await owner.get("/api/v1/custom-tools")).status).toBe(200);

  const answers = await Promise.all([remove(id, slug), remove(id, slug)]);
  for (const { status, headers, body } of answers) {
    expect([status, headers.get("location")]).toEqual([202, pathOf(id)]);
    expect(body.data).toMatchObject({ id, slug, status: "deleting", progress: { gone: { apiKeys: 1 } } });
  }
  expect((await owner.get("/api/v1/custom-tools")).status).toBe(401);
  expect((await run(owner)).status).toBe(401);
  // Its key opens nothing any more, so what it had opened is closed.
  await stream.rest();
  const taken = await admin.post("/api/v1/tenants", { slug, name: "again" });
  expect([taken.status, taken.body.code, taken.body.detail]).toEqual([
    409,
    "tenant.slug_taken",
    expect.stringContaining("is being deleted"),
  ]);
  expect((await admin.get(`${pathOf(id)}/export`)).body).toMatchObject({ code: "tenant.deleting" });
  expect((await admin.patch(pathOf(id), { name: "x" })).body).toMatchObject({ code: "tenant.deleting" });

  // As if the time had passed in which a request that was under way may still write.
  const aged = "UPDATE tenants SET deleting_at = deleting_at - interval '1 minute' WHERE id = $1";
  await queryRows(product.databaseUrl, aged, [id]);
  await until(async () => (await admin.get(pathOf(id))).status === 404, {
    what: "the tenant is gone",
    timeoutMs: 60_000,
  });
  expect((await remove(id, slug)).body).toMatchObject({ code: "tenant.not_found" });
  const again = await admin.post("/api/v1/tenants", { slug, name: "again" });
  expect(again.status).toBe(201);
  expect(again.body.data.status).toBe("active");
  const { status: theirStatus } = (await other.get(`/api/v1/executions/${theirs}`)).body.data;
  expect(["running", "succeeded"]).toContain(theirStatus);
  expect((await other.get("/api/v1/schedules")).body.data.schedules).toHaveLength(1);
  const done = await other.post("/api/v1/custom-tools/quick/execute", { arguments: {} });
  expect(done.body.data).toMatchObject({ status: "succeeded", result: 1 });
  expect((await admin.get(pathOf(otherId))).body.data).toMatchObject({ status: "active" });
  const said = await admin.get(`${pathOf(id)}/audit`);
  expect(said.body.data.entries).toMatchObject([
    { action: "tenant.deleted", subject: { type: "tenant", id, name: slug }, actor: { role: "admin" } },
  ]);
}, 120_000);
