import type { SandboxVerdict } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { ONE_ISOLATE, toolRun } from "./testing/tool-runs.ts";
import { Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 1 });
});
afterAll(() => pool.close());

const run = (code: string, upstream: Upstream): Promise<SandboxVerdict> =>
  pool.run(toolRun(code, { network: true, ...ONE_ISOLATE }), upstream.heard, new AbortController().signal);

const answering = (body: string, type: string, status = 200): Upstream =>
  new Upstream([body], { status, headers: [["content-type", type]] });

/** What the call gave: its value, or all that is on the error that it threw. */
async function outcomeOf(call: string, upstream: Upstream): Promise<unknown> {
  const code = `try { return { value: await ${call} } } catch (e) { return { ...e, name: e.name, message: e.message } }`;
  const verdict = await run(code, upstream);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
}

describe("api.rest sends as fetch does", () => {
  const TEXT = "text/plain;charset=UTF-8";
  const FORM = "application/x-www-form-urlencoded;charset=UTF-8";
  it.each<[string, string, string | null]>([
    ["'text'", "text", TEXT],
    ["new URLSearchParams({ a: 'ä b' })", "a=%C3%A4+b", FORM],
    ["new Blob(['x'], { type: 'text/csv' })", "x", "text/csv"],
    ["new File(['x'], 'n', { type: 'text/csv' })", "x", "text/csv"],
    ["ReadableStream.from([new TextEncoder().encode('x')])", "x", null],
    ["new TextEncoder().encode('x').buffer", "x", null],
    ["new DataView(new TextEncoder().encode('axb').buffer, 1, 1)", "x", null],
  ])("%s", async (body, sent, type) => {
    const upstream = new Upstream(["ok"]);
    const value = await outcomeOf(`api.rest({ url: 'https://a.example', body: ${body} })`, upstream);
    expect(value).toEqual({ value: "ok" });
    const [asked] = upstream.asked;
    expect(asked?.method).toBe("POST");
    expect(Buffer.from(asked?.body ?? "", asked?.bodyEncoding).toString()).toBe(sent);
    expect(Object.fromEntries(asked?.headers ?? [])["content-type"] ?? null).toBe(type);
    expect(upstream.heard.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it("a form with files", async () => {
    const upstream = new Upstream(["ok"]);
    const code = `const f = new FormData(); f.append('a', new File(['x'], 'n.txt'));
      return api.rest({ url: 'https://a.example', body: f })`;
    expect(await run(code, upstream)).toMatchObject({ outcome: "returned" });
    const [asked] = upstream.asked;
    expect(Object.fromEntries(asked?.headers ?? [])["content-type"]).toMatch(
      /^multipart\/form-data; boundary=/,
    );
    expect(Buffer.from(asked?.body ?? "", asked?.bodyEncoding).toString()).toContain('filename="n.txt"');
  });

  it("with the type that the tool gave", async () => {
    const upstream = new Upstream(["ok"]);
    const call = `api.rest({ url: 'https://a.example', headers: { 'Content-Type': 'a/b' }, body: new URLSearchParams('a=1') })`;
    await outcomeOf(call, upstream);
    expect(upstream.asked[0]?.headers).toContainEqual(["content-type", "a/b"]);
  });
});

describe("api.rest sends as JSON", () => {
  it.each([
    ["{ a: [1] }", '{"a":[1]}', []],
    ["[1]", "[1]", []],
    ["1", "1", []],
    ["/x/", "{}", ["warn: The tool sent a RegExp; only JSON leaves the sandbox: it became {}."]],
    ["new Headers({ a: '1' })", '{"a":"1"}', []],
    ["{ a: new Set([1]) }", '{"a":[1]}', []],
    ["{ a: [0 / 0] }", '{"a":[null]}', [expect.stringContaining(`A sent body's "a[0]" is NaN;`)]],
  ])("%s", async (body, sent, warnings) => {
    const upstream = new Upstream(["ok"]);
    await outcomeOf(`api.rest({ url: 'https://a.example', body: ${body} })`, upstream);
    expect(upstream.asked[0]?.body).toBe(sent);
    expect(upstream.asked[0]?.headers).toContainEqual(["content-type", "application/json"]);
    expect(upstream.heard.said.filter((line) => line.startsWith("warn"))).toEqual(warnings);
  });
});

it.each([
  ["api.rest()", "api.rest needs an object with a url"],
  ["api.rest({ method: 'GET' })", "api.rest needs an object with a url"],
  ["api.graphql({ query: '{a}' })", "api.graphql needs an object with a url"],
  ["api.graphql({ url: 'https://a.example' })", "api.graphql needs a query, a text that is not empty"],
  [
    "api.graphql({ url: 'https://a.example', query: '' })",
    "api.graphql needs a query, a text that is not empty",
  ],
  [
    "api.graphql({ url: 'https://a.example', query: {} })",
    "api.graphql needs a query, a text that is not empty",
  ],
])("%s sends nothing, and says what is missing", async (call, message) => {
  const upstream = new Upstream(["ok"]);
  expect(await outcomeOf(call, upstream)).toEqual({ name: "TypeError", message });
  expect(upstream.asked).toEqual([]);
});

it("api.rest takes headers of null for none", async () => {
  const upstream = new Upstream(["ok"]);
  expect(await outcomeOf("api.rest({ url: 'https://a.example', headers: null })", upstream)).toEqual({
    value: "ok",
  });
});

describe("api.rest rejects with an HttpError that has the status and", () => {
  it.each<[string, Upstream, unknown]>([
    ["what JSON says", answering('{"why":1}', "application/problem+json", 422), { why: 1 }],
    ["the text of what claims JSON and is none", answering("<html>", "application/json", 502), "<html>"],
    ["any other text", answering("no", "text/plain", 500), "no"],
    ["null where nothing came", answering("", "text/plain", 404), null],
  ])("%s", async (_, upstream, body) => {
    const error = await outcomeOf("api.rest({ url: 'https://a.example' })", upstream);
    expect(error).toMatchObject({ name: "HttpError", body });
    expect(error).toHaveProperty(
      "message",
      expect.stringMatching(/^https:\/\/a\.example answered (422|502|500|404): /),
    );
  });

  it.each<[string, string]>([
    ["api.rest", "api.rest({ url: 'https://a.example' })"],
    ["api.graphql", "api.graphql({ url: 'https://a.example', query: '{ a }' })"],
  ])("the seconds of its Retry-After, which the run's end tells in turn: %s", async (_, call) => {
    const busy = () => new Upstream(["slow down"], { status: 429, headers: [["retry-after", "4"]] });
    expect(await outcomeOf(call, busy())).toMatchObject({ name: "HttpError", retryAfter: 4 });
    expect(await run(`return ${call}`, busy())).toMatchObject({ outcome: "threw", retryAfterMs: 4_000 });
    const plain = await outcomeOf(call, answering("no", "text/plain", 500));
    expect(plain).not.toHaveProperty("retryAfter");
  });

  it("with a SyntaxError where a success claims JSON and is none", async () => {
    const error = await outcomeOf(
      "api.rest({ url: 'https://a.example' })",
      answering("<", "application/json"),
    );
    expect(error).toMatchObject({ name: "SyntaxError" });
  });
});

it.each(["api.rest", "api.graphql"])(
  "%s sends nothing where auth has an option that there is not",
  async (call) => {
    const upstream = new Upstream(["ok"]);
    const called = `${call}({ url: 'https://a.example', query: '{a}', auth: { service: 'mail', tokn: 'x' } })`;
    expect(await outcomeOf(called, upstream)).toEqual({
      name: "TypeError",
      message: `api: auth has no option "tokn"; its options are service, scheme, header, entry, field, user`,
    });
    expect(upstream.asked).toEqual([]);
  },
);

it.each(["api.rest", "api.graphql"])(
  "%s says what it needs where it was given something else",
  async (call) => {
    for (const given of ["", "null", "'https://a.example'"])
      expect(await outcomeOf(`${call}(${given})`, new Upstream([]))).toEqual({
        name: "TypeError",
        message: `${call} needs an object with a url`,
      });
  },
);

describe("api.graphql", () => {
  const JSON_TYPE = "application/json";
  const GRAPHQL_TYPE = "application/graphql-response+json";
  const CALL = "api.graphql({ url: 'https://a.example', query: '{a}' })";
  const ERRORS = [{ message: "no field a", path: ["a"] }, { message: "second" }];

  it.each([
    ['{"data":{"a":1}}', { a: 1 }],
    ['{"data":{"a":1},"errors":[]}', { a: 1 }],
    ['{"data":null}', null],
  ])("answers with the data of %s", async (body, value) => {
    expect(await outcomeOf(CALL, answering(body, JSON_TYPE))).toEqual({ value });
  });

  it.each([
    [200, JSON_TYPE],
    [400, JSON_TYPE],
    [400, GRAPHQL_TYPE],
  ])("rejects with a GraphQLError for errors, status %i as %s", async (status, type) => {
    const body = JSON.stringify({ errors: ERRORS, data: { a: null } });
    expect(await outcomeOf(CALL, answering(body, type, status))).toEqual({
      name: "GraphQLError",
      message: "GraphQL: no field a",
      errors: ERRORS,
      data: { a: null },
      status,
    });
  });

  it.each([
    ["<html>", "text/html", 200],
    ["<html>", JSON_TYPE, 200],
    ["OK", "text/plain", 200],
    ["", "text/plain", 204],
    ["[]", JSON_TYPE, 200],
    ["{}", JSON_TYPE, 200],
    ['{"errors":[]}', JSON_TYPE, 200],
  ])(
    "rejects with a GraphQLError for what is no answer of GraphQL's: %j as %s, %i",
    async (body, type, status) => {
      expect(await outcomeOf(CALL, answering(body, type, status))).toMatchObject({
        name: "GraphQLError",
        message: expect.stringContaining(
          `https://a.example answered ${status} with an answer that is not GraphQL's: `,
        ),
        status,
        errors: [],
        data: null,
      });
    },
  );

  it.each([
    ["<html>", JSON_TYPE, 502],
    ['{"message":"who are you"}', JSON_TYPE, 401],
  ])("rejects with an HttpError for %s as %s, %i", async (body, type, status) => {
    expect(await outcomeOf(CALL, answering(body, type, status))).toMatchObject({ name: "HttpError", status });
  });
});
