import {
  MCP_ACCESS_BYTES_MAX,
  MCP_GRANTS_MAX,
  MCP_REQUEST_STATUSES,
  MCP_REQUESTS_FOR_ONE_MAX,
  MCP_REQUESTS_MAX,
  type McpAccessRequest,
  type McpAccessStore,
  type McpGrant,
} from "@bulkhead/core";
import type { McpAccessRequest as RequestRow, Prisma, PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { changeAccess, inTenant, listOrNull } from "./in-tenant.ts";
import { readListOrAll, readScope, toGrant } from "./mcp-json.ts";

/** Who may use tenants' MCP servers, in PostgreSQL. What it throws is a Fault. */
export const openMcpAccessStore = (client: PrismaClient): McpAccessStore => ({
  grantsOf: (tenantId, server) =>
    faulting(async () => {
      const orderBy = [{ scope: "asc" as const }, { id: "asc" as const }];
      const rows = await client.mcpGrant.findMany({ where: { tenantId, server }, orderBy, select: GRANT });
      return rows.map(toGrant);
    }),
  putGrant: (tenantId, server, grant) =>
    faulting(() =>
      orFull(
        inTenant(client, tenantId, async (step) => {
          if ((await step.mcpServer.count({ where: { tenantId, name: server } })) === 0) return null;
          return putGrant(step, tenantId, server, grant);
        }),
      ),
    ),
  deleteGrant: (tenantId, server, { scope, id }) =>
    faulting(async () => {
      const gone = await inTenant(client, tenantId, async (step) => {
        const { count } = await step.mcpGrant.deleteMany({ where: { tenantId, server, scope, id } });
        if (count > 0) await changeAccess(step, tenantId);
        return count > 0;
      });
      return gone ?? false;
    }),
  request: (asked) => faulting(() => requestAccess(client, asked)),
  requests: (tenantId, query) => faulting(() => listRequests(client, tenantId, query)),
  answer: (tenantId, requestId, by) => faulting(() => answerRequest(client, tenantId, requestId, by)),
});

const GRANT = {
  scope: true,
  id: true,
  toolAllow: true,
  toolDeny: true,
  enabled: true,
} as const satisfies Prisma.McpGrantSelect;

/** There is no room for a grant: it takes back all that its step has done. */
class NoRoom extends Error {}

async function orFull<T>(work: Promise<T>): Promise<T | "full"> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoRoom) return "full";
    throw error;
  }
}

/** Within the tenant's turn, for a server that is there. Throws `NoRoom`. */
async function putGrant(
  step: Prisma.TransactionClient,
  tenantId: string,
  server: string,
  grant: McpGrant,
): Promise<McpGrant> {
  const { scope, id, toolAllow, toolDeny, enabled } = grant;
  const others = { tenantId, server, NOT: { scope, id } };
  if ((await step.mcpGrant.count({ where: others })) >= MCP_GRANTS_MAX) throw new NoRoom();
  const data = { toolAllow: listOrNull(toolAllow), toolDeny: [...toolDeny], enabled };
  const row = await step.mcpGrant.upsert({
    where: { tenantId_server_scope_id: { tenantId, server, scope, id } },
    create: { tenantId, server, scope, id, ...data },
    update: data,
    select: GRANT,
  });
  // In SQL, for the sum of lengths.
  const [size] = await step.$queryRaw<{ bytes: number }[]>`
    SELECT sum(octet_length(id) + coalesce(octet_length(tool_allow::text), 0) + octet_length(tool_deny::text))::float8 AS bytes
    FROM mcp_grants WHERE tenant_id = ${tenantId}`;
  if (size && size.bytes > MCP_ACCESS_BYTES_MAX) throw new NoRoom();
  await changeAccess(step, tenantId);
  return toGrant(row);
}

async function requestAccess(
  client: PrismaClient,
  asked: Parameters<McpAccessStore["request"]>[0],
): Promise<McpAccessRequest | "full" | null> {
  const { requestId, id, tenantId, server, scope, toolAllow, reason, requestedBy, createdAt } = asked;
  return inTenant(client, tenantId, async (step) => {
    if ((await step.mcpServer.count({ where: { tenantId, name: server } })) === 0) return null;
    const forOne = { tenantId, scope, grantee: id, status: "pending" } as const;
    const waiting = await step.mcpAccessRequest.findMany({ where: { ...forOne, server } });
    const same = waiting.map(toRequest).find((one) => isSameList(one.toolAllow, toolAllow));
    if (same) return same;
    const count = await step.mcpAccessRequest.count({ where: { tenantId, status: "pending" } });
    if (count >= MCP_REQUESTS_MAX) return "full";
    if ((await step.mcpAccessRequest.count({ where: forOne })) >= MCP_REQUESTS_FOR_ONE_MAX) return "full";
    const data = {
      id: requestId,
      tenantId,
      server,
      scope,
      grantee: id,
      reason,
      requestedBy,
      createdAt,
      toolAllow: listOrNull(toolAllow),
    };
    return toRequest(await step.mcpAccessRequest.create({ data }));
  });
}

const isSameList = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());

async function listRequests(
  client: PrismaClient,
  tenantId: string,
  { status, server, requestedBy, limit, before }: Parameters<McpAccessStore["requests"]>[1],
): Promise<McpAccessRequest[]> {
  const rows = await client.mcpAccessRequest.findMany({
    where: {
      tenantId,
      ...(status && { status }),
      ...(server !== undefined && { server }),
      ...(requestedBy !== undefined && { requestedBy }),
      // The bound on the time alone is what the index is entered by.
      ...(before && {
        createdAt: { lte: before.createdAt },
        OR: [{ createdAt: { lt: before.createdAt } }, { id: { lt: before.requestId } }],
      }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map(toRequest);
}

async function answerRequest(
  client: PrismaClient,
  tenantId: string,
  id: string,
  { status, keyId, reason, at }: Parameters<McpAccessStore["answer"]>[2],
): Promise<McpAccessRequest | "answered" | "full" | null> {
  const work = async (step: Prisma.TransactionClient) => {
    const asked = await step.mcpAccessRequest.findFirst({ where: { id, tenantId } });
    if (!asked) return null;
    if (asked.status !== "pending") return "answered";
    const row = await step.mcpAccessRequest.update({
      where: { id },
      data: { status, answeredBy: keyId, answeredAt: at, answer: reason },
    });
    const request = toRequest(row);
    if (status === "approved") await putGrant(step, tenantId, request.server, await grantFor(step, request));
    return request;
  };
  return orFull(inTenant(client, tenantId, work));
}

/** A grant that is there keeps what it takes away, and gets the tools besides its own; one that gives all still does. */
async function grantFor(
  step: Prisma.TransactionClient,
  { tenantId, server, scope, id, toolAllow }: McpAccessRequest,
): Promise<McpGrant> {
  const row = await step.mcpGrant.findFirst({ where: { tenantId, server, scope, id }, select: GRANT });
  if (!row) return { scope, id, toolAllow, toolDeny: [], enabled: true };
  const there = toGrant(row);
  const both =
    toolAllow === null || there.toolAllow === null ? null : [...new Set([...there.toolAllow, ...toolAllow])];
  return { ...there, toolAllow: both };
}

const toRequest = ({
  id: requestId,
  grantee: id,
  scope,
  status,
  toolAllow,
  ...row
}: RequestRow): McpAccessRequest => ({
  ...row,
  requestId,
  id,
  scope: readScope(scope),
  // The database knows no others.
  status: MCP_REQUEST_STATUSES.find((known) => known === status) ?? "rejected",
  toolAllow: readListOrAll(toolAllow),
});
