import {
  CONFIG_NAME_CHARS_MAX,
  isMailAddress,
  MAIL_ADDRESS_CHARS_MAX,
  mayReceive,
  readRecipients,
  readSender,
  type CapabilityAnswer,
  type Mail,
  type MailServer,
} from "@bulkhead/core";
import { z } from "zod";
import { refused, textOf, type NamedService } from "../named-service.ts";
import { HTML_CHARS_MAX, RECIPIENTS_MAX, SUBJECT_CHARS_MAX, TEXT_CHARS_MAX } from "./bounds.ts";

type Refused = Extract<CapabilityAnswer, { ok: false }>;

const NO_CONTROL = /^\P{Cc}*$/u;

const address = z
  .string()
  .max(MAIL_ADDRESS_CHARS_MAX)
  .refine(isMailAddress, "must be one plain address, such as ann@example.com");
/** One or several; none twice. */
const addresses = z.preprocess(
  (said) => (typeof said === "string" ? [said] : said),
  z
    .array(address)
    .max(RECIPIENTS_MAX)
    .transform((list) => [...new Map(list.map((one) => [one.toLowerCase(), one])).values()]),
);

export const subject = z
  .string()
  .max(SUBJECT_CHARS_MAX)
  .regex(NO_CONTROL, "must be one line without control characters");
export const channel = z.string().min(1).max(CONFIG_NAME_CHARS_MAX);

/** The fields of `utils.email.send`. */
export const MAIL = z
  .strictObject({
    channel: channel.optional(),
    to: addresses,
    cc: addresses.default([]),
    bcc: addresses.default([]),
    replyTo: address.optional(),
    subject: subject.min(1),
    text: z.string().max(TEXT_CHARS_MAX).optional(),
    html: z.string().max(HTML_CHARS_MAX).optional(),
  })
  .refine(({ to }) => to.length > 0, { path: ["to"], message: "must name an address" })
  .refine(({ text, html }) => Boolean(text) || Boolean(html), {
    path: ["text"],
    message: "or html must be there",
  })
  .refine(({ to, cc, bcc }) => to.length + cc.length + bcc.length <= RECIPIENTS_MAX, {
    path: ["to"],
    message: `cc and bcc must not name more than ${RECIPIENTS_MAX} addresses together`,
  });
export type AskedMail = z.output<typeof MAIL>;

/** The mail as the service sends it: from the service's own address, to those whom the service allows alone. */
export function readMail(
  service: NamedService,
  { to, cc, bcc, replyTo, subject: about, text, html }: AskedMail,
): { ok: true; mail: Mail; server: MailServer } | Refused {
  const from = readSender(textOf(service, "from"));
  if (!from)
    return refused("failed", `The channel "${service.name}" has no sender; a person sets its field from.`);
  const allowed = readRecipients(textOf(service, "recipients"));
  const closed = [...to, ...cc, ...bcc].find((one) => !mayReceive(allowed, one));
  if (closed !== undefined)
    return refused(
      "capability_denied",
      `The channel "${service.name}" may not write to ${closed}; a person can add the address to its recipients.`,
    );
  const mail = {
    from,
    to,
    cc,
    bcc,
    replyTo: replyTo ?? null,
    subject: about,
    text: text ?? null,
    html: html ?? null,
  };
  return { ok: true, mail, server: serverOf(service) };
}

const SECURITIES = ["starttls", "tls", "none"] as const;

const serverOf = (service: NamedService): MailServer => {
  const user = textOf(service, "user");
  return {
    host: textOf(service, "host"),
    port: Number(service.values["port"]),
    ca: textOf(service, "ca") || null,
    security: SECURITIES.find((known) => known === service.values["security"]) ?? "starttls",
    login: user === "" ? null : { user, password: service.secrets["password"] ?? "" },
  };
};
