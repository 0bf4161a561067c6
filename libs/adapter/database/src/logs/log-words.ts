import { allOf } from "../tools/search-query.ts";

/** Characters of a tenant's id, which ends in random ones, that stand before each word of its logs in the index. */
const MARK_CHARS = 6;

/**
 * Words of a tenant's logs as the index has them: each behind a mark of the tenant's, so that neither a word nor the beginning
 * of one reads what other tenants have of it. Should two tenants share a mark, the log's own tenant decides.
 */
export const indexed = (tenantId: string, words: readonly string[]): string[] =>
  words.map((word) => `${tenantId.slice(-MARK_CHARS)}@${word}`);

/** A query for the logs of a tenant that have all these words, the last one also as the beginning of a longer word. */
export const logQuery = (tenantId: string, words: readonly string[]): string =>
  allOf(indexed(tenantId, words));
