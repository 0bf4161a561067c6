import type { Mail, MailServer } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, expect, test } from "vitest";
import { parseEgressAllow } from "../egress-allow.ts";
import { LocalOrigins, never } from "../local-origins.ts";
import { makeSelfSigned } from "@bulkhead/process/self-signed";
import { openOutside } from "./open-outside.ts";
import { scriptedSmtp, type ScriptedSmtp } from "./scripted-smtp.ts";

leakCheck();

const origins = new LocalOrigins();
const parsed = parseEgressAllow("127.0.0.0/8");
if (!parsed.ok) throw new Error("no rules");
const lookup = async (): Promise<string[]> => ["127.0.0.1"];
const outside = openOutside({ allow: parsed.rules, lookup });
const closed = openOutside({ allow: [], lookup });
afterEach(() => origins.close());
afterAll(() => Promise.all([outside.close(), closed.close()]));

const LOGIN = { user: "tools", password: "pass-of-the-mailbox" };
const MAIL: Mail = {
  from: { name: "Our Tools", address: "tools@example.com" },
  to: ["ann@example.com"],
  cc: [],
  bcc: [],
  replyTo: null,
  subject: "Hello",
  text: "A line\n.\nand another",
  html: null,
};

async function serving(script: ScriptedSmtp = {}, server: Partial<MailServer> = {}) {
  const { server: listening, mails } = scriptedSmtp(script);
  const port = await origins.listen(listening);
  const to: MailServer = { host: "127.0.0.1", port, ca: null, security: "none", login: null, ...server };
  return {
    mails,
    send: (mail: Partial<Mail> = {}) => outside.mail.send("ten_a", to, { ...MAIL, ...mail }, never),
  };
}

test("a mail is what its fields say, to everybody who is named, hidden ones hidden", async () => {
  const { mails, send } = await serving();
  const sent = await send({
    cc: ["bob@example.com"],
    bcc: ["eve@example.com"],
    replyTo: "desk@example.com",
    subject: "Zoë's größte Nachricht",
    html: "<p>A line</p>",
  });
  expect(sent).toMatchObject({
    ok: true,
    messageId: expect.stringMatching(/^<.+@.+>$/),
    accepted: ["ann@example.com", "bob@example.com", "eve@example.com"],
    rejected: [],
  });
  const [{ from, to, data, login } = { from: "", to: [], data: "", login: "" }] = mails;
  expect([from, to, login]).toEqual([
    "tools@example.com",
    ["ann@example.com", "bob@example.com", "eve@example.com"],
    null,
  ]);
  expect(data).toContain("From: Our Tools <tools@example.com>\r\n");
  expect(data).toContain("To: ann@example.com\r\n");
  expect(data).toContain("Cc: bob@example.com\r\n");
  expect(data).toContain("Reply-To: desk@example.com\r\n");
  expect(data).toMatch(/Subject: =\?UTF-8\?/i);
  expect(data).toContain("multipart/alternative");
  expect(data).not.toContain("eve@");
  // The line that is a dot alone doesn't end it.
  expect(data).toContain("\r\n..\r\nand another");
});

test("lines in fields become no headers, should one ever get here", async () => {
  const { mails, send } = await serving();
  await send({ subject: "Hello\r\nBcc: eve@example.com\r\n\r\nevil", replyTo: "a@b.co\r\nX-Evil: 1" });
  const [head = ""] = (mails[0]?.data ?? "").split("\r\n\r\n");
  expect(head).toContain("Subject: Hello");
  expect(head).not.toMatch(/^(Bcc|X-Evil):/im);
  expect(mails[0]?.to).toEqual(["ann@example.com"]);
});

test("STARTTLS is demanded, and its certificate checked, before anybody signs in", async () => {
  const secure = makeSelfSigned(["mail.test"]);
  const server = { host: "mail.test", security: "starttls", login: LOGIN, ca: secure.cert } as const;
  const { mails, send } = await serving({ secure, login: LOGIN }, server);
  expect(await send()).toMatchObject({ ok: true });
  expect(mails).toMatchObject([{ secure: true, login: "tools" }]);
  for (const [script, wrong] of [
    [{ login: LOGIN }, {}],
    [{ secure, login: LOGIN }, { ca: null }],
    [{ secure, login: LOGIN }, { host: "other.test" }],
  ] as [ScriptedSmtp, Partial<MailServer>][]) {
    const other = await serving(script, { ...server, ...wrong });
    expect(await other.send()).toMatchObject({ ok: false, code: "failed" });
    expect(other.mails).toEqual([]);
  }
});

test("a server that speaks TLS from the start is spoken to so", async () => {
  const secure = makeSelfSigned(["mail.test"]);
  const { server, mails } = scriptedSmtp();
  const port = await origins.listen(createTlsServer(secure, (socket) => server.emit("connection", socket)));
  const to: MailServer = { host: "mail.test", port, ca: secure.cert, security: "tls", login: null };
  expect(await outside.mail.send("ten_a", to, MAIL, never)).toMatchObject({ ok: true });
  expect(mails).toHaveLength(1);
});

test.each<[string, ScriptedSmtp, RegExp]>([
  ["the account", { login: { ...LOGIN, password: "another" } }, /refused the sign-in \(SMTP 535\)/],
  [
    "the sender",
    { login: LOGIN, says: { MAIL: "550 not you, tools" } },
    /refused the addresses \(SMTP 550\)/,
  ],
  ["the addresses", { login: LOGIN, says: { RCPT: "550 who" } }, /refused the addresses \(SMTP 550\)/],
  ["the message", { login: LOGIN, says: { DATA: "554 no" } }, /refused the message \(SMTP 554\)/],
])("%s can be refused, and no word says who signs in", async (_what, script, message) => {
  const { send } = await serving(script, { login: LOGIN });
  const answer = await send();
  expect(answer).toMatchObject({ ok: false, code: "failed", message: expect.stringMatching(message) });
  expect(JSON.stringify(answer)).not.toMatch(/pass-of|tools|127\.0/);
});

test("a server that isn't open to tools, or none, is not written to", async () => {
  const server: MailServer = { host: "127.0.0.1", port: 2525, ca: null, security: "tls", login: null };
  expect(await closed.mail.send("ten_a", server, MAIL, never)).toMatchObject({ code: "egress_denied" });
  const named = { ...server, host: "mail.example.com", security: "none" } as const;
  expect(await closed.mail.send("ten_a", named, MAIL, never)).toMatchObject({ code: "egress_denied" });
  for (const port of [22, 6667])
    expect(await outside.mail.send("ten_a", { ...server, port }, MAIL, never)).toMatchObject({
      code: "egress_denied",
    });
  const port = await origins.listen(createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
  expect(await outside.mail.send("ten_a", { ...server, security: "none", port }, MAIL, never)).toMatchObject({
    ok: false,
    code: "failed",
  });
});

test("a run that ends ends its mail", async () => {
  const port = await origins.listen(createServer(() => undefined));
  const controller = new AbortController();
  const server: MailServer = { host: "127.0.0.1", port, ca: null, security: "none", login: null };
  const sent = outside.mail.send("ten_a", server, MAIL, controller.signal);
  setTimeout(() => controller.abort(), 50);
  expect(await sent).toMatchObject({ ok: false, code: "aborted" });
});
