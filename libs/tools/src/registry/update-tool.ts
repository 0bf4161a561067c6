import type { UpdateToolRequest } from "./next-definition.ts";
import {
  changedFields,
  namesOf,
  type TenantPrincipal,
  type Tool,
  type ToolChange,
  type Waits,
} from "@bulkhead/core";
import { approvedByChange, judgeChange, nameRecordOf } from "./review/capabilities.ts";
import { propose } from "./review/propose.ts";
import { proposerOf } from "./review/proposal.ts";
import { askingOnce } from "./asking-once.ts";
import { requireOwnFields } from "./bridged-rules.ts";
import { changeTool } from "./change-tool.ts";
import { idleApprovalCode } from "./check-approval-code.ts";
import { checkDefinition, checkName } from "./check-definition.ts";
import { checkLimits } from "./check-limits.ts";
import { variableWarnings } from "./command-fields.ts";
import { confirmationWarnings } from "./confirmation-warnings.ts";
import { keepServices, serviceWarnings } from "./keep-services.ts";
import { nextVersion } from "./next-definition.ts";
import { changedMeanwhile, type SeenAs } from "./seen-state.ts";
import { tellChange } from "./tell-change.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * Changes a tool; a change of anything that affects a run makes the next version, and nothing else does. A version of a
 * model's tool that has to wait leaves the serving one in place, and replaces another waiting one. Throws like creation,
 * `tool.precondition_failed` if the tool is not as the caller has seen it, and without a seen state `tool.changed` if
 * others change it again and again meanwhile.
 */
export async function updateTool(
  deps: ToolDeps,
  principal: TenantPrincipal,
  ref: string,
  request: UpdateToolRequest,
  seen: SeenAs = null,
): Promise<{ tool: Tool; warnings: string[] }> {
  const judging = { ...deps, ...askingOnce(deps) };
  const { tool, judged } = await changeTool(deps, principal, { ref, seen }, async (found) => {
    const made = await judgeUpdate(judging, principal, found, request);
    return { judged: made, tool: await storeUpdate(deps, found, made, seen) };
  });
  await tellUpdated(deps, principal, tool, judged, request);
  return { tool, warnings: await updateWarnings(deps, tool, judged, request) };
}

/** A change as it was judged for one state of its tool, `current`; it holds for that state alone. */
export interface JudgedUpdate {
  current: Tool;
  /** Empty where it changes nothing. */
  change: ToolChange;
  /** Null: the next version, if there is one, need not wait. */
  waits: Waits | null;
  codeWarnings: string[];
}

/** Checks and judges the change for the tool as it was found; nothing is stored. */
export async function judgeUpdate(
  deps: Pick<ToolDeps, "tools" | "schemas" | "stripper" | "vault">,
  principal: TenantPrincipal,
  current: Tool,
  request: UpdateToolRequest,
): Promise<JudgedUpdate> {
  const {
    title,
    annotations,
    description,
    category,
    metadata,
    requiredApiKeys,
    requiredConfigServices,
    requiresApproval,
    approval,
    idempotent,
    applyDefaults,
    retry,
    dispatch,
    retention,
  } = request;
  requireOwnFields(current, request);
  const named = nextNames(current, request);
  if (request.limits) checkLimits(request.limits, principal);
  const next = await nextVersion(deps, current, request);
  const { definition } = next;
  const codeWarnings = definition
    ? [
        ...(await checkDefinition(deps.schemas, principal, definition)),
        ...variableWarnings(definition, request),
      ]
    : [];
  const waits = definition ? judgeChange(current, definition, principal) : null;
  const change: ToolChange = {
    ...named,
    ...(title === undefined ? {} : { title }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(description === undefined ? {} : { description }),
    ...(category === undefined ? {} : { category }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(approval === undefined ? {} : { approval }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(applyDefaults === undefined ? {} : { applyDefaults }),
    ...(retry === undefined ? {} : { retry }),
    ...(dispatch === undefined ? {} : { dispatch }),
    ...(retention === undefined ? {} : { retention }),
    ...(requiredApiKeys === undefined ? {} : { requiredApiKeys }),
    ...(requiredConfigServices === undefined ? {} : { requiredConfigServices }),
    ...(requiresApproval === undefined
      ? {}
      : { requiresApproval: current.createdBy === "llm" || requiresApproval }),
    ...next,
    ...(waits ? { review: { ...waits, proposedBy: proposerOf(principal, request.conversationId) } } : {}),
    ...(definition && !waits ? approvedByChange(current, definition, principal) : {}),
  };
  return { current, change, waits, codeWarnings };
}

/** Throws `changedMeanwhile` where the tool has left the state that the change was judged for. */
export async function storeUpdate(
  { tools }: Pick<ToolDeps, "tools">,
  { tenantId, id, revision }: Tool,
  { change }: JudgedUpdate,
  seen: SeenAs,
): Promise<Tool> {
  const tool = await tools.update(tenantId, id, revision, change);
  if (!tool) throw changedMeanwhile(seen);
  return tool;
}

/** Announces and records a change that was stored, which made `tool`. */
export async function tellUpdated(
  deps: ToolDeps,
  principal: TenantPrincipal,
  tool: Tool,
  { current, change: { definition }, waits }: JudgedUpdate,
  request: UpdateToolRequest,
): Promise<void> {
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id, tenantId: tool.tenantId });
  const { goesOnFrom: _from, conversationId: _conversation, ...changed } = request;
  const details = { versionBefore: current.version, fields: changedFields(changed, ["limits"]) };
  if (definition && waits)
    await propose(deps, principal, { before: current, after: tool, definition, details });
  else await tellChange(deps, principal, "updated", { before: current, after: tool, details });
  await keepServices(deps, principal, { before: current, after: tool, definition });
}

/** Warns the maker of what the changed tool lacks, and of settings that have no effect on it. */
export async function updateWarnings(
  deps: Pick<ToolDeps, "toolServices">,
  tool: Tool,
  { codeWarnings }: Pick<JudgedUpdate, "codeWarnings">,
  asked: Parameters<typeof confirmationWarnings>[1],
): Promise<string[]> {
  const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
  const idle = [...confirmationWarnings(tool, asked), ...idleApprovalCode(tool)];
  return [...codeWarnings, ...idle, ...unconfigured];
}

/**
 * The name and the alias after the request, as far as it says anything of them. The records of old ones stay, so that a new
 * tool that takes one can't get around an approval. Throws `request.invalid`.
 */
function nextNames(
  current: Tool,
  { name = current.name, alias: asked }: UpdateToolRequest,
): Pick<ToolChange, "name" | "alias" | "nameRecord"> {
  const wanted = asked === undefined ? current.alias : asked;
  const alias = wanted === name ? null : wanted;
  if (name !== current.name) checkName(name);
  if (alias !== null && alias !== current.alias) checkName(alias, "alias");
  const kept = namesOf({ name, alias });
  const given = namesOf(current).filter((one) => !kept.includes(one));
  const nameRecord = given.length > 0 ? nameRecordOf(current, given) : null;
  return {
    ...(name === current.name ? {} : { name }),
    ...(alias === current.alias ? {} : { alias }),
    ...(nameRecord ? { nameRecord } : {}),
  };
}
