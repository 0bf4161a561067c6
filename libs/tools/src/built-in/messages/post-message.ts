import {
  SECRET_CHARS_MIN,
  type CapabilityAnswer,
  type CapabilityCaller,
  type ChannelKind,
  type EgressBroker,
  type EgressRequest,
  type JsonObject,
} from "@bulkhead/core";
import { createHmac, randomUUID } from "node:crypto";
import { refused, textOf, type NamedService } from "../named-service.ts";
import {
  ANSWER_BYTES_MAX,
  DISCORD_CHARS_MAX,
  REASON_CHARS_MAX,
  SLACK_CHARS_MAX,
  TELEGRAM_CHARS_MAX,
  TEXT_CHARS_MAX,
} from "./bounds.ts";

export interface Posted {
  subject: string | undefined;
  text: string;
  now: Date;
}

type Kind = Exclude<ChannelKind, "smtp">;
type Message = Pick<EgressRequest, "url" | "headers" | "body">;
type Write = (service: NamedService, posted: Posted, caller: CapabilityCaller) => Message;

const JSON_BODY: [string, string] = ["content-type", "application/json"];

/** Above the text where the channel has no place for a subject. */
const whole = ({ subject, text }: Posted): string => (subject ? `${subject}\n\n${text}` : text);

const posting = (url: string | undefined, body: JsonObject, headers: [string, string][] = []): Message => ({
  url: url ?? "",
  headers: [JSON_BODY, ...headers],
  body: JSON.stringify(body),
});

/** What each kind is sent, and how long its text may be. */
const KINDS: Readonly<Record<Kind, { charsMax: number; write: Write }>> = {
  webhook: { charsMax: TEXT_CHARS_MAX, write: toWebhook },
  // Slack reads &, < and > as its own marks; `mrkdwn` off leaves the others as they are.
  slack: {
    charsMax: SLACK_CHARS_MAX,
    write: ({ secrets }, posted) =>
      posting(secrets["url"], {
        text: whole(posted).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
        mrkdwn: false,
      }),
  },
  // Without this a text could ring everybody.
  discord: {
    charsMax: DISCORD_CHARS_MAX,
    write: ({ secrets }, posted) =>
      posting(secrets["url"], { content: whole(posted), allowed_mentions: { parse: [] } }),
  },
  telegram: {
    charsMax: TELEGRAM_CHARS_MAX,
    write: (service, posted) =>
      posting(
        `${textOf(service, "base_url").replace(/\/+$/, "")}/bot${encodeURIComponent(service.secrets["token"] ?? "").replaceAll("%3A", ":")}/sendMessage`,
        { chat_id: textOf(service, "chatId"), text: whole(posted) },
      ),
  },
};

/** Signed as Standard Webhooks says where the service has a secret for it. */
function toWebhook(service: NamedService, { subject, text, now }: Posted, caller: CapabilityCaller): Message {
  const { url, authorization, signingSecret } = service.secrets;
  const { executionId, toolName } = caller;
  const sentAt = now.toISOString();
  const about = { channel: service.name, text, executionId, toolName, sentAt };
  const message = posting(
    url,
    subject === undefined ? about : { ...about, subject },
    authorization === undefined ? [] : [["authorization", authorization]],
  );
  if (signingSecret === undefined) return message;
  const id = `msg_${randomUUID()}`;
  const seconds = Math.floor(now.getTime() / 1_000);
  const key = signingSecret.startsWith("whsec_")
    ? Buffer.from(signingSecret.slice("whsec_".length), "base64")
    : Buffer.from(signingSecret);
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${message.body}`).digest("base64");
  const signed: [string, string][] = [
    ["webhook-id", id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", `v1,${signature}`],
  ];
  return { ...message, headers: [...message.headers, ...signed] };
}

/** Why a message can't be posted as it is; null where it can. */
export function whyNotPosted(kind: Kind, posted: Posted): CapabilityAnswer | null {
  const { charsMax } = KINDS[kind];
  const { length } = whole(posted);
  if (length <= charsMax) return null;
  return refused(
    "capability_limit",
    `The message has ${length} characters, and ${kind} takes ${charsMax} at most.`,
  );
}

/** Posts a message to the channel's one place. */
export async function postMessage(
  egress: Pick<EgressBroker, "open">,
  service: NamedService,
  kind: Kind,
  posted: Posted,
  caller: CapabilityCaller,
  signal: AbortSignal,
): Promise<CapabilityAnswer> {
  const message = KINDS[kind].write(service, posted, caller);
  if (URL.parse(message.url) === null)
    return refused("failed", `The URL of the channel "${service.name}" is none; a person sets it anew.`);
  const { tenantId } = caller;
  const limits = {
    networkRequests: 1,
    bytesIn: ANSWER_BYTES_MAX,
    bytesOut: Buffer.byteLength(message.body ?? ""),
  };
  const session = egress.open({ tenantId, limits, allowedHosts: null, secrets: [] });
  try {
    const request = { ...message, method: "POST", bodyEncoding: "utf8", redirect: "error" } as const;
    const answer = await session.fetch(request, signal, 1);
    if (!answer.ok) return refused(answer.code, answer.message);
    const { status, body, bodyEncoding } = answer;
    if (status >= 200 && status < 300)
      return {
        ok: true,
        value: { channel: service.name, kind, messageId: null, accepted: [], rejected: [] },
      };
    const reason = reasonIn(Buffer.from(body, bodyEncoding).toString(), message.url);
    return refused(
      "failed",
      `The channel "${service.name}" refused the message with status ${status}${reason}.`,
    );
  } finally {
    session.close();
  }
}

/**
 * The words for the refusal that these services give: Slack a code, Discord `message`, Telegram `description`. None where they
 * say a part of the URL, which is the secret.
 */
function reasonIn(body: string, url: string): string {
  const parts = url.split(/[/?&=#]/).filter((part) => part.length >= SECRET_CHARS_MIN);
  if (parts.some((part) => body.includes(part))) return "";
  if (/^[a-z_]{1,64}$/.test(body)) return `: ${body}`;
  try {
    const { message, description } = JSON.parse(body) as JsonObject;
    const reason = [description, message].find((one) => typeof one === "string");
    return reason ? `: ${reason.replaceAll(/\p{Cc}/gu, " ").slice(0, REASON_CHARS_MAX)}` : "";
  } catch {
    return "";
  }
}
