import type { ListCustomToolsCall } from "@bulkhead/contracts";
import type { TenantPrincipal } from "@bulkhead/core";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { summaryOf } from "./changed-tool.ts";
import { seenByModel } from "./model-scope.ts";

/** Tools that one answer lists. */
const LISTED_TOOLS_MAX = 200;

/** `list_custom_tools`: the newest that match, and how many tools there are in all. */
export async function callListTools(
  { catalogue }: Pick<MetaToolDeps, "catalogue">,
  principal: TenantPrincipal,
  { category, status, context }: ListCustomToolsCall,
) {
  const { tenantId } = principal;
  const scope = await seenByModel({ catalogue }, principal, context);
  const [{ tools, count }, { total, active, pendingApproval }] = await Promise.all([
    catalogue.summaries(tenantId, {
      scope,
      ...(category === undefined ? {} : { category }),
      ...(status === undefined ? {} : { status }),
      limit: LISTED_TOOLS_MAX,
    }),
    catalogue.stats(tenantId, scope),
  ]);
  const omitted = count - tools.length;
  return {
    tools: tools.map(summaryOf),
    stats: { total, active, pendingApproval },
    ...(omitted > 0 ? { omitted } : {}),
  };
}
