import { oneMore, pageOf } from "@bulkhead/contracts";
import {
  compact,
  Fault,
  loadOf,
  type Clock,
  type ExecutionLoads,
  type McpServerTools,
  type PolicyStore,
  type ToolCatalogue,
  type UsageStore,
} from "@bulkhead/core";
import { showLoad } from "@bulkhead/executions";
import {
  explainPolicy,
  getPolicy,
  listApiKeys,
  listAudit,
  listMcpServers,
  listServices,
  showApiKey,
  showAuditEntry,
  showExplanation,
  showMcpServer,
  showServiceSummary,
  switchMcpServer,
} from "@bulkhead/tenants";
import { getTool, listTools, moveTool, showTool } from "@bulkhead/tools";
import type { Operations } from "./operations.ts";

type DepsOf<UseCase extends (deps: never, ...asked: never[]) => unknown> = Parameters<UseCase>[0];

export type TenantDeps = DepsOf<typeof listTools> &
  DepsOf<typeof moveTool> &
  DepsOf<typeof listApiKeys> &
  DepsOf<typeof listServices> &
  DepsOf<typeof listMcpServers> &
  DepsOf<typeof switchMcpServer> &
  DepsOf<typeof listAudit> & {
    policies: PolicyStore;
    catalogue: Pick<ToolCatalogue, "names">;
    mcpServerTools: Pick<McpServerTools, "counts">;
    loads: Pick<ExecutionLoads, "facts">;
    usage: Pick<UsageStore, "sum">;
    clock: Clock;
  };

/** The tenant's tools, keys, services, policy, servers and log, and how it is. */
export const TENANT_OPERATIONS = {
  status: {
    action: "usage.read",
    async run({ loads, usage, clock }, { tenantId, limits }, _asked, signal) {
      const to = clock();
      const from = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth()));
      const [facts, used] = await Promise.all([
        loads.facts(tenantId),
        usage.sum(tenantId, { from, to, by: [], limit: 1 }, signal),
      ]);
      // The run that asks is over.
      if (!used) throw new Fault("service.unavailable", { internal: "the usage was given up" });
      const month = { from: from.toISOString(), to: to.toISOString(), total: used.total };
      return { limits, load: showLoad(loadOf(facts, limits)), usage: month };
    },
  },
  "tools.list": { action: "tools.read", run: listTools },
  "tools.get": {
    action: "tools.read",
    run: async (deps, principal, { id }) => showTool(deps, await getTool(deps, principal, id)),
  },
  "tools.enable": {
    action: "tools.write",
    run: async (deps, principal, { id }) => showTool(deps, await moveTool(deps, principal, id, "enable")),
  },
  "tools.disable": {
    action: "tools.write",
    run: async (deps, principal, { id }) => showTool(deps, await moveTool(deps, principal, id, "disable")),
  },
  "keys.list": {
    action: "keys.manage",
    async run(deps, principal) {
      const apiKeys = await listApiKeys(deps, principal, principal.tenantId);
      return { apiKeys: apiKeys.map(showApiKey), nextCursor: null };
    },
  },
  "services.list": {
    action: "config.read",
    async run(deps, principal, { limit, cursor }) {
      const asked = compact({ limit: oneMore(limit), after: cursor });
      const found = await listServices(deps, principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ service }) => service.name);
      return { services: page.map(showServiceSummary), nextCursor };
    },
  },
  "policies.get": {
    action: "policy.read",
    run: async (deps, principal) => (await getPolicy(deps, principal)).document,
  },
  "policies.check": {
    action: "policy.read",
    async run(deps, principal, { policy: candidate, limit, cursor: after, ...asker }) {
      const asked = { asker: compact(asker), candidate, limit, after };
      return showExplanation(await explainPolicy(deps, principal, asked));
    },
  },
  "mcp_servers.list": {
    action: "mcpServers.read",
    async run(deps, principal) {
      const servers = await listMcpServers(deps, principal);
      const counts = servers[0] && (await deps.mcpServerTools.counts(principal.tenantId));
      return { servers: servers.map((server) => showMcpServer(server, counts)), nextCursor: null };
    },
  },
  "mcp_servers.enable": {
    action: "mcpServers.write",
    run: async (deps, principal, { name }) =>
      showMcpServer(await switchMcpServer(deps, principal, { name }, true)),
  },
  "mcp_servers.disable": {
    action: "mcpServers.write",
    run: async (deps, principal, { name }) =>
      showMcpServer(await switchMcpServer(deps, principal, { name }, false)),
  },
  "audit.list": {
    action: "audit.read",
    async run(deps, principal, { cursor, from, to, limit, ...filter }) {
      const span = { from: momentOf(from), to: momentOf(to) };
      const asked = compact({ ...filter, ...span, before: cursor, limit: oneMore(limit) });
      const found = await listAudit(deps, principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ entryId }) => entryId);
      return { entries: page.map(showAuditEntry), nextCursor };
    },
  },
} as const satisfies Partial<Operations<TenantDeps>>;

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
