import { Prisma } from "../generated/client.ts";

/** Words are letters and digits only, so quotes make one lexeme of each and no operator can be among them. */
const lexeme = (word: string): string => `'${word}'`;

const joined = (words: readonly string[], operator: "&" | "|"): string =>
  [...words.slice(0, -1).map(lexeme), ...words.slice(-1).map((word) => `${lexeme(word)}:*`)].join(
    ` ${operator} `,
  );

/** A query for all these words, the last one also as the beginning of a longer word. */
export const allOf = (words: readonly string[]): string => joined(words, "&");

const asWritten = (query: string): Prisma.Sql => Prisma.sql`to_tsquery('pg_catalog.simple', ${query})`;
const byStem = (query: string): Prisma.Sql => Prisma.sql`to_tsquery('pg_catalog.english', ${query})`;

/** Each word as it is written or by its English stem; the last one also as the beginning of a longer word. */
function allWords(words: readonly string[]): Prisma.Sql {
  const query = allOf(words);
  return Prisma.sql`(${asWritten(query)} || ${byStem(query)})`;
}

/** By English stems, without the words that every sentence has; only where nothing else is left do those count. */
export function anyWord(words: readonly string[]): Prisma.Sql {
  const query = joined(words, "|");
  return Prisma.sql`(CASE WHEN numnode(${byStem(query)}) > 0 THEN ${byStem(query)} ELSE ${asWritten(query)} END)`;
}

/**
 * Whether tool `t` is the tenant's and has all the words, or has them in its name one behind the other, be it amid other words:
 * `ch_wea` is in `fetch_weather`. The index of words knows no middles, so each of the tenant's names is looked at; a mere OR of
 * both would look into each tool's words too, and leave the index aside. What is no letter or digit was dropped between the
 * words; in a name it can only have been `_`.
 */
export function isListed(tenantId: string, words: readonly string[]): Prisma.Sql {
  const byWords = isFound(tenantId, allWords(words));
  const part = words.join("_").toLowerCase();
  if (part === "") return byWords;
  // `strpos` knows no wildcards, so there are none to escape.
  return Prisma.sql`t.tenant_id = ${tenantId} AND (strpos(t.name, ${part}) > 0
    OR t.id IN (SELECT t.id FROM tools AS t WHERE ${byWords}))`;
}

/** The tenant's id as an index of words has it: with a sign that no word of a search has. */
const tenantWord = (tenantId: string): Prisma.Sql => Prisma.sql`quote_literal(${`@${tenantId}`})::tsquery`;

/**
 * Whether tool `t` is the tenant's and holds what is looked for; the tenant is a word of the index too. A query in which
 * nothing is left to look for finds nothing.
 */
export const isFound = (tenantId: string, query: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`t.tenant_id = ${tenantId} AND numnode(${query}) > 0 AND t.search @@ (${tenantWord(tenantId)} && ${query})`;
