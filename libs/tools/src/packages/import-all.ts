import {
  agentOf,
  type DeletedTool,
  Fault,
  namesOf,
  type TenantPrincipal,
  type Tool,
  type ToolStore,
} from "@bulkhead/core";
import { requireDeletable } from "../registry/bridged-rules.ts";
import { tellDeleted } from "../registry/change-status.ts";
import { prepareTool, tellCreated, type PreparedTool } from "../registry/create-tool.ts";
import { serviceWarnings } from "../registry/keep-services.ts";
import type { UpdateToolRequest } from "../registry/next-definition.ts";
import { findNamed, requireCondition, requireSameMaker } from "../registry/put-tool.ts";
import { getTool, isNameTaken } from "../registry/read-tools.ts";
import { nameRecordOf } from "../registry/review/capabilities.ts";
import { changedIn, differenceOf } from "../registry/tool-difference.ts";
import { judgeUpdate, tellUpdated, updateWarnings, type JudgedUpdate } from "../registry/update-tool.ts";
import {
  conditionOf,
  isTaken,
  nameTaken,
  refuseAnyFault,
  settle,
  type DoneTool,
  type Existing,
  type ImportDeps,
  type ImportedTool,
  type ImportTerms,
} from "./import-outcome.ts";
import { markCreated, markUpdated, sourceOf } from "./mark-source.ts";
import { placing, requestOf } from "./prepare-package.ts";
import { readPackage } from "./read-package.ts";

/** What is to be done for one folder; nothing is stored yet. */
type Plan =
  | { create: PreparedTool }
  | { update: JudgedUpdate; wanted: UpdateToolRequest }
  | { leave: Tool; outcome: "unchanged" | "skipped"; warnings: string[] }
  | { remove: Tool };

interface Planned {
  folder: string;
  plan: Plan;
}

/**
 * Plans all folders, then stores all in one step. Throws the faults of all that are at fault, and `tool.changed` where others
 * changed, made or deleted what was planned for: then nothing was stored, and another try sees it.
 */
export async function importAll(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  existing: Existing,
  terms: ImportTerms,
): Promise<ImportedTool[]> {
  const items = await planAll(deps, principal, folders, existing, terms);
  refuseAnyFault(items);
  const plans = items.flatMap((item) => ("plan" in item ? [item] : []));
  if (terms.dryRun) return plans.map(({ folder, plan }) => ({ folder, ...foreseen(plan) }));
  const created = plans.flatMap(({ plan }) => ("create" in plan ? [plan.create.tool] : []));
  const updated = plans.flatMap(({ plan }) =>
    "update" in plan ? [{ tool: plan.update.current, change: plan.update.change }] : [],
  );
  const removed = plans.flatMap(({ plan }) =>
    "remove" in plan ? [{ tool: plan.remove, record: nameRecordOf(plan.remove) }] : [],
  );
  const stored = await deps.tools.storeAll(created, updated, removed).catch((cause: unknown) => {
    throw isTaken(cause) ? new Fault("tool.changed", { detail: TAKEN_MEANWHILE, cause }) : cause;
  });
  const byId = new Map(stored.tools.map((tool) => [tool.id, tool]));
  const gone = new Map(removed.map(({ tool }, at) => [tool.id, stored.deleted[at] as DeletedTool]));
  const done: ImportedTool[] = [];
  for (let at = 0; at < plans.length; at += FINISHED_AT_ONCE) {
    const part = plans.slice(at, at + FINISHED_AT_ONCE).map(async ({ folder, plan }) => ({
      folder,
      ...(await finish(deps, principal, plan, byId, gone)),
    }));
    done.push(...(await Promise.all(part)));
  }
  return done;
}

/** Each waits for the stores some times; more at once would leave others no connection. */
const FINISHED_AT_ONCE = 8;

const TAKEN_MEANWHILE = "Somebody else took a name of the import's meanwhile; send it again.";

/** The plan of each folder and behind them of each tool to delete, or what it is at fault with; stores nothing. */
export async function planAll(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  existing: Existing,
  { ifMatch = {}, remove = {}, source: said }: ImportTerms,
): Promise<(Planned | { folder: string; fault: Fault })[]> {
  const items: (Planned | { folder: string; fault: Fault })[] = [];
  // Each of the others would wait as long for what is away.
  const add = (item: (typeof items)[number]): void => {
    if ("fault" in item && item.fault.status >= 500) throw item.fault;
    items.push(item);
  };
  const source = said ?? null;
  const planning = { existing, ifMatch, source, leaving: Object.keys(remove), taken: new Set<string>() };
  const looking = { ...deps, tools: { ...deps.tools, find: findingOnce(deps.tools) } };
  for (const [folder, files] of Object.entries(folders))
    add(
      await settle(folder, async () => ({ plan: await planOf(looking, principal, folder, files, planning) })),
    );
  for (const [id, tag] of Object.entries(remove)) {
    const item = await settle(id, async () => ({
      plan: { remove: await leaving(deps, principal, id, tag) },
    }));
    add("plan" in item ? { ...item, folder: item.plan.remove.name } : item);
  }
  return items;
}

/** Remembers for one plan what was found: a name is looked for as a tool's and as one that may be taken. */
function findingOnce({ find }: Pick<ToolStore, "find">): ToolStore["find"] {
  const found = new Map<string, Promise<Tool | null>>();
  return (tenantId, ref, scope) => {
    const key = JSON.stringify([tenantId, ref, scope]);
    const known = found.get(key) ?? find(tenantId, ref, scope);
    found.set(key, known);
    return known;
  };
}

interface Planning {
  existing: Existing;
  ifMatch: NonNullable<ImportTerms["ifMatch"]>;
  source: string | null;
  /** Ids of tools that give up their names in the same step. */
  leaving: readonly string[];
  /** The names of the folders before. */
  taken: Set<string>;
}

async function planOf(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folder: string,
  files: unknown,
  { existing, ifMatch, source, leaving: gone, taken }: Planning,
): Promise<Plan> {
  const read = readPackage(folder, files, deps.parseJson);
  const request = requestOf(folder, read);
  const found = existing === "fail" ? null : await findNamed(deps, principal, request);
  const current = found && gone.includes(found.id) ? null : found;
  await placing(folder, read, async () => requireCondition(current, conditionOf(ifMatch, folder)));
  const create = current ? null : await placing(folder, read, () => prepareTool(deps, principal, request));
  const { name, alias } = { ...request, alias: request.alias === request.name ? null : request.alias };
  const { tenantId } = principal;
  const agentId = agentOf(principal, request.agentId);
  const except = current ? [...gone, current.id] : gone;
  for (const one of current && existing === "skip" ? [name] : namesOf({ name, alias })) {
    const key = JSON.stringify([agentId, one]);
    if (taken.has(key) || (await isNameTaken(deps, { tenantId, agentId, name: one }, except)))
      throw nameTaken(folder, { name, alias }, one === name ? "name" : "alias");
    taken.add(key);
  }
  if (create)
    return { create: source === null ? create : { ...create, tool: markCreated(create.tool, source) } };
  const tool = current as Tool;
  if (existing === "skip") return { leave: tool, outcome: "skipped", warnings: [] };
  return placing(folder, read, async () => {
    requireSameMaker(tool, request);
    const wanted = differenceOf(tool, request, principal);
    const judged = await judgeUpdate(deps, principal, tool, wanted);
    const isSame = Object.keys(judged.change).length === 0;
    const update =
      source === null || (isSame && sourceOf(tool) === source) ? judged : markUpdated(judged, source);
    if (Object.keys(update.change).length > 0) return { update, wanted };
    const warnings = await updateWarnings(deps, tool, update, request);
    return { leave: tool, outcome: "unchanged", warnings };
  });
}

/** Throws `tool.not_found`, `tool.bridged` and `tool.precondition_failed`, with the tool's place in the body. */
async function leaving(deps: ImportDeps, principal: TenantPrincipal, id: string, tag: string): Promise<Tool> {
  try {
    const tool = await getTool(deps, principal, id);
    requireDeletable(tool);
    requireCondition(tool, { exists: true, tags: [tag] });
    return tool;
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    const message = error.detail.replace(/\.$/, "");
    throw new Fault(error.code, { detail: error.detail, errors: [{ path: `remove.${id}`, message }] });
  }
}

/** What would be done, of which nothing is stored. */
export function foreseen(plan: Plan): DoneTool {
  if ("leave" in plan)
    return { name: plan.leave.name, tool: plan.leave, warnings: plan.warnings, outcome: plan.outcome };
  if ("remove" in plan)
    return { name: plan.remove.name, tool: plan.remove, warnings: [], outcome: "deleted" };
  if ("create" in plan)
    return { name: plan.create.tool.name, tool: null, warnings: plan.create.warnings, outcome: "created" };
  const { current, codeWarnings } = plan.update;
  const changed = changedIn(plan.wanted);
  return { name: current.name, tool: current, warnings: codeWarnings, outcome: "updated", changed };
}

/** Records and announces what was stored. */
async function finish(
  deps: ImportDeps,
  principal: TenantPrincipal,
  plan: Plan,
  stored: ReadonlyMap<string, Tool>,
  gone: ReadonlyMap<string, DeletedTool>,
): Promise<DoneTool> {
  const done = foreseen(plan);
  if ("leave" in plan) return done;
  if ("remove" in plan) {
    const deleted = gone.get(plan.remove.id) as DeletedTool;
    await tellDeleted(deps, principal, plan.remove, deleted);
    return { ...done, ...deleted };
  }
  if ("create" in plan) {
    const { tool: made, warnings } = plan.create;
    const tool = stored.get(made.id) as Tool;
    await tellCreated(deps, principal, tool);
    const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
    return { ...done, tool, warnings: [...warnings, ...unconfigured] };
  }
  const { update, wanted } = plan;
  const tool = stored.get(update.current.id) as Tool;
  await tellUpdated(deps, principal, tool, update, wanted);
  return { ...done, tool, warnings: await updateWarnings(deps, tool, update, wanted) };
}
