import { isChannelKind, SERVICE_KINDS, type ProvidedTool } from "@bulkhead/core";
import { DISCORD_CHARS_MAX, RECIPIENTS_MAX, TELEGRAM_CHARS_MAX } from "./bounds.ts";
import { MESSAGE_PARAMETERS } from "./schema.ts";

/** As models are told of it: what, when, and within what bounds. */
export const MESSAGE_TOOLS: Readonly<Record<"message", ProvidedTool>> = {
  message: {
    name: "message",
    title: "Send a message",
    description:
      `Sends a message by a channel of the tenant's: mail, a webhook, Slack, Discord or Telegram. A mail needs to (up to ` +
      `${RECIPIENTS_MAX} addresses that the channel allows) and subject. Discord takes ${DISCORD_CHARS_MAX} characters, Telegram ` +
      `${TELEGRAM_CHARS_MAX}. Answers { channel, kind, messageId, accepted, rejected }. What is sent can't be taken back.`,
    group: "messaging",
    parameters: MESSAGE_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    needs: "email",
    letBy: "name",
    capability: "email",
    serviceArgument: "channel",
    serviceKinds: SERVICE_KINDS.filter(isChannelKind),
  },
};
