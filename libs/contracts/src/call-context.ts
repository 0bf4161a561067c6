import { z } from "zod";
import { text } from "./fields.ts";

const field = (meaning: string) => text(256).optional().describe(meaning);

/** The caller's facts about a call; the tool reads them as `context`. */
export const CallContext = z
  .strictObject({
    callId: field("The caller's own id of the call."),
    conversationId: field("The conversation in which it is made."),
    userId: field("The person on whose behalf it is made."),
    sessionKey: field("The session that it counts for, by the tenant's `sessionCallsPerMinute`."),
    channel: field("The channel on which the conversation takes place."),
    chatId: field("The chat in that channel."),
    peerKind: field("The kind of the chat's other end."),
    agentId: field(
      "The agent that calls: tools are looked up among its own first. An agent's key is its own agent.",
    ),
  })
  .describe("The caller's facts about the call; the tool reads them as `context`.");
