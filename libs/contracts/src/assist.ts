import { z } from "zod";
import { anyObject, text } from "./fields.ts";
import { ToolExample } from "./tool-examples.ts";
import { definition } from "./tool-fields.ts";
import { CreateTool, Tool } from "./tools.ts";

const PROMPT_CHARS_MAX = 8_000;

export const AssistTool = z
  .strictObject({
    prompt: text(PROMPT_CHARS_MAX, 1)
      .regex(/\S/, "must not be blank")
      .describe(
        "What the tool should do. What looks like a secret in it is covered before the model reads it.",
      ),
    store: z
      .boolean()
      .default(true)
      .describe(
        "`false`: a draft that passes is answered and not stored, and a tool may have its name already, as one that it is to change.",
      ),
  })
  .meta({
    examples: [
      { prompt: "A tool that converts an amount between two currencies by the ECB's latest rates." },
    ],
  });

/** A tool as a model drafts it; fields of a tool that a model can't set are left out without a word. */
export const ModelDraft = z.object({
  ...CreateTool.pick({
    name: true,
    title: true,
    description: true,
    parameters: true,
    outputSchema: true,
    category: true,
    permissions: true,
    allowedHosts: true,
    requiredConfigServices: true,
  }).shape,
  code: definition.code,
  example: ToolExample,
});

export type ModelDraft = z.infer<typeof ModelDraft>;

const Attempt = z.object({
  stage: z
    .enum(["answer", "checks", "dry_run", "passed"])
    .describe(
      "The step that found the faults: the model's answer was no draft; the checks of a creation; the run of its example. `passed`: none did.",
    ),
  faults: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .describe("What the model was given back for its next draft."),
  executionId: z.string().optional().describe("The run of its example."),
});

export const DraftAnswer = z
  .object({
    model: z.string(),
    repairs: z.int().describe("How often the model was given faults back."),
    attempts: z
      .array(Attempt)
      .describe("Each draft with what its checks and its run showed, the first one first."),
    draft: z
      .object({
        tool: anyObject.describe("The body of `POST /custom-tools` that would make it."),
        example: ToolExample,
      })
      .nullable()
      .describe(
        "The last draft that had the form of a tool, and the call that its run was judged by; null: none had.",
      ),
    tool: Tool.nullable().describe(
      "The tool that was made of it, which waits for a person (`POST /custom-tools/:id/approve`); null where no draft passed, or none was to be stored.",
    ),
  })
  .meta({ id: "ToolDraft" });
