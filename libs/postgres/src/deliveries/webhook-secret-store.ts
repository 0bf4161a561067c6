import { DELIVERY_HOURS_MAX, type WebhookGenerations, type WebhookSecretStore } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";

/** Replaced secrets that can still sign; a further rotation within the day silences the oldest of them. */
const RETIRING_MAX = 3;

/** Of a tenant `t`: its generation, and until when each of those before signs; in SQL, by the database's clock. */
const COLUMNS = Prisma.raw(`t.webhook_generation AS generation, ARRAY(
    SELECT at + interval '${DELIVERY_HOURS_MAX} hours' FROM unnest(t.webhook_replaced_at) WITH ORDINALITY AS r(at, place)
    WHERE at > now() - interval '${DELIVERY_HOURS_MAX} hours' ORDER BY place) AS sign_until`);

interface Row {
  generation: number;
  sign_until: Date[];
}

/** The generations of tenants' signing secrets, in PostgreSQL. What it throws is a Fault. */
export const openWebhookSecretStore = (client: PrismaClient): WebhookSecretStore => ({
  read: (tenantId) =>
    faulting(async () => {
      const rows = await client.$queryRaw<
        Row[]
      >`SELECT ${COLUMNS} FROM tenants AS t WHERE t.id = ${tenantId}`;
      return toGenerations(rows[0]);
    }),
  rotate: (tenantId) =>
    faulting(async () => {
      const rows = await client.$queryRaw<Row[]>`
        UPDATE tenants AS t SET webhook_generation = t.webhook_generation + 1,
          webhook_replaced_at = (array_prepend(now()::timestamptz(3), t.webhook_replaced_at))[1:${RETIRING_MAX}::int]
        WHERE t.id = ${tenantId} RETURNING ${COLUMNS}`;
      return toGenerations(rows[0]);
    }),
});

function toGenerations(row: Row | undefined): WebhookGenerations | null {
  if (!row) return null;
  const retiring = row.sign_until.map((signsUntil, back) => ({
    generation: row.generation - 1 - back,
    signsUntil,
  }));
  return { current: row.generation, retiring };
}
