/** What the caller said about the call; the tool reads it as `context`. Each field is bounded by the contract. */
export interface CallContext {
  callId?: string;
  conversationId?: string;
  userId?: string;
  sessionKey?: string;
  channel?: string;
  chatId?: string;
  peerKind?: string;
  agentId?: string;
}
