import {
  CALL_DEPTH_MAX,
  completeArguments,
  decideApproval,
  decideNestedApproval,
  eachInexact,
  INEXACT_ADVICE,
  shownName,
  toldDescription,
  type EffectAnswer,
  type JsonObject,
  type ListedTool,
  type ProvidedTool,
  type SchemaChecker,
  type Tool,
  type ToolProvider,
  type ToolScope,
} from "@bulkhead/core";
import { askerOfCall, sightBy, withGrant, type PolicyTool, type Sight } from "@bulkhead/policy";
import type { Policies } from "@bulkhead/tenants";
import { depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

/** What decides on a list: null where all is there. Of equal marks one list is kept. */
export type ListSight = Pick<Sight, "sees" | "mark"> | null;

export interface CallableDeps {
  policies: Pick<Policies, "of">;
  /** By id or name; may answer from memory for a moment. */
  findTool(tenantId: string, scope: ToolScope, ref: string): Promise<CallableTool | null>;
  /**
   * Active ones that are there, at most `LISTED_TOOLS_MAX`: those first whose calls ask nobody, since an agent may call no
   * others, then the newest. May answer from memory for a moment.
   */
  listActiveTools(
    tenantId: string,
    agentId: string | null,
    sight: ListSight,
  ): Promise<readonly ListableTool[]>;
  provider: Pick<ToolProvider, "listTools" | "callTool">;
  schemas: Pick<SchemaChecker, "checkArguments">;
}

/** The fields of a tool that a call of it needs; its code is read where it runs. */
export interface CallableTool extends Pick<
  Tool,
  | "id"
  | "name"
  | "alias"
  | "mcp"
  | "status"
  | "requiresApproval"
  | "approval"
  | "createdBy"
  | "agentId"
  | "version"
  | "parameters"
  | "idempotent"
  | "retention"
  | "applyDefaults"
> {
  /** That there is such code; it is read where it runs. */
  approvalCode?: true;
}

/** A tool as lists are made of it. */
export interface ListableTool extends Pick<ListedTool, "id" | "name" | "alias" | "mcp" | "requiresApproval"> {
  /** Its entry in lists, as JSON. */
  json: string;
}

/** Tools that one list holds, and the characters of their JSON together; what does not fit is left out. */
export const LISTED_TOOLS_MAX = 100;
const LIST_CHARS_MAX = 512 * 1024;
/** Characters of a place in arguments that a refusal names. */
const PATH_CHARS_MAX = 300;

/** What is there for whoever made the call that this run belongs to: a tool that runs for an agent opens it nothing more. */
export async function sightFor(
  { policies }: Pick<CallableDeps, "policies">,
  {
    tenantId,
    policyVersion,
    ...call
  }: Pick<HeldAttempt, "tenantId" | "policyVersion" | "byAgent" | "context">,
): Promise<Sight | null> {
  if (policyVersion === 0) return null;
  return sightBy(await policies.of(tenantId, policyVersion), askerOfCall(call));
}

type Refused = Extract<EffectAnswer, { ok: false }>;

/**
 * Why this caller may not call this tool; null when it may, perhaps after a look at `mustAskTool`. The called tool has its own
 * permissions and limits; what needs a person's word for an agent needs it however deep the agent's call stands.
 */
export function whyNotCallable(
  caller: HeldAttempt,
  tool: CallableTool,
  args: JsonObject,
  sight: Sight | null = null,
): Refused | null {
  const { name, status } = tool;
  if (status !== "active")
    return refusal("tool_not_found", `The tool "${name}" is ${status}; only active tools can be called.`);
  if (isInChain(caller, tool.id))
    return refusal(
      "tool_not_allowed",
      `The tool "${name}" is already among the callers: calls may not go in a circle.`,
    );
  if (depthOf(caller) >= CALL_DEPTH_MAX)
    return refusal(
      "call_limit",
      `The tool "${name}" can't be called: tools call tools at most ${CALL_DEPTH_MAX} deep.`,
    );
  return whyNotApproved(caller, tool, args, sight);
}

/** The same of a tool that comes with the platform, of which the tenant's settings alone say something. */
export function whyNotProvided(
  caller: HeldAttempt,
  { name }: ProvidedTool,
  args: JsonObject,
): Refused | null {
  return whyNotApproved(caller, unasked({ id: name, name, requiresApproval: false }), args);
}

/** A tool of which no more is known than whether it wants to be asked about. */
const unasked = <T>(tool: T) => ({ ...tool, approval: null, createdBy: "user" as const });

function whyNotApproved(
  caller: HeldAttempt,
  tool: Parameters<typeof decideApproval>[1] & PolicyTool,
  args: JsonObject,
  sight: Sight | null = null,
): Refused | null {
  const { name } = tool;
  const decision = caller.byAgent
    ? withGrant(decisionFor(caller)(caller.approvals, tool, args), sight, tool)
    : "preApproved";
  if (decision === "preApproved" || decision === "toolDecides") return null;
  const why = decision === "ask" ? NEEDS_PERSON : "is blocked for agents";
  return notAllowed(name, why);
}

export const NEEDS_PERSON = "runs only with a person's confirmation";

export const notAllowed = (name: string, why: string): Refused =>
  refusal("tool_not_allowed", `The tool "${name}" ${why}, and an agent asked for this execution.`);

/** Whether the called tool's own code is to be asked before it runs for this caller. */
export const mustAskTool = (caller: HeldAttempt, tool: CallableTool, args: JsonObject): boolean =>
  caller.byAgent && decisionFor(caller)(caller.approvals, tool, args) === "toolDecides";

/** A script that an agent brought itself was let run by nobody: what it calls needs what the agent's own calls need. */
const decisionFor = ({ callers, toolId }: Pick<HeldAttempt, "callers" | "toolId">) =>
  [...callers, toolId][0] === null ? decideApproval : decideNestedApproval;

/** The arguments as they would run, or a refusal: what holds for calls from outside holds here. */
export function completedFor(
  { byAgent, applyDefaults }: Pick<HeldAttempt, "byAgent" | "applyDefaults">,
  tool: Pick<Tool, "name" | "parameters" | "applyDefaults">,
  args: JsonObject,
): { arguments: JsonObject } | Refused {
  const how = { defaults: tool.applyDefaults ?? applyDefaults, nullsAreAbsent: byAgent };
  const completed = completeArguments(tool.parameters, args, how);
  if ("arguments" in completed) return completed;
  return refusal("invalid_request", `The arguments of "${tool.name}" ${completed.fault}.`);
}

/** The faults of the arguments, as a refusal; `key` names an immutable schema. */
export async function whyNotValid(
  { schemas }: Pick<CallableDeps, "schemas">,
  { tenantId }: Pick<HeldAttempt, "tenantId">,
  tool: Pick<Tool, "name" | "parameters">,
  key: string,
  args: JsonObject,
): Promise<Refused | null> {
  const [first] = await schemas.checkArguments(tenantId, key, tool.parameters, args);
  if (first === undefined) return null;
  return refusal(
    "invalid_request",
    `The arguments of "${tool.name}" are not valid: ${first.path}: ${first.message}.`,
  );
}

/** The arguments of a call; null where they are no JSON object. */
export function readArguments(json: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

/** Where arguments have a number that would be rounded, as a refusal: what holds for calls from outside holds here. */
export function whyInexact(name: string, json: string): Refused | null {
  const paths: string[] = [];
  eachInexact(
    json,
    null,
    () => null,
    (place) => {
      paths.push(place.path().join(".").slice(0, PATH_CHARS_MAX));
      return false;
    },
  );
  const [path] = paths;
  if (path === undefined) return null;
  return refusal("invalid_request", `The arguments of "${name}" are not exact: ${path} ${INEXACT_ADVICE}.`);
}

/** Writes the JSON once, for all the lists that the tool is in. */
export const toListable = (tool: ListedTool): ListableTool => ({
  id: tool.id,
  name: tool.name,
  alias: tool.alias,
  mcp: tool.mcp,
  requiresApproval: tool.requiresApproval,
  json: toJson({ ...tool, name: shownName(tool), description: toldDescription(tool) }),
});

/** Takes of a whole tool exactly what a call of it needs. */
export const toCallable = ({
  id,
  name,
  alias,
  mcp,
  status,
  requiresApproval,
  approval,
  createdBy,
  agentId,
  version,
  parameters,
  idempotent,
  retention,
  applyDefaults,
  approvalCode,
}: Tool): CallableTool => ({
  id,
  name,
  alias,
  mcp,
  status,
  requiresApproval,
  approval,
  createdBy,
  agentId,
  version,
  parameters,
  idempotent,
  retention,
  applyDefaults,
  ...(approvalCode !== undefined && { approvalCode: true }),
});

const toJson = ({ name, description, parameters }: Omit<ProvidedTool, "needsNetwork">): string =>
  JSON.stringify({ name, description, parameters });

/** Lists what this caller may call, as JSON: the tools in its scope as they are listed, then those of the platform. */
export async function listCallable(
  deps: CallableDeps,
  caller: HeldAttempt,
  hasNetwork: boolean,
): Promise<string> {
  const { tenantId, scopeAgentId } = caller;
  const sight = await sightFor(deps, caller);
  const active =
    depthOf(caller) < CALL_DEPTH_MAX ? await deps.listActiveTools(tenantId, scopeAgentId, sight) : [];
  const own = active.filter((tool) => !isInChain(caller, tool.id) && isApproved(caller, tool, sight));
  const taken = new Set(active.map(shownName));
  const provided = deps.provider
    .listTools()
    .filter(({ name, needsNetwork }) => !taken.has(name) && (hasNetwork || !needsNetwork))
    .filter((tool) => isThere(sight, tool))
    .filter((tool) => whyNotProvided(withoutRules(caller), tool, {}) === null);
  const listed: string[] = [];
  let chars = 0;
  for (const json of [...own.map((tool) => tool.json), ...provided.map(toJson)]) {
    if (chars + json.length > LIST_CHARS_MAX) continue;
    chars += json.length;
    listed.push(json);
  }
  return `[${listed.join(",")}]`;
}

const isThere = (sight: Sight | null, tool: PolicyTool): boolean => sight?.sees(tool) ?? true;
const isInChain = ({ toolId, callers }: HeldAttempt, id: string): boolean =>
  toolId === id || callers.includes(id);

const isApproved = (caller: HeldAttempt, tool: ListableTool, sight: Sight | null): boolean =>
  whyNotApproved(withoutRules(caller), unasked(tool), {}, sight) === null;

/** As far as a list can tell, which knows no arguments: what it shows may still be refused when it is called. */
function withoutRules(caller: HeldAttempt): HeldAttempt {
  return { ...caller, approvals: { ...caller.approvals, rules: [] } };
}
