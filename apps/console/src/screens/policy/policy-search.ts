import type { PolicyAsker } from "../../data/policy.ts";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** Who is asked about, and what of the answer is shown. */
export interface PolicySearch {
  agent?: string;
  provider?: string;
  group?: string;
  user?: string;
  depth?: number;
  show?: Show;
  q?: string;
  /** The tool that is open. */
  tool?: string;
}

export const SHOWS = { in: "Tools it gets", out: "Tools it does not get", changed: "What the draft changes" };
type Show = keyof typeof SHOWS;
export const SHOW_NAMES = Object.keys(SHOWS) as Show[];

/** Bounds of what the API takes; UTF-16 units. */
export const ASKER_CHARS_MAX = { agent: 256, provider: 128, group: 128, user: 256 } as const;
const TOOL_CHARS_MAX = 160;
const DEPTH_MAX = 16;

const depthIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= DEPTH_MAX ? value : undefined;

export const readPolicySearch = (raw: Record<string, unknown>): PolicySearch =>
  chosen<PolicySearch>({
    agent: wordsIn(raw["agent"], ASKER_CHARS_MAX.agent),
    provider: wordsIn(raw["provider"], ASKER_CHARS_MAX.provider),
    group: wordsIn(raw["group"], ASKER_CHARS_MAX.group),
    user: wordsIn(raw["user"], ASKER_CHARS_MAX.user),
    depth: depthIn(raw["depth"]),
    show: oneOf(SHOW_NAMES, raw["show"]),
    q: wordsIn(raw["q"], TOOL_CHARS_MAX),
    tool: wordsIn(raw["tool"], TOOL_CHARS_MAX),
  });

export const askerOf = ({ agent, provider, group, user, depth }: PolicySearch): PolicyAsker =>
  chosen<PolicyAsker>({ agentId: agent, provider, group, userId: user, subagentDepth: depth });
