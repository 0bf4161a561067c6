import type { Embedded, HeldSecret } from "@bulkhead/core";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { openEmbeddings, type EmbeddingsOptions } from "./embeddings.ts";
import { LocalOrigins } from "./local-origins.ts";
import { placeSecret, plainScrubbers } from "./local-secrets.ts";

const origins = new LocalOrigins();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await origins.close();
});

interface Asked {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: unknown;
}

/** A server of embeddings; what it was asked is told beside it. */
async function open(answer: (response: ServerResponse) => void, options: Partial<EmbeddingsOptions> = {}) {
  const asked: Asked[] = [];
  const origin = await origins.serve((request, response) => {
    void text(request).then((said) => {
      const { method, url, headers } = request;
      asked.push({ method, url, headers, body: JSON.parse(said) });
      answer(response);
    });
  });
  const given = { baseUrl: `${origin}/v1`, model: "small", scrubbers: plainScrubbers, ...options };
  const embeddings = openEmbeddings(given);
  closing.push(() => embeddings.close());
  const embed = (key: HeldSecret | null = null, signal = new AbortController().signal): Promise<Embedded> =>
    embeddings.embed({ tenantId: "ten_a", texts: ["one", "two"], key }, signal);
  return { asked, embed };
}

const answerWith = (data: unknown) => (response: ServerResponse) => response.end(JSON.stringify({ data }));
const one = { object: "embedding", index: 0, embedding: [1, 0.5] };
const two = { object: "embedding", index: 1, embedding: [-1, 0] };

test("all texts are asked for at once, and the vectors stand in their order", async () => {
  const { asked, embed } = await open(answerWith([two, one]));
  expect(await embed()).toEqual({ ok: true, vectors: [one.embedding, two.embedding] });
  expect(asked).toMatchObject([
    {
      method: "POST",
      url: "/v1/embeddings",
      headers: { "content-type": "application/json" },
      body: { model: "small", input: ["one", "two"], encoding_format: "float" },
    },
  ]);
  expect(asked[0]?.headers).not.toHaveProperty("authorization");
});

test("the key goes along only where its service allows this host", async () => {
  const { asked, embed } = await open(answerWith([one, two]));
  const { secret } = placeSecret({ service: "embeddings" });
  expect(await embed(secret)).toMatchObject({ ok: true });
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${secret.value}`);
  expect(await embed({ ...secret, hosts: ["api.example.com"] })).toMatchObject({
    ok: false,
    message: expect.stringContaining("config-services/embeddings"),
  });
  expect(asked).toHaveLength(1);
});

test.each([
  ["an error", (response: ServerResponse) => response.writeHead(429).end("slow down"), "429: slow down"],
  ["no JSON", (response: ServerResponse) => response.end("Sure!"), "no vector"],
  ["JSON of another form", (response: ServerResponse) => response.end("null"), "no vector"],
  ["too few vectors", answerWith([one]), "no vector"],
  ["too many vectors", answerWith([one, two, two]), "no vector"],
  ["one place twice", answerWith([one, one]), "no vector"],
  ["a place far behind the end", answerWith([one, { ...two, index: 4_000_000_000 }]), "no vector"],
  ["a vector of another length", answerWith([one, { ...two, embedding: [1] }]), "no vector"],
  ["an empty vector", answerWith([one, { ...two, embedding: [] }]), "no vector"],
  ["numbers as text", answerWith([one, { ...two, embedding: "AAAA" }]), "no vector"],
  ["what is no number", answerWith([one, { ...two, embedding: [1, null] }]), "no vector"],
  ["nothing", answerWith([one, null]), "no vector"],
  [
    "a redirect to a metadata address",
    (response: ServerResponse) =>
      response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
    "redirect",
  ],
])("%s is a failure that says so", async (_what, answer, message) => {
  const { embed } = await open(answer);
  expect(await embed()).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

test("a server that says nothing is left, and a caller who leaves is not waited for", async () => {
  const { embed } = await open(() => undefined, { callMsMax: 50 });
  expect(await embed()).toMatchObject({ ok: false, message: expect.stringContaining("within 50 ms") });
  expect(await embed(null, AbortSignal.abort())).toMatchObject({ ok: false });
});
