import { APPROVAL_ANSWERS, APPROVAL_ID, APPROVAL_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { anyObject, pageCursor, pageLimit, reason, severalOf, timestamp } from "./fields.ts";

/** Why the tool's own code had a person asked. */
export const Asking = z
  .object({
    because: z
      .enum(["answered", "failed"])
      .describe("The code answered true, or gave no answer: then `message` says why."),
    message: z.string().optional(),
  })
  .describe("Present where the tool's own `approvalCode` had the person asked; absent: the settings did.");

const asked = {
  id: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  arguments: anyObject,
  context: anyObject,
  requestedBy: z.string().describe("The id of the key that called."),
  agentId: z.string().optional().describe("The agent that asks; absent where the call is for none."),
  status: z.enum(APPROVAL_STATUSES),
  createdAt: timestamp,
  expiresAt: timestamp.describe("Then the call is denied."),
  answer: z.enum(APPROVAL_ANSWERS).optional(),
  answeredBy: z.string().optional().describe("The id of the key that answered."),
  answeredAt: timestamp.optional(),
  reason: z.string().optional().describe("Why it was denied, in the person's words."),
};

const ExecutionApproval = z.object({
  kind: z.literal("execution").describe("A tool is called; allowed, it runs."),
  ...asked,
  toolId: z.string().nullable().describe("null for a tool that comes with the platform."),
  executionId: z.string(),
  toolVersion: z.int().describe("0 for a tool that comes with the platform."),
  asking: Asking.optional(),
  askedArguments: anyObject
    .optional()
    .describe("The agent's own arguments, if the person changed them with the answer."),
  callback: z.object({ url: z.string() }).optional().describe("The URL that gets its end with its result."),
  links: z.object({
    self: z.string(),
    execution: z.string(),
    allowOnce: z.string(),
    allowAlways: z.string(),
    deny: z.string(),
  }),
});

const MetaToolApproval = z.object({
  kind: z.literal("meta_tool").describe("A meta-tool is called; allowed, it is done at once."),
  ...asked,
  toolId: z.string().describe("The tool to be deleted, or the id that the new one gets."),
  toolName: z.string().describe("The meta-tool's name."),
  result: anyObject
    .optional()
    .describe("The meta-tool's answer, once it is done; for the agent that asked, and for people."),
  error: z
    .object({
      code: z.string(),
      detail: z.string(),
      title: z.string().optional(),
      status: z.int().optional(),
      retryable: z.boolean().optional(),
      errors: z.array(anyObject).optional(),
    })
    .optional()
    .describe("Why it was not done: `approval.denied`, `approval.expired`, or the problem that it met."),
  links: z.object({ self: z.string(), allowOnce: z.string(), deny: z.string() }),
});

/** The body of an `allow-once`. */
export const AllowOnce = z.strictObject({
  arguments: anyObject
    .optional()
    .describe(
      "In place of the call's own, and checked as those; the agent sees that they were changed. Not for a meta-tool's call.",
    ),
});

export const Deny = z.strictObject({
  reason: reason.optional().describe("The reason for the agent, so that it can choose another way."),
});

/** A call of an agent's that waits, or waited, for a person. */
export const Approval = z
  .discriminatedUnion("kind", [ExecutionApproval, MetaToolApproval])
  .meta({ id: "Approval" });

/** The answer to a meta-tool's call that a person has to allow first. */
export const AwaitingApproval = z
  .object({
    approvalId: z.string(),
    status: z.literal("awaiting_approval"),
    links: z.object({ self: z.string().describe("Shows the answer, and the outcome of the call.") }),
  })
  .meta({
    id: "AwaitingApproval",
    description: "A person has to allow it first; where to look for the answer.",
  });

export const ApprovalPage = z.object({
  approvals: z.array(Approval),
  nextCursor: z.string().nullable(),
  waitingCount: z.int().describe("How many calls wait in all, whatever the page is of."),
  tools: z
    .object({ count: z.int(), link: z.string() })
    .describe(
      "Other work for people: how many tools wait for approval or have a newer version that does, and where they are listed.",
    ),
});
export const ApprovalQuery = z.strictObject({
  status: severalOf(APPROVAL_STATUSES).describe(
    "Those with this status, or with one of these; `waiting` unless set. Answered ones are kept as their executions are.",
  ),
  limit: pageLimit,
  cursor: pageCursor(APPROVAL_ID),
});
