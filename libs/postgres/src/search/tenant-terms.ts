/** Characters of a tenant's id, which ends in random ones, that stand before each of its terms in an index. */
const MARK_CHARS = 6;
/** No word has it. */
const MARK_END = "@";
/** Stands before a whole word of a script without blanks, which an index otherwise holds in parts. */
const WHOLE = "=";

/**
 * Stands before each term of a tenant's, so that neither a term nor the beginning of one reads what other tenants have of
 * it. Should two tenants share a mark, the row's own tenant decides.
 */
export const markOf = (tenantId: string): string => `${tenantId.slice(-MARK_CHARS)}${MARK_END}`;

/** Terms as the index has them. */
export const marked = (tenantId: string, terms: readonly string[]): string[] => {
  const mark = markOf(tenantId);
  return terms.map((term) => mark + term);
};

export const wholeTerm = (word: string): string => WHOLE + word;
