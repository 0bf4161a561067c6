import type { EffectAnswer, JsonObject, Permission, ProvidedTool } from "@bulkhead/core";
import { decideCommand, judgeTenantCommand } from "@bulkhead/tools/built-in";
import { commandOf, rulesFor } from "../submit/built-in-tool.ts";
import {
  asCalled,
  decisionForProvided,
  isAllowedScript,
  NEEDS_PERSON,
  whyNotPermitted,
  whyNotProvided,
} from "./callable-tools.ts";
import { refusal, type HeldAttempt } from "./tool-calls.ts";

type Refused = Extract<EffectAnswer, { ok: false }>;

/**
 * `whyNotProvided` for a call whose arguments are valid: where it holds a command line, the tenant's rules for commands speak
 * before what is said of the tool. What has to wait for a person is refused, since nobody can be asked in the midst of a run.
 */
export async function whyNotRunnable(
  caller: HeldAttempt,
  provided: ProvidedTool,
  args: JsonObject,
  permissions: readonly Permission[],
): Promise<Refused | null> {
  const line = caller.byAgent ? commandOf(provided.name, args) : null;
  const { commands } = caller.approvals;
  if (line === null || commands.length === 0) return whyNotProvided(caller, provided, args, permissions);
  const unpermitted = whyNotPermitted(provided, args, permissions);
  if (unpermitted) return unpermitted;
  const judged = await judgeTenantCommand(caller.tenantId, line.command, rulesFor(line, commands), line.cwd);
  if (judged.verdict === "refuse") return refusal("tool_not_allowed", judged.message);
  const ofTool = decisionForProvided(caller, provided)(caller.approvals, asCalled(provided.name), args);
  const decision = decideCommand(judged, ofTool === "toolDecides" ? "ask" : ofTool);
  if (decision === "preApproved" || (decision === "ask" && isAllowedScript(caller))) return null;
  const why = decision === "ask" ? NEEDS_PERSON : "is blocked for agents";
  return refusal("tool_not_allowed", `The command ${why}, and an agent asked for this execution.`);
}
