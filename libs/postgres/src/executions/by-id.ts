/**
 * Compares in words that no index knows: for statements that find their rows by id and keep a plan that was made while the
 * tables were small. By `=` such a plan takes the index of a tenant's rows, or of all that run, which is then read whole.
 */
export const is = (column: string, value: string): string => `${column} IS NOT DISTINCT FROM ${value}`;

/**
 * That an execution `e` is one of the batch's, whose ids are `$1`, in order: the bounds leave the partitions out that hold
 * none of them before anything of those is opened.
 */
export const IN_BATCH = "e.id = ANY($1) AND e.id BETWEEN ($1)[1] AND ($1)[cardinality($1)]";
