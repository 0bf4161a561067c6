export type KeyType = "text" | "int" | "timestamptz";

/** The columns of a table that an export has, row by row. Every column of the table stands in one of the lists. */
export interface ExportedTable {
  /** Behind FROM, as `t`. Its rows of tenant $1 are those for which `isOwn` holds. */
  from: string;
  isOwn: string;
  /** The columns by which rows are ordered and told apart. */
  key: readonly (readonly [column: string, type: KeyType])[];
  /** Under their own names, in camelCase. */
  columns: readonly string[];
  times: readonly string[];
  /** By the field's name; `t` is the row. */
  derived?: Readonly<Record<string, string>>;
  /** Columns that stay: the tenant's id, secrets, hashes, what means something inside alone, and what `derived` is made of. */
  left: readonly string[];
  /** Columns that may be large; they bound a page. */
  large: readonly string[];
}

export const words = (text: string): string[] => text.trim().split(/\s+/);
export const ofTenant = { isOwn: "t.tenant_id = $1" };
export const byId = [["id", "text"]] as const;
