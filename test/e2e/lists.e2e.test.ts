import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Answer, type Client } from "../support/client.ts";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
});

/** Routes whose answer holds arrays, and is no list of things. */
const NO_LISTS = [
  // Definitions for a model go as a whole into its request.
  "/api/v1/custom-tools/active/definitions",
  "/api/v1/meta-tools/definitions",
  // At most 500 buckets.
  "/api/v1/executions/stats",
  // Categories with their counts, when they are asked for.
  "/api/v1/custom-tools/stats",
  // One document.
  "/api/v1/policy",
  "/api/v1/system",
  // The busiest hundred at a moment.
  "/api/v1/system/load",
  "/api/v1/webhook-secret",
];

type Schema = Answer["body"];

/** The path of each GET route that lists, with what its `data` holds. */
async function documentedLists(): Promise<[string, Schema][]> {
  const { body } = await owner.get("/docs/json");
  const resolved = (schema: Schema): Schema =>
    schema?.$ref ? body.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  return Object.entries<Schema>(body.paths).flatMap(([path, { get }]): [string, Schema][] => {
    const data = resolved(get?.responses["200"]?.content?.["application/json"]?.schema)?.properties?.data;
    const properties = resolved(data)?.properties ?? {};
    const holdsList = Object.values<Schema>(properties).some(({ type }) => type === "array");
    const isOne = path.endsWith("}") || /\/(diff|evidence|settings)$/.test(path);
    return holdsList && !isOne && !NO_LISTS.includes(path) ? [[path, resolved(data)]] : [];
  });
}

test("[R31] the reference has nextCursor in each list, and always", async () => {
  const lists = await documentedLists();
  expect(lists.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      "/api/v1/custom-tools",
      "/api/v1/executions/{id}/attempts",
      "/api/v1/executions/{id}/deliveries",
      "/api/v1/config-services/{name}/entries",
      "/api/v1/scrub-rules",
      "/api/v1/tenants/{id}/api-keys",
      "/api/v1/audit",
    ]),
  );
  const without = lists.filter(([, { required = [] }]) => !required.includes("nextCursor"));
  expect(without.map(([path]) => path)).toEqual([]);
});

test("lists that are always whole say so: their nextCursor is null", async () => {
  await createTool(owner, "once", "return 1;");
  const ran = await owner.post("/api/v1/custom-tools/once/execute");
  const execution = `/api/v1/executions/${ran.body.data.executionId}`;
  await owner.post("/api/v1/config-services", { name: "empty" });
  const lists = {
    [`${execution}/attempts`]: { attempts: [{}] },
    [`${execution}/deliveries`]: { deliveries: [] },
    "/api/v1/config-services/empty/entries": { entries: [] },
    "/api/v1/scrub-rules": { rules: [], counts: [] },
    [`/api/v1/tenants/${tenantId}/api-keys`]: { apiKeys: [{}] },
  };
  for (const [path, held] of Object.entries(lists)) {
    const { status, body } = await owner.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect([path, body.data]).toMatchObject([path, { ...held, nextCursor: null }]);
  }
});
