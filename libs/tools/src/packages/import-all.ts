import { agentOf, Fault, namesOf, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { prepareTool, tellCreated, type PreparedTool } from "../registry/create-tool.ts";
import { serviceWarnings } from "../registry/keep-services.ts";
import type { UpdateToolRequest } from "../registry/next-definition.ts";
import { findNamed, requireSameMaker } from "../registry/put-tool.ts";
import { isNameTaken } from "../registry/read-tools.ts";
import { differenceOf } from "../registry/tool-difference.ts";
import { judgeUpdate, tellUpdated, updateWarnings, type JudgedUpdate } from "../registry/update-tool.ts";
import {
  isTaken,
  nameTaken,
  refuseAnyFault,
  settle,
  type DoneTool,
  type Existing,
  type ImportDeps,
  type ImportedTool,
} from "./import-outcome.ts";
import { placing, requestOf } from "./prepare-package.ts";
import { readPackage } from "./read-package.ts";

/** What is to be done for one folder; nothing is stored yet. */
type Plan =
  | { create: PreparedTool }
  | { update: JudgedUpdate; wanted: UpdateToolRequest }
  | { leave: Tool; outcome: "unchanged" | "skipped"; warnings: string[] };

/**
 * Plans all folders, then stores all in one step. Throws the faults of all that are at fault, and `tool.changed` where others
 * changed, made or deleted what was planned for: then nothing was stored, and another try sees it.
 */
export async function importAll(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  existing: Existing,
): Promise<ImportedTool[]> {
  const items = [];
  const taken = new Set<string>();
  for (const [folder, files] of Object.entries(folders)) {
    const item = await settle(folder, async () => ({
      plan: await planOf(deps, principal, folder, files, existing, taken),
    }));
    // Each of the other folders would wait as long for what is away.
    if ("fault" in item && item.fault.status >= 500) throw item.fault;
    items.push(item);
  }
  refuseAnyFault(items);
  const plans = items.flatMap((item) => ("plan" in item ? [{ folder: item.folder, plan: item.plan }] : []));
  const created = plans.flatMap(({ plan }) => ("create" in plan ? [plan.create.tool] : []));
  const updated = plans.flatMap(({ plan }) =>
    "update" in plan ? [{ tool: plan.update.current, change: plan.update.change }] : [],
  );
  const stored = await deps.tools.createAll(created, updated).catch((cause: unknown) => {
    throw isTaken(cause) ? new Fault("tool.changed", { detail: TAKEN_MEANWHILE, cause }) : cause;
  });
  const byId = new Map(stored.map((tool) => [tool.id, tool]));
  const done: ImportedTool[] = [];
  for (const { folder, plan } of plans) done.push({ folder, ...(await finish(deps, principal, plan, byId)) });
  return done;
}

const TAKEN_MEANWHILE = "Somebody else took a name of the import's meanwhile; send it again.";

/** `taken` are the names of the folders before. */
async function planOf(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folder: string,
  files: unknown,
  existing: Existing,
  taken: Set<string>,
): Promise<Plan> {
  const read = readPackage(folder, files, deps.parseJson);
  const request = requestOf(folder, read);
  const current = existing === "fail" ? null : await findNamed(deps, principal, request);
  const create = current ? null : await placing(folder, read, () => prepareTool(deps, principal, request));
  const { name, alias } = { ...request, alias: request.alias === request.name ? null : request.alias };
  const { tenantId } = principal;
  const agentId = agentOf(principal, request.agentId);
  for (const one of current && existing === "skip" ? [name] : namesOf({ name, alias })) {
    const key = JSON.stringify([agentId, one]);
    if (taken.has(key) || (await isNameTaken(deps, { tenantId, agentId, name: one }, current)))
      throw nameTaken(folder, { name, alias }, one === name ? "name" : "alias");
    taken.add(key);
  }
  if (create) return { create };
  const tool = current as Tool;
  if (existing === "skip") return { leave: tool, outcome: "skipped", warnings: [] };
  return placing(folder, read, async () => {
    requireSameMaker(tool, request);
    const wanted = differenceOf(tool, request, principal);
    const update = await judgeUpdate(deps, principal, tool, wanted);
    if (Object.keys(update.change).length > 0) return { update, wanted };
    const warnings = await updateWarnings(deps, tool, update, request);
    return { leave: tool, outcome: "unchanged", warnings };
  });
}

/** Records and announces what was stored. */
async function finish(
  deps: ImportDeps,
  principal: TenantPrincipal,
  plan: Plan,
  stored: ReadonlyMap<string, Tool>,
): Promise<DoneTool> {
  if ("leave" in plan) return { tool: plan.leave, warnings: plan.warnings, outcome: plan.outcome };
  if ("create" in plan) {
    const { tool: made, warnings } = plan.create;
    const tool = stored.get(made.id) as Tool;
    await tellCreated(deps, principal, tool);
    const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
    return { tool, warnings: [...warnings, ...unconfigured], outcome: "created" };
  }
  const { update, wanted } = plan;
  const tool = stored.get(update.current.id) as Tool;
  await tellUpdated(deps, principal, tool, update, wanted);
  return { tool, warnings: await updateWarnings(deps, tool, update, wanted), outcome: "updated" };
}
