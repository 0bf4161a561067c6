import type { TenantSettings, UpdateTenantSettingsBody } from "@bulkhead/client";

export type Decision = TenantSettings["approval"]["default"];

/** What each decision means for a call, in words. */
export const DECISIONS: Readonly<Record<Decision, string>> = {
  preApproved: "Runs unasked",
  ask: "A person is asked",
  blocked: "Is refused",
};
export const DECISION_NAMES = Object.keys(DECISIONS) as Decision[];

export type CommandRule = TenantSettings["approval"]["commands"][number];

export interface RuleForm {
  tool: string;
  argument: string;
  pattern: string;
  decision: Decision;
}

/** What is kept of executions, and what the form calls it. */
export const PARTS = {
  arguments: "Arguments",
  result: "Results and texts of errors",
  events: "Log lines and emitted values",
} as const;
export type Part = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as Part[];

/** Which files of an agent are each user's own, and what it does not see beside what no agent does. */
export interface AgentFilesForm {
  agent: string;
  kind: AgentKind;
  deny: string;
}
export type AgentKind = "open" | "predefined";

export type ShellEngine = TenantSettings["shell"]["engine"];
export type SharedWith = TenantSettings["data"]["shared"][string];

export interface SharedForm {
  collection: string;
  sharedWith: SharedWith;
}

/** The settings as fields hold them: numbers and lists as text that a person is about to change. */
export interface SettingsForm {
  default: Decision;
  metaTools: Decision;
  timeoutSeconds: string;
  developersMayApprove: boolean;
  autoApproveWithoutGrowth: boolean;
  tools: readonly { tool: string; decision: Decision }[];
  rules: readonly RuleForm[];
  commands: readonly CommandRule[];
  /** Days; empty: as long as the platform keeps them; "none": not at all. */
  retention: Record<Part, string>;
  applyDefaults: boolean;
  /** Paths that agents don't see, one a line. */
  deniedFiles: string;
  agentFiles: readonly AgentFilesForm[];
  engine: ShellEngine;
  shared: readonly SharedForm[];
}

export const formOf = ({
  approval,
  retention,
  applyDefaults,
  files,
  shell,
  data,
}: TenantSettings): SettingsForm => ({
  default: approval.default,
  metaTools: approval.metaTools,
  timeoutSeconds: String(approval.timeoutMs / 1_000),
  developersMayApprove: approval.developersMayApprove,
  autoApproveWithoutGrowth: approval.autoApproveWithoutGrowth,
  tools: Object.entries(approval.tools).map(([tool, decision]) => ({ tool, decision })),
  commands: approval.commands,
  rules: approval.rules.map((rule) => ({ ...rule, argument: rule.argument ?? "" })),
  retention: {
    arguments: String(retention?.arguments ?? ""),
    result: String(retention?.result ?? ""),
    events: String(retention?.events ?? ""),
  },
  applyDefaults,
  deniedFiles: files.deny.join("\n"),
  agentFiles: Object.entries(files.agents).map(([agent, { kind = "open", deny = [] }]) => ({
    agent,
    kind,
    deny: deny.join("\n"),
  })),
  engine: shell.engine,
  shared: Object.entries(data.shared).map(([collection, sharedWith]) => ({ collection, sharedWith })),
});

/** The lines of a field that are not empty. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** What of it can't be sent, by the field; empty where all can. The server judges the rest. */
export function faultsOf({
  timeoutSeconds,
  tools,
  rules,
  commands,
  retention,
  agentFiles,
  shared,
}: SettingsForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!(Number(timeoutSeconds) > 0)) faults["timeoutSeconds"] = "Write a number of seconds.";
  for (const [index, { tool }] of tools.entries())
    if (tool.trim() === "") faults[`tools.${index}`] = "Name the tool.";
  for (const [index, { pattern }] of commands.entries())
    if (pattern.trim() === "") faults[`commands.${index}`] = "Write the command's first words.";
  for (const [index, { tool, pattern }] of rules.entries()) {
    if (tool.trim() === "") faults[`rules.${index}`] = "Name the tool.";
    else if (pattern === "")
      faults[`rules.${index}`] = "Write what the argument has to be; * stands for anything.";
  }
  for (const part of PART_NAMES) {
    const term = retention[part].trim();
    if (term !== "" && term !== "none" && !/^[1-9]\d{0,3}$/.test(term))
      faults[`retention.${part}`] = 'Write a number of days, or "none".';
  }
  for (const [index, { agent }] of agentFiles.entries()) {
    if (agent.trim() === "") faults[`agentFiles.${index}`] = "Name the agent.";
    else if (agentFiles.findIndex((one) => one.agent.trim() === agent.trim()) !== index)
      faults[`agentFiles.${index}`] = "The agent stands here twice.";
  }
  for (const [index, { collection }] of shared.entries()) {
    const name = collection.trim();
    if (name === "") faults[`shared.${index}`] = "Name the collection.";
    else if (shared.findIndex((one) => one.collection.trim() === name) !== index)
      faults[`shared.${index}`] = "The collection stands here twice.";
  }
  return faults;
}

const termOf = (text: string): "none" | number | undefined => {
  const term = text.trim();
  return term === "" ? undefined : term === "none" ? "none" : Number(term);
};

/** The change that makes the server's settings what the form says. */
export function changeOf(form: SettingsForm): UpdateTenantSettingsBody {
  const kept = Object.fromEntries(
    PART_NAMES.map((part) => [part, termOf(form.retention[part])]).filter(([, term]) => term !== undefined),
  );
  return {
    approval: {
      default: form.default,
      metaTools: form.metaTools,
      timeoutMs: Math.round(Number(form.timeoutSeconds) * 1_000),
      developersMayApprove: form.developersMayApprove,
      autoApproveWithoutGrowth: form.autoApproveWithoutGrowth,
      tools: Object.fromEntries(form.tools.map(({ tool, decision }) => [tool.trim(), decision])),
      rules: form.rules.map(({ tool, argument, pattern, decision }) => ({
        tool: tool.trim(),
        argument: argument.trim() === "" ? null : argument.trim(),
        pattern,
        decision,
      })),
      commands: [...form.commands],
    },
    retention: Object.keys(kept).length === 0 ? null : kept,
    applyDefaults: form.applyDefaults,
    files: {
      deny: linesOf(form.deniedFiles),
      agents: Object.fromEntries(
        form.agentFiles.map(({ agent, kind, deny }) => [agent.trim(), { kind, deny: linesOf(deny) }]),
      ),
    },
    shell: { engine: form.engine },
    data: {
      shared: Object.fromEntries(
        form.shared.map(({ collection, sharedWith }) => [collection.trim(), sharedWith]),
      ),
    },
  };
}

export const isSame = (a: SettingsForm, b: SettingsForm): boolean => JSON.stringify(a) === JSON.stringify(b);
