import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let tenantId = "";

beforeAll(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const change = (name: string, body: object) => owner.patch(`${TOOLS}/${name}`, body);
const run = (name: string, body: object = {}) => owner.post(`${TOOLS}/${name}/execute`, body);
const versionsOf = async (name: string, query = "") =>
  (await owner.get(`${TOOLS}/${name}/versions${query}`)).body.data;

describe("a tool's versions", () => {
  test("rise with every change that affects a run and with no other", async () => {
    const { contentHash } = await createTool(owner, "counted", "return 1;");
    const steps = [
      [{ description: "other", category: "c", metadata: { a: 1 }, idempotent: true }, 1],
      [
        { retry: { attempts: 2 }, dispatch: { perSecond: 9 }, retention: { events: 3 }, applyDefaults: true },
        1,
      ],
      [{ code: "return 1;", permissions: [], limits: { cpuMs: 5_000 }, language: "javascript" }, 1],
      [{ code: "return 2;" }, 2],
      [{ parameters: { type: "object", properties: { a: {} } } }, 3],
      [{ outputSchema: { type: "number" } }, 4],
      [{ permissions: ["network"] }, 5],
      [{ allowedHosts: [] }, 6],
      [{ limits: { cpuMs: 100 } }, 7],
      [{ language: "typescript" }, 8],
      [{ outputSchema: null }, 9],
      [{ requiredApiKeys: [{ name: "k" }] }, 10],
      [{ requiredConfigServices: [{ name: "k" }] }, 10],
    ] as const;
    const hashes = new Set([contentHash]);
    for (const [body, version] of steps) {
      const changed = (await change("counted", body)).body.data;
      expect(changed.version, JSON.stringify(body)).toBe(version);
      hashes.add(changed.contentHash);
    }
    expect(hashes.size).toBe(10);
  });

  test("do not differ by the order of permissions, whoever made them", async () => {
    const permissions = ["network", "email", "shell"];
    const { contentHash } = await createTool(owner, "permitted", "return 1;", { permissions });
    expect((await change("permitted", { permissions })).body.data.version).toBe(1);
    await change("permitted", { code: "return 2;" });
    const back = (await change("permitted", { code: "return 1;" })).body.data;
    expect([back.version, back.contentHash]).toEqual([3, contentHash]);
  });

  test("[R5] are all kept as they were, newest first, by pages", async () => {
    await createTool(owner, "kept", "return 1;", { outputSchema: { type: "number" } });
    for (const n of [2, 3, 4, 5]) await change("kept", { code: `return ${n};`, limits: { cpuMs: n * 100 } });
    const first = await versionsOf("kept", "?limit=2");
    expect(first.versions).toMatchObject([
      { version: 5, serving: true, limits: { cpuMs: 500 }, language: "javascript" },
      { version: 4, serving: false },
    ]);
    expect(first.versions[0]).not.toHaveProperty("code");
    const second = await versionsOf("kept", `?limit=2&cursor=${first.nextCursor}`);
    const last = await versionsOf("kept", `?limit=2&cursor=${second.nextCursor}`);
    expect(
      [second, last].map(({ versions }) => versions.map((one: { version: number }) => one.version)),
    ).toEqual([[3, 2], [1]]);
    expect(last.nextCursor).toBeNull();
    const { body } = await owner.get(`${TOOLS}/kept/versions/1`);
    expect(body.data).toMatchObject({
      version: 1,
      serving: false,
      code: "return 1;",
      outputSchema: { type: "number" },
      contentHash: last.versions[0].contentHash,
    });
  });

  test("[R6] are compared field by field and line by line", async () => {
    await createTool(owner, "compared", "const a = 1;\nreturn a;");
    await change("compared", {
      code: "const a = 2;\nreturn a;",
      limits: { cpuMs: 70 },
      permissions: ["network"],
    });
    await change("compared", { code: "const a = 1;\nreturn a;", limits: { cpuMs: 5_000 }, permissions: [] });
    const diff = async (path: string) => (await owner.get(`${TOOLS}/compared/versions/${path}`)).body.data;
    expect(await diff("2/diff?against=1")).toEqual({
      from: 1,
      to: 2,
      identical: false,
      changes: [
        { field: "permissions", before: [], after: ["network"] },
        { field: "limits.cpuMs", before: 5_000, after: 70 },
      ],
      code: {
        unified: "@@ -1,2 +1,2 @@\n-const a = 1;\n+const a = 2;\n return a;\n",
        added: 1,
        removed: 1,
        exact: true,
      },
    });
    expect(await diff("1/diff")).toEqual({ from: 1, to: 1, identical: true, changes: [] });
    expect(await diff("3/diff")).toMatchObject({ from: 2, to: 3, identical: false });
  });

  test("[R7] can be restored, as a new version; restoring what serves changes nothing", async () => {
    await createTool(owner, "restored", "return 'first';", { description: "stays" });
    await change("restored", { code: "return 'second';", description: "newer" });
    const restored = await owner.post(`${TOOLS}/restored/versions/1/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body.data).toMatchObject({ version: 3, code: "return 'first';", description: "newer" });
    const again = await owner.post(`${TOOLS}/restored/versions/1/restore`);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(restored.body.data);
    expect(again.headers.get("etag")).toBe(restored.headers.get("etag"));
    expect((await run("restored")).body.data.result).toBe("first");
  });

  test("that do not exist, or are another tenant's, are answered alike", async () => {
    await createTool(owner, "lonely", "return 1;");
    const { owner: stranger } = await newTenant(product);
    for (const path of [
      "versions/2",
      "versions/2/diff",
      "versions/1/diff?against=2",
      "versions/2147483647",
    ]) {
      const { status, body } = await owner.get(`${TOOLS}/lonely/${path}`);
      expect([status, body.code], path).toEqual([404, "tool.version_not_found"]);
    }
    expect((await owner.post(`${TOOLS}/lonely/versions/2/restore`)).body.code).toBe("tool.version_not_found");
    for (const path of ["versions", "versions/1", "versions/1/diff"]) {
      const { status, body } = await stranger.get(`${TOOLS}/lonely/${path}`);
      expect([status, body.code], path).toEqual([404, "tool.not_found"]);
    }
    for (const path of [
      "versions/0",
      "versions/x",
      "versions/1.5",
      "versions/2147483648",
      "versions?cursor=x",
    ])
      expect((await owner.get(`${TOOLS}/lonely/${path}`)).status, path).toBe(400);
  });

  test("are restored by those who may write tools only", async () => {
    await createTool(owner, "guarded", "return 1;");
    const viewer = await newClient(product, tenantId, "viewer");
    expect((await viewer.get(`${TOOLS}/guarded/versions`)).status).toBe(200);
    expect((await viewer.post(`${TOOLS}/guarded/versions/1/restore`)).status).toBe(403);
  });
});

describe("a call that names a version", () => {
  beforeAll(async () => {
    const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    await createTool(owner, "pinned", "return ['old', args.n];", { parameters });
    await change("pinned", { code: "return ['new'];", parameters: { type: "object" } });
  });

  test("runs exactly that one, with arguments by its schema, and the execution shows it", async () => {
    const old = (await run("pinned", { arguments: { n: 1 }, version: 1 })).body.data;
    expect(old.result).toEqual(["old", 1]);
    const execution = (await owner.get(`/api/v1/executions/${old.executionId}`)).body.data;
    expect(execution.toolVersion).toBe(1);
    const refused = await run("pinned", { version: 1 });
    expect([refused.status, refused.body.code]).toEqual([400, "tool.arguments_invalid"]);
    expect((await run("pinned", { version: 2 })).body.data.result).toEqual(["new"]);
    expect((await run("pinned")).body.data.result).toEqual(["new"]);
  });

  test("is refused where the tool has none such", async () => {
    const { status, body } = await run("pinned", { version: 3 });
    expect([status, body.code]).toEqual([404, "tool.version_not_found"]);
    for (const version of [0, -1, 1.5, "1", null])
      expect((await run("pinned", { version })).status).toBe(400);
  });

  test("may stand among others in a batch, each with its own answer", async () => {
    const items = [
      { tool: "pinned", version: 1, arguments: { n: 7 } },
      { tool: "pinned" },
      { tool: "pinned", version: 9 },
      { tool: "pinned", version: 1 },
    ];
    const { body } = await owner.post("/api/v1/executions/batch", { executions: items });
    const [old, current, missing, invalid] = body.data.executions;
    expect([missing.error.code, invalid.error.code]).toEqual([
      "tool.version_not_found",
      "tool.arguments_invalid",
    ]);
    const versionOf = async ({ executionId }: { executionId: string }) =>
      (await owner.get(`/api/v1/executions/${executionId}`)).body.data.toolVersion;
    expect([await versionOf(old), await versionOf(current)]).toEqual([1, 2]);
  });

  test("is refused while the tool is not active, whatever the version", async () => {
    await owner.post(`${TOOLS}/pinned/disable`);
    const { status, body } = await run("pinned", { arguments: { n: 1 }, version: 1 });
    expect([status, body.code]).toEqual([400, "tool.not_active"]);
    await owner.post(`${TOOLS}/pinned/enable`);
  });
});

test("null gives all limits their defaults back, the tenant's ceilings first", async () => {
  const limited = { limits: { cpuMs: 70, memoryMib: 20 } };
  const { limits } = await createTool(owner, "limited", "return 1;", limited);
  const { limits: defaults } = await createTool(owner, "unlimited", "return 1;");
  expect(limits).toEqual({ ...defaults, ...limited.limits });
  const { status, body } = await change("limited", { limits: null });
  expect([status, body.data.limits, body.data.version]).toEqual([200, defaults, 2]);
  const { id, owner: bounded } = await newTenant(product);
  await new Client(product.url, product.adminKey).patch(`/api/v1/tenants/${id}`, { limits: { cpuMs: 100 } });
  await createTool(bounded, "bounded", "return 1;", { limits: { cpuMs: 70 } });
  const answer = await bounded.patch(`${TOOLS}/bounded`, { limits: null });
  expect(answer.body.data.limits).toEqual({ ...defaults, cpuMs: 100 });
});
