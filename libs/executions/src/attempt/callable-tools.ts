import {
  CALL_DEPTH_MAX,
  completeArguments,
  decideApproval,
  decideNestedApproval,
  eachInexact,
  permissionsOfCall,
  INEXACT_ADVICE,
  scopeOfAgent,
  type EffectAnswer,
  type JsonObject,
  type Permission,
  type ProvidedTool,
  type SchemaChecker,
  type Tool,
  type ToolProvider,
  type ToolScope,
} from "@bulkhead/core";
import { askerOfCall, sightBy, withGrant, type PolicyTool, type Sight } from "@bulkhead/policy";
import type { Policies } from "@bulkhead/tenants";
import { depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

export interface CallableDeps {
  policies: Pick<Policies, "of">;
  /** By id or name; may answer from memory for a moment. */
  findTool(tenantId: string, scope: ToolScope, ref: string): Promise<CallableTool | null>;
  provider: Pick<ToolProvider, "callTool" | "listTools" | "whyMissing">;
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

/** Finds the tool that the name stands for to the caller; in a person's tool no model's takes a name of the tenant's. */
export async function findCalled(
  { findTool }: Pick<CallableDeps, "findTool">,
  { tenantId, scopeAgentId, madeBy }: Pick<HeldAttempt, "tenantId" | "scopeAgentId" | "madeBy">,
  name: string,
): Promise<CallableTool | null> {
  const tool = await findTool(tenantId, scopeOfAgent(scopeAgentId), name);
  const mayHijack = madeBy === "user" && tool?.createdBy === "llm" && tool.agentId !== null;
  return (mayHijack ? await findTool(tenantId, scopeOfAgent(null), name) : null) ?? tool;
}

type Refused = Extract<EffectAnswer, { ok: false }>;

/** What is let to a run depends on this of it. */
type LetCaller = Pick<HeldAttempt, "byAgent" | "approvals" | "callers" | "toolId" | "isAllowed">;

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

/**
 * The same of a tool that comes with the platform, of which the tenant's settings say something, and the permissions of the
 * tool that calls it: what it reaches it reaches for that one.
 */
export function whyNotProvided(
  caller: HeldAttempt,
  provided: ProvidedTool,
  args: JsonObject,
  permissions: readonly Permission[],
): Refused | null {
  const { name } = provided;
  return (
    whyNotOwnCall(caller, provided) ??
    whyNotPermitted(provided, args, permissions) ??
    whyNotApproved(caller, asCalled(name), args, null, decisionForProvided(caller, provided))
  );
}

/** What is for keys' own calls alone runs in the script of such a call, and for no tool or script that calls it. */
const whyNotOwnCall = (
  { toolId, toolName, callers }: Pick<HeldAttempt, "toolId" | "toolName" | "callers">,
  { name, onlyForKeys }: ProvidedTool,
): Refused | null =>
  onlyForKeys === undefined || (toolId === null && callers.length === 0 && toolName === name)
    ? null
    : refusal(
        "tool_not_allowed",
        `"${name}" runs by the own call of a key alone: no tool or script may call it.`,
      );

/** Only a tool with the permissions may call it so. */
export function whyNotPermitted(
  provided: ProvidedTool,
  args: JsonObject,
  permissions: readonly Permission[],
): Refused | null {
  const missing = permissionsOfCall(provided, args).find((one) => !permissions.includes(one));
  if (missing === undefined) return null;
  const [argument] =
    Object.entries(provided.argumentNeeds ?? {}).find(([, needed]) => needed === missing) ?? [];
  const what = missing === provided.needs || argument === undefined ? "" : ` with ${argument}`;
  return refusal(
    "tool_not_allowed",
    `"${provided.name}"${what} needs the permission ${missing}, and the tool that calls it has no ${missing} permission.`,
  );
}

export const asCalled = (name: string) =>
  ({ id: name, name, requiresApproval: false, approval: null, createdBy: "user" }) as const;

export const decisionForProvided = (caller: HeldAttempt, { letBy }: Pick<ProvidedTool, "letBy">) =>
  letBy === "policy" ? decideNestedApproval : decisionFor(caller);

/** Why the tool may not be called for an agent; null where it may, perhaps after a look at `mustAskTool`. */
export function whyNotApproved(
  caller: LetCaller,
  tool: Parameters<typeof decideApproval>[1] & PolicyTool,
  args: JsonObject,
  sight: Sight | null = null,
  decide = decisionFor(caller),
): Refused | null {
  const { name } = tool;
  const decision = caller.byAgent
    ? withGrant(decide(caller.approvals, tool, args), sight, tool)
    : "preApproved";
  if (decision === "preApproved" || decision === "toolDecides") return null;
  if (decision === "ask" && isAllowedScript(caller)) return null;
  const why = decision === "ask" ? NEEDS_PERSON : "is blocked for agents";
  return notAllowed(name, why);
}

/** The script of a built-in tool's call: a person was asked about that very call. */
export const isAllowedScript = ({ callers, toolId, isAllowed }: LetCaller): boolean =>
  isAllowed === true && toolId === null && callers.length === 0;

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

/** Whether the tool with this id is the caller, or one of those whose calls led to it. */
export const isInChain = (
  { toolId, callers }: Pick<HeldAttempt, "toolId" | "callers">,
  id: string,
): boolean => toolId === id || callers.includes(id);
