import type { Execution } from "@bulkhead/client";

/** What a caller may say about a call, and what people call it, in the order in which it is shown. */
export const CONTEXT_WORDS = {
  agentId: "Agent",
  conversationId: "Conversation",
  userId: "User",
  callId: "Call's id",
  sessionKey: "Session",
  channel: "Channel",
  chatId: "Chat",
  peerKind: "Peer",
  provider: "Provider",
  group: "Group",
  subagentDepth: "Subagent depth",
} as const satisfies Partial<Record<keyof Execution["context"], string>>;

export const CONTEXT_NAMES = Object.keys(CONTEXT_WORDS) as (keyof typeof CONTEXT_WORDS)[];
