/** What a document has beside its value. */
interface DocumentFacts {
  id: string;
  /** Rises with every change, from 1 on; for `ifVersion`. */
  version: number;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** From then on it is gone; null: it stays. */
  expiresAt: string | null;
}
interface DataDocument<Value = any> extends DocumentFacts {
  value: Value;
}

/** With what a field is compared; all that is said has to hold. */
interface DataComparison {
  eq?: unknown;
  ne?: unknown;
  in?: (string | number | boolean | null)[];
  /** A number is compared with numbers alone, a text with texts. */
  gt?: number | string;
  gte?: number | string;
  lt?: number | string;
  lte?: number | string;
  /** A list has this. */
  contains?: string | number | boolean | null;
  startsWith?: string;
  exists?: boolean;
}
/**
 * By fields of the value, such as `{ status: "open", "address.city": "Oslo", age: { gte: 3 } }`; `$id`, `$createdAt` and
 * `$updatedAt` are the document's own.
 */
type DataWhere = Record<string, string | number | boolean | null | unknown[] | DataComparison>;

/**
 * JSON documents that are kept between runs, by collection. A collection is that of the agent and the user
 * (`context.userId`) for whom the tool runs, unless the tenant's settings share it. A refusal rejects with an Error whose
 * `code` is `conflict`, `invalid_request`, `capability_denied` or `capability_limit`; a run may ask 1,000 times.
 */
export interface ToolData {
  /** Null where there is none. */
  get<Value = any>(id: string): Promise<DataDocument<Value> | null>;
  /** The whole document; `ifVersion: 0` only if there is none, another only if it has this version. Secrets are covered. */
  put(
    id: string,
    value: unknown,
    options?: { ifVersion?: number; ttlSeconds?: number },
  ): Promise<{ document: DocumentFacts; created: boolean; covered?: boolean }>;
  /**
   * Adds to the number that the document is, or has at `path`, whoever else does so at the same time; `value` is the sum. One that
   * is made by it is kept for `ttlSeconds`.
   */
  increment(
    id: string,
    by?: number,
    options?: { path?: string; ttlSeconds?: number },
  ): Promise<DocumentFacts & { value: number; created: boolean }>;
  /** `orderBy: "age"`, or `"-age"` for the highest first; go on with `cursor` where `nextCursor` is not null. */
  query<Value = any>(options?: {
    where?: DataWhere;
    orderBy?: string;
    limit?: number;
    cursor?: string;
  }): Promise<{ documents: DataDocument<Value>[]; nextCursor: string | null }>;
  count(options?: { where?: DataWhere }): Promise<number>;
  remove(id: string, options?: { ifVersion?: number }): Promise<{ removed: boolean }>;
}
