import { chosen, oneOf } from "../../format/address.ts";
import type { AskerSearch } from "../policy/asker-fields.tsx";
import { readPolicySearch } from "../policy/policy-search.ts";

/** One agent's page: who it is, how deep it asks, and how what it sees is written. */
export interface AgentSearch extends AskerSearch {
  tab?: "tools" | "connect";
  kind?: "meta";
  format?: Format;
  strict?: true;
  q?: string;
  /** The tool whose definition is open. */
  tool?: string;
}

export const AGENT_TABS = [
  { name: "sees", title: "What it sees" },
  { name: "tools", title: "Keys and tools" },
  { name: "connect", title: "Connect" },
] as const;

/** Ways to write a definition, and their names for people. */
export const FORMATS = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  mcp: "MCP",
  "ai-sdk": "AI SDK",
} as const;
type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
/** Formats that know a strict mode. */
export const STRICT_FORMATS: readonly (Format | undefined)[] = ["openai", "anthropic", "ai-sdk"];

export function readAgentSearch(raw: Record<string, unknown>): AgentSearch {
  const { agent, provider, group, user, depth, q, tool } = readPolicySearch(raw);
  return chosen<AgentSearch>({
    agent,
    provider,
    group,
    user,
    depth,
    q,
    tool,
    tab: oneOf(["tools", "connect"], raw["tab"]),
    kind: oneOf(["meta"], raw["kind"]),
    format: oneOf(FORMAT_NAMES, raw["format"]),
    strict: raw["strict"] === true ? true : undefined,
  });
}

/** A definition of whichever format, as far as a list shows it. */
export interface Definition {
  name: string;
  description: string;
  /** What a model reads of it, about; it depends on the model. */
  tokens: number;
  whole: Record<string, unknown>;
}

/** A token of a model is about so many characters of JSON. */
const CHARS_PER_TOKEN = 4;

export function readDefinition(whole: Record<string, unknown>): Definition {
  const { function: within } = whole;
  const told: Record<string, unknown> =
    typeof within === "object" && within !== null ? { ...whole, ...within } : whole;
  const text = (name: string): string => {
    const value = told[name];
    return typeof value === "string" ? value : "";
  };
  const tokens = Math.ceil(JSON.stringify(whole).length / CHARS_PER_TOKEN);
  return { name: text("name"), description: text("description"), tokens, whole };
}

export const tokensOf = (definitions: readonly Definition[]): number =>
  definitions.reduce((sum, { tokens }) => sum + tokens, 0);
