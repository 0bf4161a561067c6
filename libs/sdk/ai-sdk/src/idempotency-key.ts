import type { CallContext } from "./client.ts";

/** A call as a loop of the AI SDK makes it. */
export interface CallOfLoop {
  name: string;
  args: unknown;
  /** The same call is run once, however often it is made. */
  toolCallId: string;
  context: CallContext;
}

/**
 * The same for the same call of the same conversation, in 64 hex digits: a loop that is resumed, or an answer that is sent
 * twice, runs it once. The arguments are part of it, since not every provider's ids differ from one answer to the next.
 */
export async function idempotencyKeyOf({
  name,
  args,
  toolCallId,
  context: { agentId = "", conversationId = "" },
}: CallOfLoop): Promise<string> {
  const text = JSON.stringify([agentId, conversationId, toolCallId, name, args], inOrder);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A store of messages may give the arguments back in another order. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
