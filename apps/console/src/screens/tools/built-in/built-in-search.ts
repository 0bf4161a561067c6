import type { BuiltInTool } from "@bulkhead/client";
import { chosen, wordsIn } from "../../../format/address.ts";

/** What of the screen stands in its address: words that narrow the list, and the tool that is open. */
export interface BuiltInSearch {
  q?: string;
  tool?: string;
}

export const WORDS_CHARS_MAX = 100;

export const readBuiltInSearch = (raw: Record<string, unknown>): BuiltInSearch =>
  chosen<BuiltInSearch>({
    q: wordsIn(raw["q"], WORDS_CHARS_MAX),
    tool: wordsIn(raw["tool"], WORDS_CHARS_MAX),
  });

/** The tools that have all of the words in their name, title, group or description, by their groups in the platform's order. */
export function groupsOf(tools: readonly BuiltInTool[], q = ""): [group: string, tools: BuiltInTool[]][] {
  const words = q.toLowerCase().split(/\s+/);
  const groups = new Map<string, BuiltInTool[]>();
  for (const tool of tools) {
    const { name, title, group, description } = tool;
    const text = [name, title, group, description].join("\n").toLowerCase();
    if (words.every((word) => text.includes(word))) groups.set(group, [...(groups.get(group) ?? []), tool]);
  }
  return [...groups];
}
