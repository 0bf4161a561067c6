/** The caller's facts about the call; the tool reads them as `context`. The contract bounds each field. */
export interface CallContext {
  callId?: string;
  conversationId?: string;
  userId?: string;
  sessionKey?: string;
  channel?: string;
  chatId?: string;
  peerKind?: string;
  agentId?: string;
  /** The provider of the model that asks, the caller's group, and how deep a subagent asks: the tenant's policy hears them. */
  provider?: string;
  group?: string;
  subagentDepth?: number;
}
