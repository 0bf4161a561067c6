import type { Json, NewReview, NewTool, VersionReview, VersionState } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readGrowth } from "./review-json.ts";

const NOTHING = Prisma.sql`SELECT WHERE false`;
const FIELDS = Prisma.raw(
  "tool_id, version, state, grown, proposed_by, agent_id, conversation_id, proposed_at",
);

const valuesOf = ({ grown, proposedBy }: NewReview): Prisma.Sql => Prisma.sql`
  ${JSON.stringify(grown)}::json, ${proposedBy.keyId}::text, ${proposedBy.agentId}::text,
  ${proposedBy.conversationId}::text, t.updated_at`;

/** Of the newest version of `t`, which shares the fate of a tool that was rejected. Nothing where it does not wait. */
export const insertReview = (review: NewReview | undefined): Prisma.Sql =>
  review === undefined
    ? NOTHING
    : Prisma.sql`INSERT INTO version_reviews (${FIELDS})
      SELECT t.id, coalesce(t.pending_version, t.version),
        CASE WHEN t.status = 'rejected' THEN 'rejected' ELSE 'pending' END, ${valuesOf(review)} FROM t`;

/** Of the first versions of those of the new tools `t` that wait. */
export function insertReviews(tools: readonly Pick<NewTool, "id" | "review">[]): Prisma.Sql {
  const rows = tools.flatMap(({ id, review }) =>
    review === null
      ? []
      : [Prisma.sql`SELECT t.id, 1, 'pending', ${valuesOf(review)} FROM t WHERE t.id = ${id}`],
  );
  if (rows.length === 0) return NOTHING;
  return Prisma.sql`INSERT INTO version_reviews (${FIELDS}) ${Prisma.join(rows, " UNION ALL ")}`;
}

/** What waited of `t` before it had another version; nothing where it got none. */
export const supersedeWaiting = (isSuperseded: boolean): Prisma.Sql =>
  isSuperseded
    ? Prisma.sql`UPDATE version_reviews AS r SET state = 'superseded' FROM t
        WHERE r.tool_id = t.id AND r.state = 'pending'`
    : NOTHING;

interface ReviewRow {
  version: number;
  state: VersionState;
  grown: Json;
  proposed_by: string | null;
  agent_id: string | null;
  conversation_id: string | null;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
}

const FIND_REVIEW = `/* tools.find_review */
SELECT r.version, r.state, r.grown, r.proposed_by, r.agent_id, r.conversation_id, r.proposed_at, r.decided_by, r.decided_at
FROM version_reviews AS r JOIN tools AS t ON t.id = r.tool_id
WHERE t.tenant_id = $1 AND r.tool_id = $2 AND r.version = $3::int`;

/** Null where the version never had to wait. */
export async function findReview(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  version: number,
): Promise<VersionReview | null> {
  const [row] = await client.$queryRawUnsafe<ReviewRow[]>(FIND_REVIEW, tenantId, toolId, version);
  if (!row) return null;
  const { proposed_by: keyId, agent_id: agentId, conversation_id: conversationId } = row;
  return {
    version: row.version,
    state: row.state,
    grown: readGrowth(row.grown),
    proposedBy: keyId === null ? null : { keyId, agentId, conversationId },
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
  };
}
