/** Every kind of thing that an export of a tenant holds, in the archive's order; each is one file of lines of JSON. */
export const EXPORT_KINDS = [
  "api-keys",
  "tools",
  "tool-versions",
  "version-dry-runs",
  "approved-capabilities",
  "standing-approvals",
  "meta-tool-approvals",
  "config-services",
  "config-entries",
  "scrub-rules",
  "scrub-counts",
  "files",
  "file-versions",
  "file-chunks",
  "data-collections",
  "data-documents",
  "policy",
  "mcp-servers",
  "mcp-grants",
  "mcp-access-requests",
  "schedules",
  "devices",
  "executions",
  "execution-attempts",
  "execution-logs",
  "deliveries",
  "idempotency-keys",
  "usage",
  "audit",
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export interface ExportPage {
  /** JSON, one line each. */
  lines: string[];
  /** The start of the next page; null: there is none. */
  next: string | null;
}

/** All data of a tenant without its secrets: no value of a secret, no key and no hash of one ever leaves. */
export interface TenantExportStore {
  /**
   * The page of this kind behind `after` (null: the first), by an order in which nothing comes twice. Few enough rows and bytes
   * that one page takes the database milliseconds and this process some megabytes.
   */
  page(
    tenantId: string,
    kind: Exclude<ExportKind, "execution-logs">,
    after: string | null,
  ): Promise<ExportPage>;
  /** The pieces of kept logs behind `after`, each still packed. */
  logPieces(tenantId: string, after: string | null): Promise<{ pieces: Uint8Array[]; next: string | null }>;
}

/** One file of an archive that is written while it is read. */
export interface StreamedFile {
  path: string;
  /** Asked for when all files before it are written, and never faster than the archive is taken. */
  text: () => AsyncIterable<string>;
}
