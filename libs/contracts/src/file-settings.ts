import {
  AGENT_ID_CHARS_MAX,
  AGENT_KINDS,
  FILE_AGENTS_MAX,
  FILE_DENY_MAX,
  FILE_PATH_BYTES_MAX,
  parseFilePath,
} from "@bulkhead/core";
import { z } from "zod";
import { text } from "./fields.ts";

/** A file or a folder, in the one way in which its path is written. */
const DeniedPath = text(FILE_PATH_BYTES_MAX, 1).superRefine((said, check) => {
  const { path, fault } = parseFilePath(said);
  if (path === said) return;
  check.addIssue({ code: "custom", message: fault ?? `must be written as ${path}`, input: said });
});
const Deny = z.array(DeniedPath).max(FILE_DENY_MAX);

export const FileSettings = z
  .strictObject({
    deny: Deny.default([]).describe(
      "Files and folders that are not there for agents and for what runs: in no list, no search and no count. People see them.",
    ),
    agents: z
      .record(
        text(AGENT_ID_CHARS_MAX, 1),
        z.strictObject({
          kind: z
            .enum(AGENT_KINDS)
            .optional()
            .describe(
              "`open` (unless set): each user has context files of their own, with the agent's to fall back on; `predefined`: they are the agent's, and alone USER.md is each user's.",
            ),
          deny: Deny.optional().describe("Beside the tenant's."),
        }),
      )
      .refine((agents) => Object.keys(agents).length <= FILE_AGENTS_MAX, `at most ${FILE_AGENTS_MAX} agents`)
      .default({})
      .describe("By the agent's id."),
  })
  .describe("Which files agents see, and which files of an agent are each user's own.");
