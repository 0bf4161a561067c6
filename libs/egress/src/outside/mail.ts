import type { EffectRefusal, Mail, MailAnswer, MailServer, OutsideRefused } from "@bulkhead/core";
import { createTransport, type SentMessageInfo } from "nodemailer";
import { CONNECT_MS_MAX, MAIL_ANSWER_BYTES_MAX, MAIL_MS_MAX } from "../bounds.ts";
import type { CheckTargetDeps } from "../check-target.ts";
import { failureReason } from "../describe-failure.ts";
import { Refusal } from "../refusal.ts";
import { dial } from "./dial.ts";

/** Ports of mail, which no web request may use: between servers, over TLS, and of who submits. */
const MAIL_PORTS = [25, 465, 587];

/** Sends a mail over a connection of its own. Never rejects. */
export async function sendMail(
  deps: CheckTargetDeps,
  server: MailServer,
  mail: Mail,
  signal: AbortSignal,
): Promise<MailAnswer | OutsideRefused> {
  const late = AbortSignal.timeout(MAIL_MS_MAX);
  const over = AbortSignal.any([signal, late]);
  try {
    return await overSocket(deps, server, mail, over);
  } catch (error) {
    if (signal.aborted) return { ok: false, code: "aborted", message: "the run has given the mail up" };
    if (late.aborted)
      return { ok: false, code: "timeout", message: "the mail server did not answer in time" };
    if (error instanceof Refusal) return error.toAnswer();
    return { ok: false, ...describeMailFailure(error) };
  }
}

async function overSocket(
  deps: CheckTargetDeps,
  server: MailServer,
  mail: Mail,
  over: AbortSignal,
): Promise<MailAnswer> {
  const { host, port, security, login, ca } = server;
  const secure = security !== "none";
  const { socket, host: name } = await dial(deps, { host, port, secure, ownPorts: MAIL_PORTS }, over);
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const end = (): void => {
    broken.reject(over.reason);
    socket.destroy();
  };
  over.addEventListener("abort", end);
  try {
    const transport = createTransport({
      host: name,
      port,
      connection: socket,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { rejectUnauthorized: true, ...(ca !== null && { ca }) },
      ...(login && { auth: { user: login.user, pass: login.password } }),
      name: "bulkhead",
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: MAIL_MS_MAX,
      maxResponseSize: MAIL_ANSWER_BYTES_MAX,
      // A message is what its fields say: nothing in it is read from a path or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const sent: SentMessageInfo = await Promise.race([
      transport.sendMail({
        from: mail.from,
        to: [...mail.to],
        cc: [...mail.cc],
        bcc: [...mail.bcc],
        ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
        subject: mail.subject,
        ...(mail.text !== null && { text: mail.text }),
        ...(mail.html !== null && { html: mail.html }),
      }),
      broken.promise,
    ]);
    const addresses = (list: readonly unknown[] | undefined): string[] => (list ?? []).map(String);
    return {
      ok: true,
      messageId: sent.messageId,
      accepted: addresses(sent.accepted),
      rejected: addresses(sent.rejected),
    };
  } finally {
    over.removeEventListener("abort", end);
    socket.destroy();
  }
}

/** By nodemailer's codes. What the server says may name the account, so only its number is told. */
function describeMailFailure(error: unknown): { code: EffectRefusal; message: string } {
  const {
    code = "",
    responseCode,
    command,
  } = error as Partial<Record<"code" | "command", string> & { responseCode: number }>;
  const number = responseCode === undefined ? "" : ` (SMTP ${responseCode})`;
  if (code === "EAUTH" || code === "ENOAUTH")
    return {
      code: "failed",
      message: `the mail server refused the sign-in${number}: a person looks at the service's user and password`,
    };
  if (code === "EMESSAGE" || command === "DATA")
    return { code: "failed", message: `the mail server refused the message${number}` };
  if (code === "EENVELOPE")
    return { code: "failed", message: `the mail server refused the addresses${number}` };
  if (code === "ETLS")
    return { code: "failed", message: "the mail server does not speak TLS as it should, or is not trusted" };
  const reason = responseCode === undefined ? failureReason(error) : `it answered ${responseCode}`;
  return { code: "failed", message: `the mail could not be sent: ${reason}` };
}
