import { isWithin } from "./file-path.ts";

/** `open`: each user of the agent has its context files; `predefined`: they are the agent's, and alone `USER.md` is a user's. */
export const AGENT_KINDS = ["open", "predefined"] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

/** Paths that one list may deny, and agents that the settings may name. */
export const FILE_DENY_MAX = 100;
export const FILE_AGENTS_MAX = 1_000;

/** A tenant's decisions about the files of its agents. */
export interface FileSettings {
  /** Files and folders that are not there for agents and for what runs. */
  deny: string[];
  /** By the agent's id. */
  agents: Readonly<Record<string, AgentFileSettings>>;
}

export interface AgentFileSettings {
  /** Unset: open. */
  kind?: AgentKind | undefined;
  /** Beside the tenant's. */
  deny?: string[] | undefined;
}

export const FILE_SETTINGS_DEFAULT: FileSettings = { deny: [], agents: {} };

const ofAgent = ({ agents }: FileSettings, agentId: string | null): AgentFileSettings | undefined =>
  agentId !== null && Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;

export const agentKindOf = (settings: FileSettings, agentId: string | null): AgentKind =>
  ofAgent(settings, agentId)?.kind ?? "open";

/** The paths that are not there for this agent. */
export const deniedPaths = (settings: FileSettings, agentId: string | null): readonly string[] => [
  ...settings.deny,
  ...(ofAgent(settings, agentId)?.deny ?? []),
];

export const isDenied = (denied: readonly string[], path: string): boolean =>
  denied.some((prefix) => isWithin(prefix, path));

/** Whether something may be written there: also not where a denied folder would have to be, whether or not there is one. */
export const mayWriteAt = (denied: readonly string[], path: string): boolean =>
  denied.every((prefix) => !isWithin(prefix, path) && !isWithin(path, prefix));
