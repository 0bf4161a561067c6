import { chosen, wordsIn } from "../../format/address.ts";

/** What of the keys stands in their address: whether one is being made, and for which agent. */
export interface KeySearch {
  create?: true;
  agent?: string;
}

export const AGENT_CHARS_MAX = 200;

export const readKeySearch = (raw: Record<string, unknown>): KeySearch =>
  chosen<KeySearch>({
    create: raw["create"] === true || undefined,
    agent: wordsIn(raw["agent"], AGENT_CHARS_MAX),
  });
