import type { ProvidedTool } from "../tool/tool-provider.ts";
import type {
  ApprovalDecision,
  ApprovalRule,
  ApprovalSettings,
  CallDecision,
  StandingApproval,
} from "./approval.ts";
import { matchArguments } from "./argument-pattern.ts";
import type { JsonObject } from "../json/json.ts";
import { asksPerson, settledBy, type ActingMetaTool } from "../tool/meta-tools.ts";
import type { Tool } from "../tool/tool.ts";

interface Called extends Pick<Tool, "id" | "name" | "approval" | "requiresApproval" | "createdBy"> {
  /** That there is such code is all that counts: lists say so without its text. */
  approvalCode?: string | true;
}

/**
 * Decides what an agent's call of a tool needs. The first rule that says something holds: the tenant blocks the tool (or
 * these arguments of it); the tool's own `approval`, or its `requiresApproval`, which means `ask`; the tenant's rules for
 * such arguments; the tenant's setting for the tool; the tenant's default. A model's tool can't approve itself. Calls of
 * people need no approval. A tool with `approvalCode` decides in place of the tenant's default, and of what lets it run:
 * where the tenant says `ask` a person is asked whatever the code would say.
 */
export function decideApproval(settings: ApprovalSettings, tool: Called, args: JsonObject): CallDecision {
  const said = saidOf(settings, [tool.id, tool.name], args);
  if (said.includes("blocked")) return "blocked";
  const own = ownDecision(tool);
  if (own !== null) return own;
  if (tool.approvalCode !== undefined) return said[0] === "ask" ? "ask" : "toolDecides";
  return said[0] ?? settings.default;
}

/**
 * `decideApproval` for a call that a tool makes on behalf of an agent. The approval of the first call covers the calls
 * that it makes, so only a rule about the called tool itself can ask.
 */
export const decideNestedApproval = (settings: ApprovalSettings, tool: Called, args: JsonObject) =>
  decideApproval(
    { ...settings, default: settings.default === "ask" ? "preApproved" : settings.default },
    tool,
    args,
  );

/**
 * `decideApproval` for an agent's call of a tool that comes with the platform. One that only touches the agent's own things
 * asks nobody where nothing is said of it: a person would be asked about each line of a file. One that reaches outside needs a
 * word of it by its name: a default that lets agents run the tenant's tools was said of those.
 */
export function decideBuiltIn(settings: ApprovalSettings, tool: BuiltIn, args: JsonObject): ApprovalDecision {
  const decision = decideApproval(heardFor(settings, tool), asCalled(tool), args);
  return decision === "toolDecides" ? "ask" : decision;
}

type BuiltIn = Pick<ProvidedTool, "name" | "letBy">;

const asCalled = ({ name }: BuiltIn): Called => ({
  id: name,
  name,
  approval: null,
  requiresApproval: false,
  createdBy: "user",
});

function heardFor(settings: ApprovalSettings, { letBy }: BuiltIn): ApprovalSettings {
  const from = letBy === "policy" ? "ask" : "preApproved";
  const to = letBy === "policy" ? "preApproved" : "ask";
  return settings.default === from ? { ...settings, default: to } : settings;
}

/**
 * Decides what an agent's call of an acting meta-tool needs. The first rule that says something holds: the tenant blocks
 * the meta-tool (or these arguments of it); the tenant's rules for such arguments; the tenant's setting for the meta-tool;
 * `metaTools`, or for code that is run `default`. A meta-tool whose call can't wait for a person is never `ask`: that
 * setting doesn't apply to it.
 */
export function decideMetaTool(
  settings: ApprovalSettings,
  name: ActingMetaTool,
  args: JsonObject,
): ApprovalDecision {
  const said = saidOf(settings, [name], args);
  if (said.includes("blocked")) return "blocked";
  const holding = [...said, settings[settledBy(name)]].filter((one) => one !== "ask" || asksPerson(name));
  return holding[0] ?? "preApproved";
}

/**
 * Whether `decideApproval` answers `ask` for some call of the tool, as far as that is known without arguments. Arguments
 * that are too long to be compared are ignored.
 */
export function mayAsk(settings: ApprovalSettings, tool: Called): boolean {
  const refs = [tool.id, tool.name];
  const listed = listedOf(settings, refs);
  const rules = settings.rules.filter(({ tool: ref }) => refs.includes(ref));
  const forAll = rules.findIndex(matchesAll);
  if (listed.includes("blocked") || rules.some((rule) => matchesAll(rule) && rule.decision === "blocked"))
    return false;
  const own = ownDecision(tool);
  if (own !== null) return own === "ask";
  if (tool.approvalCode !== undefined) return true;
  const heard = (forAll < 0 ? rules : rules.slice(0, forAll + 1)).map(({ decision }) => decision);
  const last = forAll < 0 ? (listed[0] ?? settings.default) : null;
  return heard.includes("ask") || last === "ask";
}

/** `mayAsk` for a tool that comes with the platform: whether `decideBuiltIn`, or a rule about command lines, asks for some call. */
export function mayAskBuiltIn(
  settings: ApprovalSettings,
  tool: BuiltIn & Pick<ProvidedTool, "capability">,
): boolean {
  if (mayAsk(heardFor(settings, tool), asCalled(tool))) return true;
  const ruled = tool.capability === "shell" && settings.commands.some(({ approval }) => approval === "ask");
  return ruled && decideBuiltIn(settings, tool, {}) !== "blocked";
}

const matchesAll = ({ argument, pattern }: ApprovalRule): boolean =>
  argument === null && /^\*+$/.test(pattern);

/** Null where the tool leaves it to its tenant. */
function ownDecision({ approval, requiresApproval, createdBy }: Called): ApprovalDecision | null {
  if (createdBy === "llm") return approval === "blocked" ? "blocked" : "ask";
  return approval ?? (requiresApproval ? "ask" : null);
}

/**
 * The decisions of the tenant's rules for such arguments, then those of its settings, for anything that has one of these
 * names; the first one holds.
 */
function saidOf(settings: ApprovalSettings, refs: readonly string[], args: JsonObject): ApprovalDecision[] {
  const rules = settings.rules.filter((rule) => refs.includes(rule.tool) && holds(rule, args));
  return [...rules.map(({ decision }) => decision), ...listedOf(settings, refs)];
}

const listedOf = ({ tools }: ApprovalSettings, refs: readonly string[]): ApprovalDecision[] =>
  refs.flatMap((ref) => (Object.hasOwn(tools, ref) ? (tools[ref] ?? []) : []));

/**
 * For arguments that are too long to be compared the stricter reading holds: a rule that approves does not match, others
 * do.
 */
function holds(rule: ApprovalRule, args: JsonObject): boolean {
  const matched = matchArguments(rule, args);
  return matched === "match" || (matched === "too_long" && rule.decision !== "preApproved");
}

/** The first of the standing approvals of the tool's version that is for a call with these arguments. */
export const standingFor = <S extends Pick<StandingApproval, "pattern">>(
  standing: readonly S[],
  args: JsonObject,
): S | undefined =>
  standing.find(({ pattern }) => pattern === null || matchArguments(pattern, args) === "match");
