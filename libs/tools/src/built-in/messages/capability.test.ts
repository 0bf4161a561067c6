import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { MAILBOX, MessageWorld, service } from "./fixtures/message-world.ts";

const MAIL = { to: "ann@example.com", subject: "Hi", text: "Hello" };
const URL_OF = "https://hooks.example.com/services/T0/B0/secret-path-of-it";

describe("a mail", () => {
  test("goes out by the channel, from its sender, and counts each address", async () => {
    const world = new MessageWorld(MAILBOX);
    expect(
      await world.ask("send", {
        ...MAIL,
        to: ["ann@example.com", "bob@team.example", "ANN@example.com"],
        html: "<b>",
      }),
    ).toMatchObject({ ok: true, value: { channel: "smtp", kind: "smtp", messageId: "<1@x>" } });
    expect(world.sent).toEqual([
      {
        tenantId: "ten_a",
        server: {
          host: "mail.example.com",
          port: 587,
          ca: null,
          security: "starttls",
          login: { user: "tools", password: "pass-of-the-mailbox" },
        },
        mail: {
          from: { name: "Our Tools", address: "tools@example.com" },
          to: ["ANN@example.com", "bob@team.example"],
          cc: [],
          bcc: [],
          replyTo: null,
          subject: "Hi",
          text: "Hello",
          html: "<b>",
        },
      },
    ]);
    expect(world.taken).toEqual([["ten_a", 2]]);
  });

  test.each([
    ["to", { to: "Ann <ann@example.com>" }, /^to\.0: must be one plain address/],
    ["to", { to: "ann@example.com\r\nBcc: eve@x.co" }, /^to\.0: /],
    ["to", { to: [] }, /^to: must name an address/],
    ["to", { to: undefined }, /^to: /],
    ["to", { to: Array.from({ length: 51 }, (_, n) => `a${n}@team.example`) }, /^to: /],
    ["cc", { cc: Array.from({ length: 50 }, (_, n) => `a${n}@team.example`) }, /50 addresses together/],
    ["bcc", { bcc: ["a,b@x.co"] }, /^bcc/],
    ["replyTo", { replyTo: "a@b.co\nX: y" }, /^replyTo: /],
    ["subject", { subject: "a\r\nBcc: eve@x.co" }, /^subject: must be one line/],
    ["subject", { subject: "" }, /^subject: /],
    ["subject", { subject: "a".repeat(251) }, /^subject: /],
    ["text", { text: undefined }, /^text: or html must be there/],
    ["text", { text: "a".repeat(65_537) }, /^text: /],
    ["another field", { attachments: ["/etc/passwd"] }, /attachments/],
    ["from", { from: "boss@example.com" }, /from/],
  ])("with a bad %s is refused, and counts for nothing", async (_field, change, message) => {
    const world = new MessageWorld(MAILBOX);
    const answer = await world.ask("send", { ...MAIL, ...change });
    expect(answer).toMatchObject({
      ok: false,
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
    expect([world.sent, world.taken]).toEqual([[], []]);
  });

  test.each(["to", "cc", "bcc"])(
    "is written to nobody whom the channel doesn't allow, in %s too",
    async (field) => {
      const world = new MessageWorld(MAILBOX);
      expect(
        await world.ask("send", { ...MAIL, [field]: ["ann@example.com", "eve@evil.example"] }),
      ).toMatchObject({
        ok: false,
        code: "capability_denied",
        message: expect.stringContaining("may not write to eve@evil.example"),
      });
      expect(world.sent).toEqual([]);
    },
  );

  test("needs a channel that the run was given", async () => {
    const slack = service("slack", {}, { url: URL_OF });
    expect(await new MessageWorld(slack).ask("send", MAIL)).toMatchObject({ code: "not_found" });
    expect(await new MessageWorld(MAILBOX).ask("send", { ...MAIL, channel: "others" })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining('no mail channel "others"'),
    });
    const empty = { ...MAILBOX, entries: [] };
    expect(await new MessageWorld(empty).ask("send", MAIL)).toMatchObject({
      message: expect.stringContaining("is not configured yet"),
    });
    const two = new MessageWorld(MAILBOX, { ...MAILBOX, name: "second" });
    expect(await two.ask("send", MAIL)).toMatchObject({ message: expect.stringContaining("name one") });
    expect(await two.ask("send", { ...MAIL, channel: "second" })).toMatchObject({ ok: true });
  });

  test("is refused beyond the tenant's limit, and by one of 0", async () => {
    const world = new MessageWorld(MAILBOX);
    world.allowed = false;
    expect(await world.ask("send", MAIL)).toMatchObject({
      code: "capability_limit",
      message: expect.stringMatching(/100 messages a day.*in 2 minutes/),
    });
    world.messagesPerDay = 0;
    expect(await world.ask("send", MAIL)).toMatchObject({ message: expect.stringContaining("no messages") });
    expect(world.sent).toEqual([]);
  });
});

describe("a message", () => {
  test.each([
    ["slack", { url: URL_OF }, URL_OF, { text: "Hi\n\na &lt;!channel&gt; &amp; b", mrkdwn: false }],
    [
      "discord",
      { url: URL_OF },
      URL_OF,
      { content: "Hi\n\na <!channel> & b", allowed_mentions: { parse: [] } },
    ],
    [
      "telegram",
      { token: "123:AA-b_c/../x" },
      "https://telegram.example/bot123:AA-b_c%2F..%2Fx/sendMessage",
      { chat_id: "-100", text: "Hi\n\na <!channel> & b" },
    ],
  ] as const)("by %s has that one's form", async (kind, secrets, url, body) => {
    const values = kind === "telegram" ? { chatId: "-100", base_url: "https://telegram.example/" } : {};
    const world = new MessageWorld(service(kind, values, secrets));
    const said = { channel: kind, subject: "Hi", text: "a <!channel> & b" };
    expect(await world.ask("message", said)).toMatchObject({ ok: true, value: { channel: kind, kind } });
    const [{ body: sent, ...request } = { body: null }] = world.posted;
    expect(request).toEqual({
      url,
      method: "POST",
      headers: [["content-type", "application/json"]],
      bodyEncoding: "utf8",
      redirect: "error",
    });
    expect(JSON.parse(sent ?? "")).toEqual(body);
  });

  test("by a webhook says where it comes from, and is signed", async () => {
    const secrets = { url: URL_OF, authorization: "Bearer abc", signingSecret: "whsec_c2VjcmV0" };
    const world = new MessageWorld(service("webhook", {}, secrets));
    await world.ask("message", { channel: "webhook", text: "Hello" });
    const [request] = world.posted;
    expect(JSON.parse(request?.body ?? "")).toEqual({
      channel: "webhook",
      text: "Hello",
      executionId: "exe_1",
      toolName: "tells",
      sentAt: "2026-01-02T03:04:05.000Z",
    });
    const headers = Object.fromEntries(request?.headers ?? []);
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${request?.body}`;
    expect(headers).toMatchObject({
      authorization: "Bearer abc",
      "webhook-timestamp": "1767323045",
      "webhook-signature": `v1,${createHmac("sha256", "secret").update(signed).digest("base64")}`,
    });
  });

  test("by mail is a mail, which needs an address and a subject", async () => {
    const world = new MessageWorld(MAILBOX);
    expect(await world.ask("message", { channel: "smtp", ...MAIL })).toMatchObject({ ok: true });
    expect(await world.ask("message", { channel: "smtp", text: "a" })).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^to: /),
    });
    expect(world.sent).toHaveLength(1);
  });

  test.each([
    [{ channel: "discord", text: "a".repeat(2_001) }, "capability_limit", /discord takes 2000 at most/],
    [{ channel: "discord", text: "a", to: "ann@example.com" }, "invalid_request", /writes to one place/],
    [{ channel: "discord", text: "" }, "invalid_request", /^text/],
    [{ channel: "nothing", text: "a" }, "not_found", /no channel "nothing"/],
    [{ channel: "shop", text: "a" }, "not_found", /no channel "shop"/],
    [{ channel: "web", text: "a" }, "not_found", /no channel "web"/],
  ])("%j is refused and goes nowhere", async (args, code, message) => {
    const services = [service("discord", {}, { url: URL_OF }), service("postgres", {}, {}, "shop")];
    const world = new MessageWorld(...services, service("api", {}, {}, "web"));
    const answer = await world.ask("message", args);
    expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
    expect([world.posted, world.taken]).toEqual([[], []]);
  });

  test.each([
    ["invalid_token", /status 403: invalid_token\.$/],
    ['{"ok":false,"description":"Bad Request: chat not found"}', /: Bad Request: chat not found\.$/],
    ['{"message":"Unknown\\nWebhook"}', /: Unknown Webhook\.$/],
    ["<html>", /status 403\.$/],
    ['{"message":"no hook secret-path-of-it"}', /status 403\.$/],
  ])("that is refused with %s says why", async (body, message) => {
    const world = new MessageWorld(service("slack", {}, { url: URL_OF }));
    if (world.answer.ok) world.answer = { ...world.answer, status: 403, body };
    const answer = await world.ask("message", { channel: "slack", text: "a" });
    expect(answer).toMatchObject({ ok: false, code: "failed", message: expect.stringMatching(message) });
    expect(JSON.stringify(answer)).not.toContain("secret-path");
  });

  test("a URL that is none is a person's to mend, and isn't told", async () => {
    const world = new MessageWorld(service("slack", {}, { url: "secret-path" }));
    const answer = await world.ask("message", { channel: "slack", text: "a" });
    expect(answer).toMatchObject({ code: "failed" });
    expect(JSON.stringify(answer)).not.toContain("secret-path");
  });
});
