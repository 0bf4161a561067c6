import { RevocableCache } from "@bulkhead/process";
import {
  definitionOf,
  lookupKey,
  lookupTags,
  scopeOf,
  type ProvidedTool,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
  type ToolStore,
  type ToolVersion,
  Fault,
} from "@bulkhead/core";
import { isSeen, type SaidOfAsker } from "@bulkhead/policy";
import type { BuiltInTool } from "@bulkhead/executions";
import { checkLimits, noSuchTool, noSuchToolFor, requireApproved, requireNoMore } from "@bulkhead/tools";
import { BUILT_IN_TOOLS, whyMissing } from "@bulkhead/tools/built-in";

export interface ToolLookupDeps {
  tools: Pick<ToolStore, "find" | "findVersion">;
  found: RevocableCache<Tool>;
  versions: RevocableCache<ToolVersion>;
  /** Those of the tools that come with the platform which work here now. */
  builtIns: readonly ProvidedTool[];
}

/** A call may name these beside its tool: a version, and who asks. */
interface Named extends SaidOfAsker {
  version?: number | undefined;
}

/** Finds the tool of a call by id or name; answers from memory while nobody changed it. */
export class ToolLookup {
  readonly #deps: ToolLookupDeps;

  constructor(deps: ToolLookupDeps) {
    this.#deps = deps;
  }

  /**
   * Finds what `ref` stands for to the principal, or to the agent that its call names, if it is not outside the policy of who
   * asks. With `version`, as that version runs. Throws `tool.not_found`, `tool.version_not_found` and `tool.version_not_approved`.
   */
  async find(principal: TenantPrincipal, ref: string, { version, ...said }: Named = {}): Promise<Tool> {
    const { tenantId } = principal;
    const scope = scopeOf(principal, said.agentId);
    const tool = await this.#deps.found.get(lookupKey(tenantId, scope, ref), async () => {
      const found = await this.#deps.tools.find(tenantId, ref, scope);
      return found && { value: found, tags: [tenantId, ...lookupTags(found, scope)] };
    });
    if (!tool || !isSeen(principal, said, tool)) throw noSuchToolFor(principal);
    if (version === undefined || version === tool.version) return tool;
    return this.#pin(tool, version, principal.role === "agent");
  }

  /** `find`, and where the principal has no such tool the one of that name that comes with the platform. */
  async findCallable(
    principal: TenantPrincipal,
    ref: string,
    named: Named = {},
  ): Promise<Tool | BuiltInTool> {
    const builtIn = BUILT_IN_TOOLS.find(({ name }) => name === ref);
    // A tool of the tenant's under this name is as much outside the policy as the built-in one.
    if (builtIn === undefined || !isSeen(principal, named, builtIn)) return this.find(principal, ref, named);
    try {
      return await this.find(principal, ref, named);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "tool.not_found") throw error;
    }
    const missing = this.#deps.builtIns.includes(builtIn) ? null : whyMissing(builtIn, () => false);
    if (missing !== null) throw new Fault("tool.not_found", { detail: missing });
    if (named.version !== undefined)
      throw new Fault("tool.version_not_found", { detail: `The built-in tool ${ref} has no versions.` });
    return { builtIn, name: ref, limits: limitsOf(builtIn, principal) };
  }

  /**
   * An approved version stays approved, so it may be remembered; any other is asked about again. For an agent it holds
   * beside the version that serves: what people took away since is no agent's to pick.
   */
  async #pin(tool: Tool, version: number, byAgent: boolean): Promise<Tool> {
    const key = `${tool.id}@${version}`;
    const pinned = await this.#deps.versions.get(
      byAgent ? `${key} beside ${tool.version}` : key,
      async () => {
        const value = await requireApproved(this.#deps, tool, version);
        if (byAgent) requireNoMore(tool, value);
        return { value, tags: [tool.id] };
      },
    );
    if (!pinned) throw noSuchTool();
    const { approvalCode: _serving, ...rest } = tool;
    return { ...rest, ...definitionOf(pinned), version, contentHash: pinned.contentHash };
  }
}

/** Those of a tool that names none, and the more that some tools may have, within the tenant's ceiling. */
function limitsOf(tool: ProvidedTool, principal: TenantPrincipal): RunLimits {
  const limits = checkLimits({}, principal);
  const more = (["wallMs", "networkRequests", "bytesIn", "resultBytes"] as const).flatMap((name) => {
    const wanted = tool[name];
    return wanted === undefined ? [] : [[name, Math.min(wanted, principal.limits[name])] as const];
  });
  return { ...limits, ...Object.fromEntries(more) };
}
