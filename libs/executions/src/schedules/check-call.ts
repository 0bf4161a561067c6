import {
  SCHEDULE_ARGUMENTS_BYTES_MAX,
  type CallContext,
  type JsonObject,
  type TenantPrincipal,
  type Tool,
  Fault,
  isBuiltInToolName,
} from "@bulkhead/core";
import { takeArguments } from "../submit/take-arguments.ts";
import { getTool } from "@bulkhead/tools";
import type { ScheduleDeps } from "./schedule-deps.ts";

/**
 * The tool of a schedule by id, or by what its name stands for to the agent in the context, with the arguments checked against its schema as a run's are. Throws `tool.not_found`,
 * `tool.arguments_invalid` and, where the arguments are too large, `request.invalid`.
 */
export async function checkCall(
  deps: Pick<ScheduleDeps, "tools" | "schemas">,
  principal: TenantPrincipal,
  ref: string,
  args: JsonObject,
  context: CallContext,
): Promise<Tool> {
  if (Buffer.byteLength(JSON.stringify(args)) > SCHEDULE_ARGUMENTS_BYTES_MAX) {
    const message = `must not have more than ${SCHEDULE_ARGUMENTS_BYTES_MAX} bytes as JSON`;
    throw new Fault("request.invalid", {
      detail: `The body is not valid: arguments: ${message}.`,
      errors: [{ path: "arguments", message }],
    });
  }
  const tool = await getTool(deps, principal, ref, context).catch((error: unknown) => {
    if (!isBuiltInToolName(ref) || !(error instanceof Fault) || error.code !== "tool.not_found") throw error;
    const detail = `${ref} comes with the platform, and schedules run tools of the tenant's alone: make one whose code calls it by utils.callTool("${ref}", …).`;
    throw new Fault("tool.not_found", { detail });
  });
  // The arguments are kept as they were given: each run fills in the defaults of its time.
  await takeArguments(deps, principal, `${tool.id}@${tool.version}`, tool, args);
  return tool;
}
