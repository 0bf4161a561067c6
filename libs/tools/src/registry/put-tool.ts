import { agentOf, Fault, scopeOfAgent, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { askingOnce } from "./asking-once.ts";
import { changeTool } from "./change-tool.ts";
import { createTool, type CreateToolRequest } from "./create-tool.ts";
import { recordHashOf } from "./record-hash.ts";
import { changedMeanwhile, isOfState } from "./seen-state.ts";
import { tellUpdated, judgeUpdate, storeUpdate, updateWarnings } from "./update-tool.ts";
import { changedIn, differenceOf } from "./tool-difference.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** What has to be there under the name, else nothing is put. */
export interface PutCondition {
  /** Whether there has to be a tool; null: both will do. */
  exists: boolean | null;
  /** It must have one of these: ETags, or hashes of its record or of what runs; null: it may be as it is. */
  tags: readonly string[] | null;
}

export interface PutTool {
  tool: Tool;
  warnings: string[];
  outcome: "created" | "updated" | "unchanged";
  /** The fields that an update changed. */
  changed?: string[];
}

/** Looks at what is there, each followed by one that somebody else created or deleted just then. */
const LOOKS_MAX = 5;

/**
 * Makes the tool of this name and owner what a creation would make: it is created, or changed in the fields that differ, as
 * `createTool` and `updateTool` do. Where none differs nothing is stored, recorded or announced. Who made a tool stays: what
 * a model made takes no person's place (`tool.made_by_user`). Throws what they throw, and `tool.precondition_failed`.
 */
export async function putTool(
  deps: ToolDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
  condition: PutCondition,
): Promise<PutTool> {
  const judging = { ...deps, ...askingOnce(deps) };
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const current = await findNamed(deps, principal, request);
    requireCondition(current, condition);
    const put = current
      ? await changeNamed(judging, principal, current, request, condition)
      : await createNamed(judging, principal, request);
    if (put) return put;
  }
  throw changedMeanwhile(null);
}

/** The tool that its owner has under this very name. */
export async function findNamed(
  { tools }: { tools: Pick<ToolDeps["tools"], "find"> },
  principal: TenantPrincipal,
  { name, agentId: said }: Pick<CreateToolRequest, "name" | "agentId">,
): Promise<Tool | null> {
  const agentId = agentOf(principal, said);
  const tool = await tools.find(principal.tenantId, name, scopeOfAgent(agentId));
  return tool?.name === name && tool.agentId === agentId ? tool : null;
}

/** Throws `tool.precondition_failed`. */
export function requireCondition(tool: Tool | null, { exists, tags }: PutCondition): void {
  if (exists !== null && exists !== (tool !== null))
    throw new Fault("tool.precondition_failed", {
      detail: tool ? "There is a tool of this name." : "There is no tool of this name.",
    });
  if (tool && tags && !tags.some((tag) => isNamed(tag, tool)))
    throw new Fault("tool.precondition_failed", {
      detail: "The tool is not as If-Match says; read it again, then decide anew.",
    });
}

const isNamed = (tag: string, tool: Tool): boolean =>
  isOfState(tag, tool) || tag === tool.contentHash || tag === recordHashOf(tool);

/** Null where somebody else created it meanwhile. */
async function createNamed(
  deps: ToolDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<PutTool | null> {
  try {
    return { ...(await createTool(deps, principal, request)), outcome: "created" };
  } catch (error) {
    const isTaken = error instanceof Fault && error.code === "tool.name_taken";
    if (isTaken && (await findNamed(deps, principal, request))) return null;
    throw error;
  }
}

/** Null where it was deleted or renamed meanwhile. */
async function changeNamed(
  deps: ToolDeps,
  principal: TenantPrincipal,
  { id }: Tool,
  request: CreateToolRequest,
  condition: PutCondition,
): Promise<PutTool | null> {
  const put = await changeTool(deps, principal, { ref: id, seen: null }, async (found) => {
    if (found.name !== request.name) return null;
    requireCondition(found, condition);
    requireSameMaker(found, request);
    const wanted = differenceOf(found, request, principal);
    const judged = await judgeUpdate(deps, principal, found, wanted);
    const isSame = Object.keys(judged.change).length === 0;
    return { wanted, isSame, judged, tool: isSame ? found : await storeUpdate(deps, found, judged, null) };
  }).catch((error: unknown) => {
    if (error instanceof Fault && error.code === "tool.not_found") return null;
    throw error;
  });
  if (!put) return null;
  const { wanted, isSame, judged, tool } = put;
  if (!isSame) await tellUpdated(deps, principal, tool, judged, wanted);
  return {
    tool,
    warnings: await updateWarnings(deps, tool, judged, request),
    ...(isSame ? { outcome: "unchanged" } : { outcome: "updated", changed: changedIn(wanted) }),
  };
}

/** Throws `tool.made_by_user` where a model's tool would take the place of a person's. */
export function requireSameMaker(tool: Tool, { createdBy }: Pick<CreateToolRequest, "createdBy">): void {
  if (createdBy === "user" || tool.createdBy === "llm") return;
  throw new Fault("tool.made_by_user", {
    detail: `A person made the tool ${tool.name}, so a model's can't take its place; leave createdBy out if a person changes it.`,
  });
}
