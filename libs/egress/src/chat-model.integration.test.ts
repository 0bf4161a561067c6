import { MODEL_ANSWER_BYTES_MAX, type HeldSecret, type ModelAnswer } from "@bulkhead/core";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { openChatModel, type ChatModelOptions } from "./chat-model.ts";
import { LocalOrigins } from "./local-origins.ts";
import { placeSecret, plainScrubbers } from "./local-secrets.ts";

const origins = new LocalOrigins();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await origins.close();
});

interface Asked {
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: ReturnType<typeof JSON.parse>;
}

const completion = (content: unknown): string =>
  JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });

/** A model's server; what it was asked is told beside the model. */
async function openModel(
  answer: (response: ServerResponse, body: Asked["body"]) => void,
  options: Partial<ChatModelOptions> = {},
) {
  const asked: Asked[] = [];
  const origin = await origins.serve((request, response) => {
    void text(request).then((said) => {
      const body = JSON.parse(said);
      asked.push({ url: request.url, headers: request.headers, body });
      answer(response, body);
    });
  });
  const model = openChatModel({
    baseUrl: `${origin}/v1/`,
    name: "small",
    scrubbers: plainScrubbers,
    ...options,
  });
  closing.push(() => model.close());
  const complete = (
    key: HeldSecret | null = null,
    signal = new AbortController().signal,
  ): Promise<ModelAnswer> =>
    model.complete({ tenantId: "ten_a", messages: [{ role: "user", content: "Hello" }], key }, signal);
  return { asked, complete };
}

test("a completion is asked for with the model, the messages and a bound of tokens, without a key where there is none", async () => {
  const { asked, complete } = await openModel((response) => response.end(completion("Hi")));
  expect(await complete()).toEqual({ ok: true, text: "Hi" });
  expect(asked).toMatchObject([
    {
      url: "/v1/chat/completions",
      body: {
        model: "small",
        messages: [{ role: "user", content: "Hello" }],
        max_completion_tokens: 8_192,
        stream: false,
      },
    },
  ]);
  expect(asked[0]?.headers).not.toHaveProperty("authorization");
});

test("a server that knows the bound by its older name alone is asked by that one from then on", async () => {
  const { asked, complete } = await openModel((response, { max_completion_tokens }) => {
    const isKnown = max_completion_tokens === undefined;
    response.writeHead(isKnown ? 200 : 400);
    response.end(isKnown ? completion("Hi") : '{"error": "unknown field max_completion_tokens"}');
  });
  expect([await complete(), await complete()]).toEqual([
    { ok: true, text: "Hi" },
    { ok: true, text: "Hi" },
  ]);
  expect(asked.map(({ body }) => "max_tokens" in body)).toEqual([false, true, true]);
});

test("the key goes along only where its service allows this host", async () => {
  const { asked, complete } = await openModel((response) => response.end(completion("Hi")));
  const { secret } = placeSecret({ service: "model" });
  expect(await complete(secret)).toEqual({ ok: true, text: "Hi" });
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${secret.value}`);
  expect(await complete({ ...secret, hosts: ["api.example.com"] })).toMatchObject({
    ok: false,
    reason: "failed",
    message: expect.stringContaining("PATCH /api/v1/config-services/model"),
  });
  expect(asked).toHaveLength(1);
});

test.each([
  ["prose instead of JSON", (response: ServerResponse) => response.end("Sure!"), "no chat completion"],
  ["JSON of another form", (response: ServerResponse) => response.end("null"), "no chat completion"],
  [
    "an answer without a text",
    (response: ServerResponse) => response.end(completion(null)),
    "no chat completion",
  ],
  [
    "an error",
    (response: ServerResponse) => response.writeHead(401).end("bad key"),
    "the model's server answered 401: bad key",
  ],
  [
    "a redirect to a metadata address",
    (response: ServerResponse) =>
      response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
    "redirect",
  ],
  ["no more than its head", (response: ServerResponse) => void response.writeHead(200).destroy(), ""],
])("%s is a failure that says so", async (_what, answer, message) => {
  const { complete } = await openModel(answer);
  expect(await complete()).toMatchObject({
    ok: false,
    reason: "failed",
    message: expect.stringContaining(message),
  });
});

test("of an answer of 200 MB no more is taken than the bound, and a little that was on its way", async () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let left = (200 * 1024 * 1024) / chunk.length;
  let sent = 0;
  const { complete } = await openModel((response) => {
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", more);
      }
    };
    more();
  });
  expect(await complete()).toMatchObject({ ok: false, reason: "failed" });
  expect(sent).toBeLessThan(MODEL_ANSWER_BYTES_MAX + 16 * 1024 * 1024);
});

test.each([
  ["never answers", () => undefined],
  [
    "begins an answer and falls silent",
    (response: ServerResponse) => void response.writeHead(200).write("{"),
  ],
])("a server that %s is given up after the bound", async (_what, answer) => {
  const { complete } = await openModel(answer, { callMsMax: 100 });
  expect(await complete()).toMatchObject({ ok: false, reason: "timeout" });
});

test("a caller that leaves ends the request", async () => {
  const caller = new AbortController();
  const { complete } = await openModel(() => caller.abort());
  expect(await complete(null, caller.signal)).toMatchObject({ ok: false, reason: "aborted" });
});
