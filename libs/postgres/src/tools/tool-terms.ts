import { indexTerms, isUnspaced, TERMS_RULE, wordsOf } from "@bulkhead/core";
import { setImmediate } from "node:timers/promises";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { markOf, wholeTerm } from "../search/tenant-terms.ts";
import type { Sought } from "../search/text-query.ts";

/** Terms that are made and kept at a stretch, if it is of more than one tool: some milliseconds of this thread. */
export const BATCH_TERMS_MAX = 2_000;
/** Tools whose texts are read at a stretch. */
export const BATCH_TOOLS_MAX = 100;

/**
 * Makes sure that each tool of the tenant's can be found, and answers the words with their English stems. Terms are made when
 * somebody looks for tools, of all that are new or changed since, whoever wrote them, and of all once a new rule makes them. In
 * SQL, for the stems.
 */
export async function readySearch(
  client: PrismaClient,
  tenantId: string,
  words: readonly string[],
): Promise<Sought[]> {
  const [row] = await client.$queryRaw<{ stems: string[]; is_ready: boolean }[]>`
    SELECT ARRAY(SELECT coalesce((ts_lexize('pg_catalog.english_stem', w.word))[1], '')
        FROM unnest(${[...words]}::text[]) WITH ORDINALITY AS w(word, n) ORDER BY n) AS stems,
      NOT EXISTS (SELECT FROM tools WHERE tenant_id = ${tenantId} AND terms_rule < ${TERMS_RULE}) AS is_ready`;
  if (!row?.is_ready) await makeReady(client, tenantId);
  return words.map((word, n) => ({ word, stem: row?.stems[n] || null }));
}

/** By client, the tenants whose terms are being made: who comes meanwhile waits with the others. */
const underWay = new WeakMap<PrismaClient, Map<string, Promise<void>>>();

/**
 * One that is under way may have begun before the newest tool was there; the next has not. What is changed meanwhile is made
 * by the next who looks.
 */
async function makeReady(client: PrismaClient, tenantId: string): Promise<void> {
  const filling = underWay.get(client) ?? new Map<string, Promise<void>>();
  underWay.set(client, filling);
  const isJoined = filling.has(tenantId);
  await joinFill(client, tenantId, filling);
  if (isJoined) await joinFill(client, tenantId, filling);
}

function joinFill(
  client: PrismaClient,
  tenantId: string,
  filling: Map<string, Promise<void>>,
): Promise<void> {
  const joined = filling.get(tenantId) ?? fill(client, tenantId).finally(() => void filling.delete(tenantId));
  filling.set(tenantId, joined);
  return joined;
}

const UNREADY = {
  id: true,
  revision: true,
  name: true,
  alias: true,
  category: true,
  description: true,
} as const;
type Unready = Prisma.ToolGetPayload<{ select: typeof UNREADY }>;

/** Of the tools that have none at its start; so it ends, however fast they are changed. */
async function fill(client: PrismaClient, tenantId: string): Promise<void> {
  const rows = await client.tool.findMany({
    where: { tenantId, termsRule: { lt: TERMS_RULE } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  for (let from = 0; from < rows.length; from += BATCH_TOOLS_MAX) {
    const ids = rows.slice(from, from + BATCH_TOOLS_MAX).map(({ id }) => id);
    const tools = await client.tool.findMany({
      where: { id: { in: ids }, termsRule: { lt: TERMS_RULE } },
      orderBy: { id: "asc" },
      select: UNREADY,
    });
    let batch: Term[] = [];
    for (const tool of tools) {
      const terms = termsOfTool(tool);
      if (batch.length > 0 && batch.length + terms.length > BATCH_TERMS_MAX) {
        await keep(client, tenantId, batch);
        batch = [];
      }
      batch.push(...terms);
      await setImmediate();
    }
    await keep(client, tenantId, batch);
  }
}

interface Term {
  id: string;
  revision: number;
  term: string;
  place: string;
}

/** Where a term stands: its weight in a rank, at one position for each of these. */
const PLACES = { name: "1A", alias: "1A", category: "2B", description: "3C" } as const;

const termsOfTool = (tool: Unready): Term[] =>
  (["name", "alias", "category", "description"] as const).flatMap((field) =>
    termsIn(tool[field] ?? "").map((term) => ({
      id: tool.id,
      revision: tool.revision,
      term,
      place: PLACES[field],
    })),
  );

const termsIn = (text: string): string[] => [
  ...new Set([...indexTerms(text), ...wordsOf(text).filter(isUnspaced).map(wholeTerm)]),
];

/**
 * The tool's row is held for its mark alone, after the terms are in the index. A tool that has changed since it was read gets no
 * mark; and terms of an older text never take the place of newer ones. In SQL, since the client has no words for a `tsvector`.
 */
async function keep(client: PrismaClient, tenantId: string, terms: readonly Term[]): Promise<void> {
  if (terms.length === 0) return;
  await client.$executeRaw`
    INSERT INTO tool_terms AS kept (tool_id, revision, terms)
    SELECT w.id, w.revision,
      string_agg(DISTINCT quote_literal(${markOf(tenantId)} || forms.form) || ':' || w.place, ' ')::tsvector
    FROM unnest(${terms.map(({ id }) => id)}::text[], ${terms.map(({ revision }) => revision)}::int[],
        ${terms.map(({ term }) => term)}::text[], ${terms.map(({ place }) => place)}::text[]) AS w(id, revision, term, place),
      LATERAL (SELECT w.term UNION ALL SELECT unnest(ts_lexize('pg_catalog.english_stem', w.term))) AS forms(form)
    WHERE EXISTS (SELECT FROM tools AS t WHERE t.id = w.id)
    GROUP BY w.id, w.revision ORDER BY w.id
    ON CONFLICT (tool_id) DO UPDATE SET revision = EXCLUDED.revision, terms = EXCLUDED.terms
      WHERE kept.revision <= EXCLUDED.revision`;
  const revisions = new Map(terms.map(({ id, revision }) => [id, revision]));
  await client.$executeRaw`
    WITH made AS (
      SELECT t.id FROM tools AS t
      JOIN unnest(${[...revisions.keys()]}::text[], ${[...revisions.values()]}::int[]) AS m(id, revision)
        ON t.id = m.id AND t.revision = m.revision
      WHERE t.terms_rule < ${TERMS_RULE} ORDER BY t.id FOR NO KEY UPDATE OF t
    )
    UPDATE tools AS t SET terms_rule = ${TERMS_RULE}::smallint FROM made WHERE t.id = made.id`;
}
