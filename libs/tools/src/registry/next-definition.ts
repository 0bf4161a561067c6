import {
  contentHash,
  definitionOf,
  servicesOf,
  type JsonObject,
  type Permission,
  type RequiredApiKey,
  type RequiredConfigService,
  type Retention,
  type RetryPolicy,
  type RunLimits,
  type ToolDispatch,
  type ToolHints,
  type ToolLanguage,
  type ApprovalDecision,
  type Tool,
  type ToolChange,
  type ToolDefinition,
  type ToolVersion,
} from "@bulkhead/core";
import { checkAllowedHosts } from "./check-allowed-hosts.ts";
import { limitsOfCommand, requireOneKind, sealVariables, type CommandFields } from "./command-fields.ts";
import { compileCode } from "./compile-code.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { requireVersion } from "../versions/read-versions.ts";

/** Undefined fields stay as they are. */
export interface UpdateToolRequest extends CommandFields {
  name?: string;
  /** Null, or the tool's name: models see the name. */
  alias?: string | null;
  title?: string | null;
  annotations?: ToolHints | null;
  description?: string;
  parameters?: JsonObject;
  code?: string;
  language?: ToolLanguage;
  /** Null: any result will do. */
  outputSchema?: JsonObject | null;
  category?: string | null;
  permissions?: Permission[];
  limits?: Partial<RunLimits>;
  /** Null: any public host. */
  allowedHosts?: string[] | null;
  idempotent?: boolean;
  applyDefaults?: boolean | null;
  retry?: RetryPolicy | null;
  dispatch?: ToolDispatch | null;
  retention?: Retention | null;
  requiresApproval?: boolean;
  approval?: ApprovalDecision | null;
  /** Null: there is none. */
  approvalCode?: string | null;
  metadata?: JsonObject | null;
  requiredApiKeys?: RequiredApiKey[];
  requiredConfigServices?: RequiredConfigService[];
  /** The base of the change: the version that serves by default, or the newest one, even if it waits. */
  goesOnFrom?: "latest";
  /** In which conversation it was asked for. */
  conversationId?: string | undefined;
}

/** The part of a change that decides the tool's next version; empty if nothing changes that affects a run. */
export type NextVersion = Pick<ToolChange, "definition" | "withdraw">;

/**
 * The version after the request. A model goes on from its last version, even a waiting one; a person goes on from the
 * running version, which is the one that people see. Going back to the running version withdraws the waiting one.
 */
export async function nextVersion(
  deps: Pick<ToolDeps, "stripper" | "tools" | "vault">,
  current: Tool,
  request: UpdateToolRequest,
): Promise<NextVersion> {
  const waiting =
    current.pendingVersion === null ? null : await requireVersion(deps, current, current.pendingVersion);
  const base = (request.goesOnFrom === "latest" ? waiting : null) ?? current;
  const next = await nextDefinition(deps, current, definitionOf(base), request);
  // Computed, not the stored hashes, which were made of the fields that a definition had then.
  const hash = contentHash(next);
  if (hash === contentHash(base) || isLike(waiting, hash)) return {};
  return hash === contentHash(current) ? { withdraw: true } : { definition: next };
}

const isLike = (version: ToolVersion | null, hash: string): boolean =>
  version !== null && contentHash(version) === hash;

async function nextDefinition(
  deps: Pick<ToolDeps, "stripper" | "vault">,
  current: Tool,
  base: ToolDefinition,
  request: UpdateToolRequest,
): Promise<ToolDefinition> {
  const command = await nextCommand(deps, current, base, request);
  if (command) return command;
  const { code = base.code, language = base.language, parameters = base.parameters } = request;
  const { permissions, limits, allowedHosts, outputSchema = base.outputSchema } = request;
  const isSameText = code === base.code && language === base.language;
  const { approvalCode: former, shell: _shell, ...rest } = base;
  const approvalCode = request.approvalCode === undefined ? former : request.approvalCode;
  return {
    // A server's tool keeps its pin.
    ...rest,
    ...(typeof approvalCode === "string" && { approvalCode }),
    code,
    language,
    compiled: isSameText ? base.compiled : await compileCode(deps, current, { code, language }),
    parameters,
    outputSchema,
    permissions: permissions ? [...new Set(permissions)].toSorted() : base.permissions,
    limits: { ...base.limits, ...limits },
    allowedHosts: allowedHosts === undefined ? base.allowedHosts : checkAllowedHosts(allowedHosts),
    services: nextServices(current, base, request),
  };
}

/** The definition of a tool that has a command after the request; null where it has code. Throws `request.invalid`. */
async function nextCommand(
  deps: Pick<ToolDeps, "vault">,
  current: Tool,
  base: ToolDefinition,
  request: UpdateToolRequest,
): Promise<ToolDefinition | null> {
  const { command, workingDirectory, env, code = "" } = request;
  const isCommand = command !== undefined || (base.shell !== undefined && code === "");
  const services = nextServices(current, base, request);
  requireOneKind(isCommand, isCommand ? { ...request, services } : request);
  if (!isCommand) return null;
  const {
    shell: before = { template: "", workingDirectory: "", env: {} },
    approvalCode: former,
    ...rest
  } = base;
  const approvalCode = request.approvalCode === undefined ? former : request.approvalCode;
  const limits = limitsOfCommand(request, base.shell === undefined);
  return {
    ...rest,
    ...(typeof approvalCode === "string" && { approvalCode }),
    code: "",
    language: "javascript",
    compiled: null,
    shell: {
      template: command ?? before.template,
      workingDirectory: workingDirectory ?? before.workingDirectory,
      env: await sealVariables(deps, current.tenantId, env, before.env),
    },
    parameters: request.parameters ?? base.parameters,
    outputSchema: request.outputSchema === undefined ? base.outputSchema : request.outputSchema,
    permissions: ["shell"],
    limits: { ...base.limits, ...limits },
    allowedHosts: null,
    services,
  };
}

/** The services that are named after the request; as they are where it says nothing of them. */
function nextServices(
  current: Tool,
  base: ToolDefinition,
  { requiredApiKeys, requiredConfigServices }: UpdateToolRequest,
): string[] {
  if (requiredApiKeys === undefined && requiredConfigServices === undefined) return base.services;
  return servicesOf({
    requiredApiKeys: requiredApiKeys ?? current.requiredApiKeys,
    requiredConfigServices: requiredConfigServices ?? current.requiredConfigServices,
  });
}
