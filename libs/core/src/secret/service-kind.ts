/** Where messages are sent; a service of one of these kinds is a channel. */
const CHANNEL_KINDS = ["smtp", "webhook", "slack", "discord", "telegram"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** What a service is: an API that tools ask themselves, or something that the platform asks for them. */
export const SERVICE_KINDS = ["api", "postgres", ...CHANNEL_KINDS, "image", "speech"] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

export const isChannelKind = (kind: ServiceKind): kind is ChannelKind =>
  CHANNEL_KINDS.some((known) => known === kind);
