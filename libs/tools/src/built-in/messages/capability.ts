import {
  isChannelKind,
  type CapabilityAnswer,
  type CapabilityCaller,
  type CapabilityFamily,
  type Clock,
  type EgressBroker,
  type JsonObject,
  type MailSender,
  type MessageCounts,
  type TenantStore,
} from "@bulkhead/core";
import { z } from "zod";
import { namedService, refused, type NamedService } from "../named-service.ts";
import { readAsked } from "../read-asked.ts";
import { TEXT_CHARS_MAX } from "./bounds.ts";
import { postMessage, whyNotPosted } from "./post-message.ts";
import { channel, MAIL, readMail, subject, type AskedMail } from "./read-mail.ts";

export interface MessageDeps {
  mail: MailSender;
  egress: Pick<EgressBroker, "open">;
  counts: MessageCounts;
  tenants: Pick<TenantStore, "find">;
  clock: Clock;
}

const MESSAGE = z.strictObject({
  channel,
  to: MAIL.shape.to.optional(),
  subject: subject.optional(),
  text: z.string().min(1).max(TEXT_CHARS_MAX),
});

type Operate = (
  deps: MessageDeps,
  args: JsonObject,
  caller: CapabilityCaller,
  signal: AbortSignal,
) => Promise<CapabilityAnswer>;

const OPERATIONS: Readonly<Record<string, Operate>> = {
  async send(deps, args, caller, signal) {
    const read = readAsked(MAIL, args);
    if (!read.ok) return read;
    const service = mailChannel(caller, read.asked.channel);
    return service.ok ? sendBy(deps, service, read.asked, caller, signal) : service;
  },
  async message(deps, args, caller, signal) {
    const read = readAsked(MESSAGE, args);
    if (!read.ok) return read;
    const { channel: name, to, subject: about, text } = read.asked;
    const service = namedService(caller, name, isChannelKind, "channel");
    if (!service.ok) return service;
    const { kind } = service;
    if (kind === "smtp") {
      const mail = readAsked(MAIL, { to, subject: about, text });
      return mail.ok ? sendBy(deps, service, mail.asked, caller, signal) : mail;
    }
    if (!isChannelKind(kind)) throw new Error(`${kind} is no channel`);
    if (to !== undefined)
      return refused("invalid_request", `to: the channel "${name}" writes to one place; leave it out`);
    const posted = { subject: about, text, now: deps.clock() };
    return (
      whyNotPosted(kind, posted) ??
      (await whyOverLimit(deps, caller, 1)) ??
      (await postMessage(deps.egress, service, kind, posted, caller, signal))
    );
  },
};

/** The capability `email`: messages by services that are channels. Each is sent once, and none is tried again by itself. */
export const openMessages = (deps: MessageDeps): CapabilityFamily => ({
  operations: new Map(Object.keys(OPERATIONS).map((name) => [name, "writes"])),
  coversAnswers: true,
  async run({ operation, arguments: args }, caller, signal) {
    const operate = OPERATIONS[operation];
    return operate
      ? operate(deps, args, caller, signal)
      : refused("invalid_request", `there is no operation ${operation}`);
  },
});

/** The channel of a mail: the one that is named, or the only one that the run has. */
function mailChannel(
  caller: CapabilityCaller,
  name: string | undefined,
): NamedService | Extract<CapabilityAnswer, { ok: false }> {
  const isMail = (kind: string): boolean => kind === "smtp";
  if (name !== undefined) return namedService(caller, name, isMail, "mail channel");
  const [only, ...others] = caller.services.filter(({ kind }) => isMail(kind));
  if (!only)
    return refused(
      "not_found",
      "There is no mail channel here: a person makes a service of the kind smtp under Secrets in the console, and the tool names it in requiredConfigServices.",
    );
  if (others.length > 0)
    return refused("invalid_request", "channel: the tool has several mail channels; name one");
  return namedService(caller, only.name, isMail, "mail channel");
}

async function sendBy(
  deps: MessageDeps,
  service: NamedService,
  asked: AskedMail,
  caller: CapabilityCaller,
  signal: AbortSignal,
): Promise<CapabilityAnswer> {
  const read = readMail(service, asked);
  if (!read.ok) return read;
  const { mail, server } = read;
  const recipients = mail.to.length + mail.cc.length + mail.bcc.length;
  const over = await whyOverLimit(deps, caller, recipients);
  if (over) return over;
  const answer = await deps.mail.send(caller.tenantId, server, mail, signal);
  if (!answer.ok) return answer;
  const { messageId, accepted, rejected } = answer;
  return { ok: true, value: { channel: service.name, kind: "smtp", messageId, accepted, rejected } };
}

/** Counts messages before they are sent: one that fails on its way has been one. */
async function whyOverLimit(
  { counts, tenants, clock }: MessageDeps,
  { tenantId }: CapabilityCaller,
  count: number,
): Promise<CapabilityAnswer | null> {
  const perDay = (await tenants.find(tenantId))?.limits.messagesPerDay ?? 0;
  if (perDay === 0) return refused("capability_limit", "The tenant may send no messages (messagesPerDay).");
  const taken = await counts.take(tenantId, count, perDay, clock());
  if (taken.counted) return null;
  const when =
    taken.retryAfterMs === null
      ? "to fewer addresses"
      : `in ${Math.ceil(taken.retryAfterMs / 60_000)} minutes`;
  return refused(
    "capability_limit",
    `The tenant's limit of ${perDay} messages a day is reached (messagesPerDay); nothing was sent. Send ${when}.`,
  );
}
