import { Prisma, type PrismaClient } from "../generated/client.ts";

/**
 * Does work on a tenant's servers and grants, one after the other for each tenant: what it counts is so when it writes. Null
 * where the tenant is gone or being deleted. What it throws takes back all of it.
 */
export const inTenant = <T>(
  client: PrismaClient,
  tenantId: string,
  work: (step: Prisma.TransactionClient) => Promise<T>,
): Promise<T | null> =>
  client.$transaction(async (step) => {
    // In SQL for the lock.
    const held = await step.$queryRaw<unknown[]>`
      SELECT id FROM tenants WHERE id = ${tenantId} AND deleting_at IS NULL FOR NO KEY UPDATE`;
    return held.length === 0 ? null : work(step);
  });

/** Who may use the tenant's servers is about to change, in the same step. */
export const changeAccess = async (step: Prisma.TransactionClient, tenantId: string): Promise<void> => {
  await step.tenant.update({
    where: { id: tenantId },
    data: { mcpVersion: { increment: 1 } },
    select: { id: true },
  });
};

/** Fields of JSON that may be NULL, as the client takes them. */
export const listOrNull = (list: readonly string[] | null): Prisma.InputJsonValue | typeof Prisma.DbNull =>
  list === null ? Prisma.DbNull : [...list];
