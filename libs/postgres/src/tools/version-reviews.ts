import type { NewReview, NewTool, VersionReview, VersionState } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readGrowth } from "./review-json.ts";

// Parts of the statements that write versions.

const NOTHING = Prisma.sql`SELECT WHERE false`;
const FIELDS = Prisma.raw(
  "tool_id, version, state, grown, proposed_by, agent_id, conversation_id, proposed_at",
);

const valuesOf = ({ grown, proposedBy }: NewReview): Prisma.Sql => Prisma.sql`
  ${JSON.stringify(grown)}::json, ${proposedBy?.keyId ?? null}::text, ${proposedBy?.agentId ?? null}::text,
  ${proposedBy?.conversationId ?? null}::text, t.updated_at`;

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

/** Supersedes the version of `t` that waited, where `t` got another one. */
export const supersedeWaiting = (isSuperseded: boolean): Prisma.Sql =>
  isSuperseded
    ? Prisma.sql`UPDATE version_reviews AS r SET state = 'superseded' FROM t
        WHERE r.tool_id = t.id AND r.state = 'pending'`
    : NOTHING;

/** Null where the version never had to wait. */
export async function findReview(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  version: number,
): Promise<VersionReview | null> {
  const row = await client.versionReview.findFirst({
    where: { toolId, version, of: { tool: { tenantId } } },
    omit: { toolId: true },
  });
  if (!row) return null;
  const { proposedBy: keyId, agentId, conversationId, ...review } = row;
  return {
    ...review,
    // The table's check knows no other.
    state: review.state as VersionState,
    grown: readGrowth(review.grown),
    proposedBy: keyId === null ? null : { keyId, agentId, conversationId },
  };
}
