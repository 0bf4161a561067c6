import {
  EXPORT_KINDS,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type ExportPage,
  type Principal,
  type StreamedFile,
  type Tenant,
} from "@bulkhead/core";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exportTenant, type ExportDeps } from "./export-tenant.ts";

const at = new Date("2026-01-31T00:00:00.000Z");
const TENANT: Tenant = {
  id: "ten_1",
  slug: "acme",
  name: "Acme",
  limits: TENANT_LIMITS_DEFAULT,
  settings: TENANT_SETTINGS_DEFAULT,
  createdAt: at,
  updatedAt: at,
};
const ADMIN: Principal = { role: "admin", keyId: "admin" };
const keyOf = (role: "owner" | "developer", tenantId: string): Principal => ({
  role,
  keyId: "key_1",
  tenantId,
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: at,
  approval: TENANT_SETTINGS_DEFAULT.approval,
});

/** Pages of tools by the cursor behind which they begin; all else has one empty page. */
function bench(pages: Record<string, ExportPage> = {}) {
  const asked: string[] = [];
  const deeds: unknown[] = [];
  const deps: ExportDeps = {
    tenants: { find: async (id) => (id === TENANT.id ? TENANT : null) },
    tenantExports: {
      page: async (_tenantId, kind, after) => {
        asked.push(kind);
        return (kind === "tools" && pages[after ?? ""]) || { lines: [], next: null };
      },
      logPieces: async (_tenantId, after) =>
        after === null
          ? { pieces: [Buffer.from("1"), Buffer.from("2")], next: "behind" }
          : { pieces: [], next: null },
    },
    unpackLog: async (packed) => `{"event":${packed.toString()}}\n{"last":${packed.toString()}}`,
    audit: {
      record: async (by, tenantId, ...more) => {
        deeds.push(...more.map(({ action, id }) => [by?.keyId, tenantId, action, id]));
      },
    },
    clock: () => at,
  };
  return { deps, asked, deeds };
}

async function readAll(files: readonly StreamedFile[]): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const file of files) read[file.path] = await text(file.text());
  return read;
}

test("every kind is a file of lines, and what was written is counted last", async () => {
  const long = JSON.stringify("x".repeat(100_000));
  const pages = {
    "": { lines: ["1", long], next: "two" },
    two: { lines: [], next: "three" },
    three: { lines: ["3"], next: null },
  };
  const { files } = await exportTenant(bench(pages).deps, ADMIN, "ten_1");
  expect(files.map(({ path }) => path)).toEqual([
    "tenant.json",
    ...EXPORT_KINDS.map((kind) => `${kind}.ndjson`),
    "README.md",
    "manifest.json",
  ]);
  const read = await readAll(files);
  expect(read["tools.ndjson"]).toBe(`1\n${long}\n3\n`);
  expect(read["execution-logs.ndjson"]).toBe('{"event":1}\n{"last":1}\n{"event":2}\n{"last":2}\n');
  expect(read["audit.ndjson"]).toBe("");
  expect(JSON.parse(read["tenant.json"] ?? "")).toMatchObject({ id: "ten_1", slug: "acme" });
  const manifest = JSON.parse(read["manifest.json"] ?? "");
  expect(manifest).toMatchObject({ format: 1, tenant: { id: "ten_1", slug: "acme" } });
  const counts = Object.fromEntries(
    manifest.files.map(({ file, lines }: { file: string; lines: number }) => [file, lines]),
  );
  expect(counts).toEqual({
    ...Object.fromEntries(EXPORT_KINDS.map((kind) => [`${kind}.ndjson`, 0])),
    "tools.ndjson": 3,
    "execution-logs.ndjson": 4,
  });
});

test("a tenant whose deletion begins meanwhile is not told as whole", async () => {
  const { deps } = bench();
  const { files } = await exportTenant(deps, ADMIN, "ten_1");
  deps.tenants = { find: async () => ({ ...TENANT, deletingAt: at }) };
  await expect(readAll(files)).rejects.toMatchObject({ code: "tenant.deleting" });
  await expect(exportTenant(deps, ADMIN, "ten_1")).rejects.toMatchObject({ code: "tenant.deleting" });
});

test("nothing is read before it is asked for, and then it is recorded first", async () => {
  const { deps, asked, deeds } = bench();
  const { files } = await exportTenant(deps, ADMIN, "ten_1");
  expect([asked, deeds]).toEqual([[], []]);
  await readAll(files.slice(0, 1));
  expect(deeds).toEqual([["admin", "ten_1", "tenant.exported", "ten_1"]]);
  await readAll(files.slice(1, 3));
  expect(asked).toEqual(["api-keys", "tools"]);
});

test.each([
  ["the administrator", ADMIN, "ten_1", null],
  ["an owner of it", keyOf("owner", "ten_1"), "ten_1", null],
  ["an owner of another tenant", keyOf("owner", "ten_2"), "ten_1", "tenant.not_found"],
  ["a developer", keyOf("developer", "ten_1"), "ten_1", "auth.forbidden"],
  ["the administrator, who asks for none", ADMIN, "ten_9", "tenant.not_found"],
])("%s may, or hears why not", async (_who, principal, tenantId, code) => {
  const asked = exportTenant(bench().deps, principal, tenantId);
  if (code === null) expect((await asked).tenant).toBe(TENANT);
  else await expect(asked).rejects.toMatchObject({ code });
});
