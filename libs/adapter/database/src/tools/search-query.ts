import { Prisma } from "../generated/client.ts";

/** Words are letters and digits only, so quotes make one lexeme of each and no operator can be among them. */
const lexeme = (word: string): string => `'${word}'`;

const joined = (words: readonly string[], operator: "&" | "|"): string =>
  [...words.slice(0, -1).map(lexeme), ...words.slice(-1).map((word) => `${lexeme(word)}:*`)].join(
    ` ${operator} `,
  );

const asWritten = (query: string): Prisma.Sql => Prisma.sql`to_tsquery('pg_catalog.simple', ${query})`;
const byStem = (query: string): Prisma.Sql => Prisma.sql`to_tsquery('pg_catalog.english', ${query})`;

/** Each word as it is written or by its English stem; the last one also as the beginning of a longer word. */
export function allWords(words: readonly string[]): Prisma.Sql {
  const query = joined(words, "&");
  return Prisma.sql`(${asWritten(query)} || ${byStem(query)})`;
}

/** By English stems, without the words that every sentence has; only where nothing else is left do those count. */
export function anyWord(words: readonly string[]): Prisma.Sql {
  const query = joined(words, "|");
  return Prisma.sql`(CASE WHEN numnode(${byStem(query)}) > 0 THEN ${byStem(query)} ELSE ${asWritten(query)} END)`;
}

/**
 * Whether tool `t` is the tenant's and holds what is looked for; the tenant is a word of the index too. A query in which
 * nothing is left to look for finds nothing.
 */
export const isFound = (tenantId: string, query: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`t.tenant_id = ${tenantId} AND numnode(${query}) > 0 AND t.search @@ (quote_literal(${tenantId})::tsquery && ${query})`;
