import { canonicalJson, servicesOf, type RetryPolicy, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { checkAllowedHosts } from "./check-allowed-hosts.ts";
import { checkLimits } from "./check-limits.ts";
import { asWhole, type CreateToolRequest } from "./create-tool.ts";
import type { UpdateToolRequest } from "./next-definition.ts";
import { SAID } from "./record-hash.ts";
import { withoutSource } from "./tool-source.ts";

/**
 * The change that makes the tool what the creation would have made: a field is in it only where the two differ, whatever the
 * order of what has none. Throws `request.invalid` for hosts and limits.
 */
export function differenceOf(
  current: Tool,
  request: CreateToolRequest,
  principal: TenantPrincipal,
): UpdateToolRequest {
  const before = { ...current, metadata: withoutSource(current.metadata) };
  const whole = asWhole(request);
  const wanted = {
    ...whole,
    alias: request.alias === request.name ? null : request.alias,
    metadata: withoutSource(request.metadata),
    allowedHosts: checkAllowedHosts(request.allowedHosts),
    // As a new model's tool under a name that people blocked: the block stays until a person says otherwise.
    approval: request.approval ?? (isBlockedModels(current) ? "blocked" : null),
    requiresApproval: current.createdBy === "llm" || (request.requiresApproval ?? false),
  };
  const fields = SAID.filter((field) => textOf(field, wanted[field]) !== textOf(field, before[field]));
  const changed: UpdateToolRequest = Object.fromEntries(fields.map((field) => [field, wanted[field]]));
  if (request.command !== undefined) Object.assign(changed, commandChange(current, request));
  const approvalCode = request.approvalCode ?? null;
  if (approvalCode !== (current.approvalCode ?? null)) changed.approvalCode = approvalCode;
  const limits = checkLimits(whole.limits, principal);
  const other = Object.entries(limits).filter(
    ([name, value]) => current.limits[name as keyof typeof limits] !== value,
  );
  if (request.command !== undefined && !current.shell) other.push(["wallMs", limits.wallMs]);
  if (other.length > 0) changed.limits = Object.fromEntries(other);
  // The lists describe the newest version, which may wait; another one that runs has services of its own.
  const { requiredApiKeys, requiredConfigServices } = request;
  if (textOf("services", servicesOf(request)) !== textOf("services", current.services))
    Object.assign(changed, { requiredApiKeys, requiredConfigServices });
  return changed;
}

/** Of a command: values of variables are compared where they are sealed, and stay where nothing is said of them. */
function commandChange(
  { shell }: Tool,
  { command, workingDirectory = "", env }: CreateToolRequest,
): Pick<UpdateToolRequest, "command" | "workingDirectory" | "env"> {
  return {
    ...(command !== undefined && command !== shell?.template && { command }),
    ...(workingDirectory !== (shell?.workingDirectory ?? "") && { workingDirectory }),
    ...(env !== undefined && { env }),
  };
}

/** The fields of a difference, for people. */
export const changedIn = (difference: UpdateToolRequest): string[] => Object.keys(difference).toSorted();

const isBlockedModels = ({ createdBy, approval }: Tool): boolean =>
  createdBy === "llm" && approval === "blocked";

const textOf = (field: string, value: unknown): string => canonicalJson(unordered(field, value));

/** Lists whose order means nothing are stored in one of their own. */
function unordered(field: string, value: unknown): unknown {
  if (field === "permissions" || field === "services") return [...new Set(value as string[])].toSorted();
  if (field !== "retry" || value === null) return value;
  const retry = value as RetryPolicy;
  return { ...retry, on: [...new Set(retry.on)].toSorted() };
}
