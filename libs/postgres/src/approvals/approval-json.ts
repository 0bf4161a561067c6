import {
  AGENT_KINDS,
  APPROVAL_ANSWERS,
  APPROVAL_DECISIONS,
  APPROVAL_SETTINGS_DEFAULT,
  DATA_SHARED_WITH,
  EXECUTION_TIMEOUT_MS_DEFAULT,
  SHELL_ENGINES,
  SHELL_SETTINGS_DEFAULT,
  type ApprovalDecision,
  type ApprovalRule,
  type ApprovalSettings,
  type CommandRule,
  type Asking,
  type DataSettings,
  type ExecutionApproval,
  type FileSettings,
  type JsonObject,
  type ShellSettings,
  type TenantSettings,
} from "@bulkhead/core";
import { readObject, readRetention, readTextList, type Json } from "../stored-json.ts";

/** A decision that this build does not know is the strictest one. */
const readDecision = (json: Json): ApprovalDecision =>
  APPROVAL_DECISIONS.find((known) => known === json) ?? "blocked";

export const readToolApproval = (stored: string | null): ApprovalDecision | null =>
  stored === null ? null : readDecision(stored);

export function readTenantSettings(json: Json): TenantSettings {
  const { approval, retention, applyDefaults, files, shell, data } = readObject(json);
  return {
    approval: readApprovalSettings(approval ?? null),
    retention: readRetention(retention ?? null),
    applyDefaults: applyDefaults === true,
    files: readFileSettings(readObject(files ?? null)),
    shell: readShellSettings(readObject(shell ?? null)),
    data: readDataSettings(readObject(data ?? null)),
  };
}

/** Nothing runs by an engine that this build does not know. */
const readShellSettings = ({ engine }: JsonObject): ShellSettings =>
  engine === undefined
    ? SHELL_SETTINGS_DEFAULT
    : { engine: SHELL_ENGINES.find((known) => known === engine) ?? "off" };

/** A collection that is shared in a way that this build does not know is not shared. */
const readDataSettings = ({ shared }: JsonObject): DataSettings => ({
  shared: Object.fromEntries(
    Object.entries(readObject(shared ?? null)).flatMap(([name, said]) => {
      const known = DATA_SHARED_WITH.find((one) => one === said);
      return known ? [[name, known]] : [];
    }),
  ),
});

/** An agent of a kind that this build does not know is the one that shares more. */
const readFileSettings = ({ deny, agents }: JsonObject): FileSettings => ({
  deny: readTextList(deny),
  agents: Object.fromEntries(
    Object.entries(readObject(agents ?? null)).map(([agentId, said]) => {
      const { kind, deny: denied } = readObject(said);
      const known = AGENT_KINDS.find((one) => one === kind) ?? "predefined";
      return [
        agentId,
        {
          ...(kind !== undefined && { kind: known }),
          ...(denied !== undefined && { deny: readTextList(denied) }),
        },
      ];
    }),
  ),
});

function readApprovalSettings(json: Json): ApprovalSettings {
  const stored = readObject(json);
  const { tools, rules, commands, timeoutMs } = stored;
  const decision = (name: "default" | "metaTools"): ApprovalDecision =>
    stored[name] === undefined ? APPROVAL_SETTINGS_DEFAULT[name] : readDecision(stored[name]);
  return {
    default: decision("default"),
    metaTools: decision("metaTools"),
    tools: Object.fromEntries(
      Object.entries(readObject(tools ?? null)).map(([ref, said]) => [ref, readDecision(said)]),
    ),
    rules: Array.isArray(rules) ? rules.map(readRule) : [],
    commands: Array.isArray(commands) ? commands.map(readCommandRule) : [],
    developersMayApprove: stored["developersMayApprove"] === true,
    autoApproveWithoutGrowth: stored["autoApproveWithoutGrowth"] === true,
    timeoutMs: typeof timeoutMs === "number" ? timeoutMs : APPROVAL_SETTINGS_DEFAULT.timeoutMs,
  };
}

function readRule(json: Json): ApprovalRule {
  const { tool, argument, pattern, decision } = readObject(json);
  return {
    tool: typeof tool === "string" ? tool : "",
    argument: typeof argument === "string" ? argument : null,
    pattern: typeof pattern === "string" ? pattern : "*",
    decision: readDecision(decision ?? null),
  };
}

function readCommandRule(json: Json): CommandRule {
  const { pattern, approval, exact, cwd } = readObject(json);
  return {
    pattern: typeof pattern === "string" ? pattern : "*",
    approval: readDecision(approval ?? null),
    ...(exact === true && { exact }),
    ...(typeof cwd === "string" && { cwd }),
  };
}

function readAsking(json: Json): Asking {
  const { because, message } = readObject(json);
  if (because === "answered") return { because };
  return { because: "failed", message: typeof message === "string" ? message : "" };
}

export function readApproval(json: Json): ExecutionApproval | null {
  if (json === null) return null;
  const { timeoutMs, expiresAt, answer, by, at, reason, askedJson, asking, askedEventId } = readObject(json);
  const said = APPROVAL_ANSWERS.find((known) => known === answer);
  return {
    timeoutMs: typeof timeoutMs === "number" ? timeoutMs : EXECUTION_TIMEOUT_MS_DEFAULT,
    expiresAt: typeof expiresAt === "string" ? expiresAt : new Date(0).toISOString(),
    ...(asking === undefined ? {} : { asking: readAsking(asking) }),
    ...(typeof askedEventId === "string" && { askedEventId }),
    answer: said
      ? {
          answer: said,
          by: typeof by === "string" ? by : null,
          at: typeof at === "string" ? at : "",
          ...(typeof reason === "string" ? { reason } : {}),
          ...(typeof askedJson === "string"
            ? { askedArguments: readObject(JSON.parse(askedJson) as Json) }
            : {}),
        }
      : null,
  };
}
