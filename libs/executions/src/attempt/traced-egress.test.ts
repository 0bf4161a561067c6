import type { EgressAnswer, EgressRequest, EgressSession } from "@bulkhead/core";
import { NO_SPAN } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { ToldSpan } from "../fixtures/told-span.ts";
import { tracedEgress } from "./traced-egress.ts";

const answered = (status: number): EgressAnswer => ({
  ok: true,
  status,
  statusText: "",
  headers: [],
  url: "https://elsewhere.example/",
  redirected: true,
  body: "",
  bodyEncoding: "utf8",
  done: true,
});

const sessionOf = (answer: EgressAnswer): EgressSession => ({
  fetch: () => Promise.resolve(answer),
  read: () => Promise.resolve({ ok: true, body: "part", bodyEncoding: "utf8", done: true }),
  requests: 3,
  bytesIn: 4,
  bytesOut: 5,
  left: { networkRequests: 0, bytesIn: 0, bytesOut: 0 },
  charge: () => undefined,
  withSecrets: () => sessionOf(answer),
  close: () => undefined,
});

async function told(url: string, method: string, answer: EgressAnswer): Promise<ToldSpan | undefined> {
  const run = new ToldSpan("run");
  const listed = ["api.example", "*.sub.example", "word.example"];
  const egress = tracedEgress(sessionOf(answer), run, {
    listed,
    cover: (text) => text.replace("word", "[REDACTED]"),
  });
  const request: EgressRequest = {
    url,
    method,
    headers: [],
    body: null,
    bodyEncoding: "utf8",
    redirect: "follow",
  };
  expect(await egress.fetch(request, new AbortController().signal, 1)).toBe(answer);
  return run.children[0];
}

test.each([
  ["https://api.example/a?b#c", "get", "GET", "GET", "api.example", 443],
  ["http://api.example/", "POST", "POST", "POST", "api.example", 80],
  ["https://me:pass@api.example:8443/", "PATCH", "PATCH", "PATCH", "api.example", 8443],
  ["https://word.example/", "GET", "GET", "GET", "[REDACTED].example", 443],
  ["https://S3cret.sub.example/", "GET", "GET", "GET", "*.sub.example", 443],
  ["https://S3cret.example:1234/", "GET", "GET", "GET", "_OTHER", undefined],
  ["https://api.example/", "s3cret-method", "HTTP", "_OTHER", "api.example", 443],
  ["no url s3cret", "GET", "GET", "GET", undefined, undefined],
])(
  "of %s by %s no more is told than method, and host and port as they are listed",
  async (url, method, name, known, host, port) => {
    const span = await told(url, method, answered(204));
    expect(span?.name).toBe(name);
    expect(span?.attributes).toEqual({
      "http.request.method": known,
      "server.address": host,
      "server.port": port,
      "http.response.status_code": 204,
    });
  },
);

test.each<[EgressAnswer, string | null]>([
  [answered(302), null],
  [answered(404), "404"],
  [answered(500), "500"],
  [{ ok: false, code: "egress_denied", message: "tenant's words" }, "egress_denied"],
])("what is no success is a failure by its code", async (answer, failure) => {
  expect((await told("https://api.example/", "GET", answer))?.failure).toBe(failure);
});

test("what it does not trace is the session's own, and without a trace so is all of it", async () => {
  const session = sessionOf(answered(200));
  const telling = { listed: [], cover: String };
  const traced = tracedEgress(session, new ToldSpan("run"), telling);
  expect([traced.requests, traced.bytesIn, traced.bytesOut]).toEqual([3, 4, 5]);
  expect(await traced.read(1, new AbortController().signal)).toMatchObject({ body: "part" });
  expect(tracedEgress(session, NO_SPAN, telling)).toBe(session);
});
