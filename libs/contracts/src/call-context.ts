import { POLICY_NAME_CHARS_MAX, SUBAGENT_DEPTH_MAX } from "@bulkhead/core";
import { z } from "zod";
import { text, userId } from "./fields.ts";

const field = (meaning: string) => text(256).optional().describe(meaning);

/** The words for who asks beside an agent's id; the tenant's policy hears them (`GET /policy`). */
export const askerName = text(POLICY_NAME_CHARS_MAX, 1);
export const subagentDepth = z
  .int()
  .min(0)
  .max(SUBAGENT_DEPTH_MAX)
  .describe("How deep a subagent asks; 0: it is none. The tenant's policy takes tools from subagents.");

/** Who asks, for all that a request does: lists, definitions, meta-tools and calls. A call's context comes before them. */
export const AskerHeaders = z.looseObject({
  "bulkhead-provider": askerName
    .optional()
    .describe("The provider of the model that asks, as the tenant's policy names it."),
  "bulkhead-group": askerName.optional().describe("The group that asks, as the tenant's policy names it."),
  "bulkhead-user": userId.optional(),
});

/** The caller's facts about a call; the tool reads them as `context`. */
export const CallContext = z
  .strictObject({
    callId: field("The caller's own id of the call."),
    conversationId: field("The conversation in which it is made."),
    userId: field("The person on whose behalf it is made. Default: the header `Bulkhead-User`."),
    sessionKey: field("The session that it counts for, by the tenant's `sessionCallsPerMinute`."),
    channel: field("The channel on which the conversation takes place."),
    chatId: field("The chat in that channel."),
    peerKind: field("The kind of the chat's other end."),
    agentId: field(
      "The agent that calls: tools are looked up among its own first. An agent's key is its own agent.",
    ),
    provider: askerName
      .optional()
      .describe(
        "The provider of the model that calls, as the tenant's policy names it. Default: the header `Bulkhead-Provider`.",
      ),
    group: askerName
      .optional()
      .describe(
        "The group that calls, as the tenant's policy names it. Default: the header `Bulkhead-Group`.",
      ),
    subagentDepth: subagentDepth.optional(),
  })
  .describe("The caller's facts about the call; the tool reads them as `context`.");
