import {
  AgentList,
  AgentQuery,
  ExplainedPolicy,
  ExplainedTool,
  ExplainPolicy,
  ExplainTool,
  oneMore,
  pageOf,
  PolicyDocument,
  PolicyIfMatch,
  PutPolicy,
} from "@bulkhead/contracts";
import { compact, type ToolStore } from "@bulkhead/core";
import {
  explainPolicy,
  explainTool,
  getPolicy,
  listAgents,
  putPolicy,
  requireTenant,
  showExplanation,
  showVerdict,
  type AgentsDeps,
  type PolicyDeps,
} from "@bulkhead/tenants";
import type { FastifyReply } from "fastify";
import { readIfMatch } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["policy"];
const read = { action: "policy.read" } as const;
const write = { action: "policy.write", needsBody: true } as const;

/** Which tools a tenant's agents get: its one document, and why a tool is there for somebody or not. */
export function policyRoutes(
  app: ApiScope,
  deps: PolicyDeps & AgentsDeps & { tools: Pick<ToolStore, "find"> },
): void {
  app.get(
    "/policy",
    {
      config: read,
      schema: {
        tags,
        summary: "Read which tools the tenant's agents get; the empty document leaves everything",
        response: answers({ 200: PolicyDocument }),
      },
    },
    async (request, reply) => {
      const { version, document } = await getPolicy(deps, requireTenant(request.principal, "policy.read"));
      tagVersion(reply, version);
      return ok(request, document);
    },
  );

  app.put(
    "/policy",
    {
      config: write,
      schema: {
        tags,
        summary: "Say anew which tools the tenant's agents get; it holds from the next request on",
        headers: PolicyIfMatch,
        body: PolicyDocument,
        response: answers({ 200: PutPolicy }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "policy.write");
      const seen = readIfMatch(request.headers["if-match"])?.map(versionOf) ?? null;
      const { version, warnings } = await putPolicy(deps, principal, request.body, seen);
      tagVersion(reply, version);
      return ok(request, { ...request.body, ...(warnings.length > 0 ? { warnings } : {}) });
    },
  );

  app.post(
    "/policy/explain",
    {
      config: { ...read, isLarge: true },
      schema: {
        tags,
        summary: "Tell of each tool which list took it from an asker or gave it back",
        description:
          "By their names, those that come with the product among them. With a document of its own (`policy`) it also tells what that would change; nothing is stored.",
        body: ExplainPolicy,
        response: answers({ 200: ExplainedPolicy }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "policy.read");
      const { policy: candidate, limit, cursor: after, ...asker } = request.body;
      const asked = { asker: compact(asker), candidate, limit, after };
      return ok(request, showExplanation(await explainPolicy(deps, principal, asked)));
    },
  );

  app.post(
    "/policy/explain-tool",
    {
      config: read,
      schema: {
        tags,
        summary: "Tell of one tool which agents get it, and which list says so",
        body: ExplainTool,
        response: answers({ 200: ExplainedTool }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "policy.read");
      const { tool, ...asker } = request.body;
      const { name, status, agents } = await explainTool(deps, principal, tool, compact(asker));
      const shown = agents.map(({ agentId, verdict }) => ({
        ...(agentId === null ? {} : { agentId }),
        ...showVerdict(status, verdict),
      }));
      return ok(request, { name, status, agents: shown });
    },
  );

  app.get(
    "/agents",
    {
      config: read,
      schema: {
        tags,
        summary: "List the agents that keys, the policy or tools of their own name, with what each has",
        querystring: AgentQuery,
        response: answers({ 200: AgentList }),
      },
    },
    async (request) => {
      const { limit, cursor: after } = request.query;
      const principal = requireTenant(request.principal, "policy.read");
      const found = await listAgents(deps, principal, compact({ after, limit: oneMore(limit) }));
      // Those without an id are the last entry, behind which there is no page.
      const { page, nextCursor } = pageOf(found, limit, ({ agentId }) => agentId ?? "");
      const shown = page.map(({ agentId, lastUsedAt, ...known }) => ({
        ...(agentId === null ? {} : { id: agentId }),
        ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
        ...known,
      }));
      return ok(request, { agents: shown, nextCursor });
    },
  );
}

const tagVersion = (reply: FastifyReply, version: number): void => void reply.header("etag", `"${version}"`);

/** No version has the number of a tag that is none. */
const versionOf = (tag: string): number => (/^\d{1,9}$/.test(tag) ? Number(tag) : -1);
