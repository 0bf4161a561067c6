import {
  EXPORT_KINDS,
  type AuditLog,
  type Clock,
  type ExportKind,
  type Principal,
  type StreamedFile,
  type Tenant,
  type TenantExportStore,
  type TenantStore,
} from "@bulkhead/core";
import { setImmediate } from "node:timers/promises";
import { requirePresent } from "./deletion-progress.ts";
import { EXPORT_README } from "./export-readme.ts";
import { requireAction } from "./roles.ts";

export interface ExportDeps {
  tenants: Pick<TenantStore, "find">;
  tenantExports: TenantExportStore;
  /** The events of a piece of a kept log, one line of JSON each. */
  unpackLog: (packed: Uint8Array) => Promise<string>;
  audit: Pick<AuditLog, "record">;
  clock: Clock;
}

/** The archive's format; it rises when readers of the former one could not read it. */
const EXPORT_FORMAT = 1;

/**
 * Everything of a tenant as files: tenant.json, one file of lines for each kind, and the manifest at the end. Nothing is
 * read before it is pulled, and nothing given out before it is recorded that somebody exports it. For the administrator, and for an owner of the tenant; another's is answered as missing.
 * Throws `tenant.not_found`, `tenant.deleting`.
 */
export async function exportTenant(
  deps: ExportDeps,
  principal: Principal,
  tenantId: string,
): Promise<{ tenant: Tenant; files: StreamedFile[] }> {
  requireAction(principal, "tenants.export");
  const mayLook = principal.role === "admin" || principal.tenantId === tenantId;
  const tenant = requirePresent(mayLook ? await deps.tenants.find(tenantId) : null);
  const startedAt = deps.clock();
  const counts: { file: string; lines: number }[] = [];
  const kinds = EXPORT_KINDS.map((kind) => {
    const path = `${kind}.ndjson`;
    return { path, text: () => counted(linesOf(deps, tenantId, kind), path, counts) };
  });
  const manifest = async () => {
    // Rows that changed during the export may be missing; an archive without this file is incomplete.
    const { id, slug } = requirePresent(await deps.tenants.find(tenantId));
    const finishedAt = deps.clock();
    return pretty({ format: EXPORT_FORMAT, tenant: { id, slug }, startedAt, finishedAt, files: counts });
  };
  const files = [
    { path: "tenant.json", text: () => once(() => begun(deps, principal, tenant)) },
    ...kinds,
    { path: "README.md", text: () => once(() => EXPORT_README) },
    { path: "manifest.json", text: () => once(manifest) },
  ];
  return { tenant, files };
}

async function begun({ audit }: Pick<ExportDeps, "audit">, principal: Principal, tenant: Tenant) {
  const { id, slug: name } = tenant;
  await audit.record(principal, id, { action: "tenant.exported", id, name });
  return pretty(tenant);
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function* once(text: () => string | Promise<string>): AsyncGenerator<string, void, undefined> {
  yield await text();
}

/** Texts of whole lines; their number is added to the counts after the last one. */
async function* counted(
  texts: AsyncIterable<readonly string[]>,
  file: string,
  counts: { file: string; lines: number }[],
): AsyncGenerator<string, void, undefined> {
  let lines = 0;
  for await (const page of texts) {
    lines += page.length;
    for (const text of joined(page)) yield text;
  }
  counts.push({ file, lines });
}

/** Characters that are handed on at once; a longer line goes alone. */
const TEXT_CHARS = 64 * 1024;

function* joined(lines: readonly string[]): Generator<string, void, undefined> {
  let text = "";
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < TEXT_CHARS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

async function* linesOf(
  deps: ExportDeps,
  tenantId: string,
  kind: ExportKind,
): AsyncGenerator<readonly string[], void, undefined> {
  let after: string | null = null;
  do {
    // Other requests have their turn before each page.
    await setImmediate();
    const page: Page =
      kind === "execution-logs"
        ? await logPage(deps, tenantId, after)
        : await deps.tenantExports.page(tenantId, kind, after);
    yield page.lines;
    after = page.next;
  } while (after !== null);
}

type Page = Awaited<ReturnType<TenantExportStore["page"]>>;

async function logPage(deps: ExportDeps, tenantId: string, after: string | null): Promise<Page> {
  const { pieces, next } = await deps.tenantExports.logPieces(tenantId, after);
  const lines: string[] = [];
  for (const packed of pieces) lines.push(...(await deps.unpackLog(packed)).split("\n"));
  return { lines: lines.filter((line) => line !== ""), next };
}
