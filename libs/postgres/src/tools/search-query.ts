import { Prisma } from "../generated/client.ts";
import { allOf, type Sought } from "../search/text-query.ts";

/**
 * Whether tool `t` is the tenant's and has all the words, or has them in its name one behind the other, be it amid other words:
 * `ch_wea` is in `fetch_weather`. The index of words knows no middles, so each of the tenant's names is looked at; a mere OR of
 * both would look into each tool's words too, and leave the index aside. What is no letter or digit was dropped between the
 * words; in a name it can only have been `_`, in an alias `-` too. No words at all find nothing.
 */
export function isListed(tenantId: string, words: readonly Sought[]): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`false`;
  const part = words.map(({ word }) => word).join("_");
  // `strpos` knows no wildcards, so there are none to escape.
  return Prisma.sql`t.tenant_id = ${tenantId} AND (strpos(t.name, ${part}) > 0
    OR strpos(replace(lower(t.alias), '-', '_'), ${part}) > 0 OR t.id IN (SELECT t.id FROM tool_terms AS w JOIN tools AS t ON t.id = w.tool_id
      WHERE ${isFound(tenantId, allOf(tenantId, words))}))`;
}

/** Whether tool `t`, with its terms `w`, is the tenant's and holds what is looked for. */
export const isFound = (tenantId: string, query: string): Prisma.Sql =>
  Prisma.sql`t.tenant_id = ${tenantId} AND w.terms @@ ${query}::tsquery`;
