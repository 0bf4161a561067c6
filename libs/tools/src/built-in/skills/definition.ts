import type { ProvidedTool, SkillToolName } from "@bulkhead/core";
import { SKILL_SEARCH_PARAMETERS } from "./schema.ts";

export const SKILL_TOOLS: Readonly<Record<SkillToolName, ProvidedTool>> = {
  skill_search: {
    name: "skill_search",
    title: "Find a skill",
    description:
      `Finds skills of the workspace (skills/**/SKILL.md) that fit a task: { results: [{ name, description, path, score }], ` +
      `searched, cut, faults }, the best first. Read the one that fits by read_file and follow it.`,
    group: "skills",
    parameters: SKILL_SEARCH_PARAMETERS,
    annotations: { readOnlyHint: true, openWorldHint: false },
    needs: "filesystem",
    letBy: "policy",
    capability: "files",
  },
};
