import {
  BUILT_IN_TOOL_NAMES,
  META_TOOL_NAMES,
  scopeOfAgent,
  type Asker,
  type PolicyDocument,
  type TenantPrincipal,
  type ToolStatus,
} from "@bulkhead/core";
import { verdictsBy, type PolicyRemark, type PolicyTool, type Verdict } from "@bulkhead/policy";
import { getPolicy, requirePolicy, type PolicyDeps } from "./tenant-policy.ts";

export interface ExplainRequest {
  asker: Asker;
  /** A document to compare; undefined: none. */
  candidate: PolicyDocument | undefined;
  limit: number;
  /** The name of the last tool of the answer before. */
  after: string | undefined;
}

export interface Explained {
  name: string;
  /** A tool that isn't active runs for nobody, whatever the verdict. */
  status: ToolStatus;
  verdict: Verdict;
  /** By the candidate; null where there is none. */
  candidate: Verdict | null;
}

type ExplainedTool = PolicyTool & { status: ToolStatus };

export interface Explanation {
  version: number;
  /** In the order of their names. */
  tools: Explained[];
  count: number;
  allowed: number;
  /** What the candidate would change, in all tools; null where there is none. */
  changes: { given: number; taken: number } | null;
  warnings: PolicyRemark[];
  /** The name of the last tool; null: there are no more. */
  next: string | null;
}

/**
 * Tells of each tool which list of the policy, or which server's grants, took it from an asker or gave it back, and what
 * another document would change.
 * Throws `request.invalid` where a name of that document means nothing.
 */
export async function explainPolicy(
  deps: Pick<PolicyDeps, "policies" | "catalogue">,
  principal: TenantPrincipal,
  { asker, candidate, limit, after = "" }: ExplainRequest,
): Promise<Explanation> {
  const { tenantId } = principal;
  const policy = await getPolicy(deps, principal);
  const warnings = candidate ? await requirePolicy(deps, tenantId, candidate, "policy.") : [];
  const own = await deps.catalogue.names(tenantId, scopeOfAgent(asker.agentId ?? null));
  const comes = [...BUILT_IN_TOOL_NAMES, ...META_TOOL_NAMES].map((name) => ({
    name,
    status: "active" as const,
  }));
  // By name: of two that are called so it means the agent's own, which comes last.
  const tools = new Map([...comes, ...own].map((tool): [string, ExplainedTool] => [tool.name, tool]));
  const now = verdictsBy(policy, asker);
  const then = candidate && verdictsBy({ ...policy, document: candidate }, asker);
  const all = [...tools.keys()].toSorted().flatMap((name): Explained[] => {
    const tool = tools.get(name);
    return tool ? [{ name, status: tool.status, verdict: now(tool), candidate: then?.(tool) ?? null }] : [];
  });
  const behind = all.filter(({ name }) => name > after);
  const shown = behind.slice(0, limit);
  return {
    version: policy.version,
    tools: shown,
    count: all.length,
    allowed: all.filter(({ verdict }) => verdict.allowed).length,
    changes: candidate ? changesOf(all) : null,
    warnings,
    next: behind.length > limit ? (shown.at(-1)?.name ?? null) : null,
  };
}

function changesOf(all: readonly Explained[]): { given: number; taken: number } {
  const differing = all.filter(({ verdict, candidate }) => candidate?.allowed !== verdict.allowed);
  const given = differing.filter(({ candidate }) => candidate?.allowed).length;
  return { given, taken: differing.length - given };
}
