import { indexTerms, isUnspaced, wordsOf } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";
import { markOf, wholeTerm } from "../search/tenant-terms.ts";
import type { Sought } from "../search/text-query.ts";

/** Tools whose terms are made at a stretch: some milliseconds, where each description is as long as may be. */
const BATCH = 16;

/**
 * Makes sure that each tool of the tenant's can be found, and answers the words with their English stems. Terms are made when
 * somebody looks for tools, of all that are new or changed since: `tools.search` is empty then, whoever wrote the tool.
 */
export async function readySearch(
  client: PrismaClient,
  tenantId: string,
  words: readonly string[],
): Promise<Sought[]> {
  const [row] = await client.$queryRaw<{ stems: string[]; is_ready: boolean }[]>`
    SELECT ARRAY(SELECT coalesce((ts_lexize('pg_catalog.english_stem', w.word))[1], '')
        FROM unnest(${[...words]}::text[]) WITH ORDINALITY AS w(word, n) ORDER BY n) AS stems,
      NOT EXISTS (SELECT FROM tools WHERE tenant_id = ${tenantId} AND search IS NULL) AS is_ready`;
  if (!row?.is_ready) await fill(client, tenantId);
  return words.map((word, n) => ({ word, stem: row?.stems[n] || null }));
}

interface Unready {
  id: string;
  revision: number;
  name: string;
  category: string | null;
  description: string;
}

/** Ends, since whoever fills a batch leaves fewer; what is changed meanwhile is made by the next who looks. */
async function fill(client: PrismaClient, tenantId: string): Promise<void> {
  let tools: Unready[];
  do {
    tools = await client.$queryRaw<Unready[]>`
      SELECT id, revision, name, category, description FROM tools
      WHERE tenant_id = ${tenantId} AND search IS NULL LIMIT ${BATCH}::int`;
    await keep(client, tenantId, tools);
  } while (tools.length === BATCH);
}

/** Where a term stands: its weight in a rank, at one position for each of these. */
const PLACES = { name: "1A", category: "2B", description: "3C" } as const;

async function keep(client: PrismaClient, tenantId: string, tools: readonly Unready[]): Promise<void> {
  const terms = tools.flatMap((tool) =>
    (["name", "category", "description"] as const).flatMap((field) =>
      termsIn(tool[field] ?? "").map((term) => ({ id: tool.id, term, place: PLACES[field] })),
    ),
  );
  // Two who fill at once lock the tools in the same order.
  await client.$executeRaw`
    WITH due AS (
      SELECT t.id FROM tools AS t
      JOIN unnest(${tools.map(({ id }) => id)}::text[], ${tools.map(({ revision }) => revision)}::int[]) AS d(id, revision)
        ON t.id = d.id AND t.revision = d.revision
      WHERE t.search IS NULL ORDER BY t.id FOR NO KEY UPDATE OF t
    ), made AS (
      SELECT w.id, string_agg(DISTINCT quote_literal(${markOf(tenantId)} || forms.form) || ':' || w.place, ' ')::tsvector AS search
      FROM unnest(${terms.map(({ id }) => id)}::text[], ${terms.map(({ term }) => term)}::text[],
          ${terms.map(({ place }) => place)}::text[]) AS w(id, term, place),
        LATERAL (SELECT w.term UNION ALL SELECT unnest(ts_lexize('pg_catalog.english_stem', w.term))) AS forms(form)
      GROUP BY w.id
    )
    UPDATE tools AS t SET search = made.search FROM made JOIN due USING (id) WHERE t.id = made.id`;
}

const termsIn = (text: string): string[] => [
  ...new Set([...indexTerms(text), ...wordsOf(text).filter(isUnspaced).map(wholeTerm)]),
];
