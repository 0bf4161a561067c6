import type { ProvidedAnswer, ProvidedCall, JsonObject, SkillToolName } from "@bulkhead/core";
import { z } from "zod";
import { openSkillShelf, searchSkills } from "../../files.ts";
import { given, operation, type Operate } from "../files/operation.ts";
import { SKILL_QUERY_CHARS_MAX, SKILLS_FOUND_DEFAULT, SKILLS_FOUND_MAX } from "./schema.ts";

const SEARCH = z.strictObject({
  query: z.string().min(1).max(SKILL_QUERY_CHARS_MAX),
  limit: z.int().min(1).max(SKILLS_FOUND_MAX).default(SKILLS_FOUND_DEFAULT),
});

/** The operation of the files' capability that the tool asks; what it reads of skills it keeps. */
export function openSkillSearch(): Operate {
  const shelf = openSkillShelf();
  return operation(SEARCH, async (deps, asker, asked) => {
    const { skills, searched, isCut, faults } = await searchSkills({ ...deps, shelf }, asker, asked);
    return given({
      results: skills.map((skill) => ({ ...skill })),
      searched,
      cut: isCut,
      faults: faults.map((fault) => ({ ...fault })),
    });
  });
}

export const runSkillTool: Readonly<
  Record<SkillToolName, (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>>
> = {
  async skill_search(args, { ask, signal }) {
    const answer = await ask("files", "skills", args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
