import { RUN_LIMITS_DEFAULT, type Effect, type RecordedAnswers } from "@bulkhead/core";
import { expect, test } from "vitest";
import { RecordedOutside } from "./recorded-outside.ts";

const fetching = (url: string): Effect => ({
  kind: "fetch",
  requestId: 1,
  request: { method: "GET", url, headers: [], body: null, bodyEncoding: "utf8", redirect: "follow" },
});

const RECORDED: RecordedAnswers = {
  fetch: [
    {
      method: "GET",
      url: "https://api.example.com/x",
      status: 404,
      headers: { "content-type": "text/plain" },
      body: "no",
    },
  ],
  calls: [{ name: "greet", result: { hello: "Ada" } }],
  commands: [{ command: "git 'log'", stdout: "one\n", stderr: "", exitCode: 0 }],
};

const open = (more: { allowedHosts?: string[]; networkRequests?: number } = {}): RecordedOutside =>
  new RecordedOutside(RECORDED, {
    allowedHosts: more.allowedHosts ?? null,
    services: ["hook"],
    limits: { ...RUN_LIMITS_DEFAULT, networkRequests: more.networkRequests ?? 10 },
  });

test("a request and a call get what was recorded for them", () => {
  const outside = open();
  const answer = outside.answer(fetching("https://api.example.com/x"));
  expect(answer).toMatchObject({ ok: true, body: "no", bodyEncoding: "utf8" });
  expect(answer.ok && JSON.parse(answer.head)).toEqual({
    status: 404,
    statusText: "",
    headers: [["content-type", "text/plain"]],
    url: "https://api.example.com/x",
    redirected: false,
    done: true,
  });
  expect(outside.answer({ kind: "call_tool", name: "greet", argumentsJson: "{}" })).toMatchObject({
    ok: true,
    body: '{"hello":"Ada"}',
  });
  expect([outside.requests, [...outside.refused]]).toEqual([1, []]);
});

test("a command leaves what was recorded for its line, be it the tool's own or one that its code runs", () => {
  const outside = open();
  const left = { stdout: "one\n", stderr: "", exitCode: 0, timedOut: false, truncated: false, unsaved: [] };
  expect(outside.command("git 'log'")).toEqual({ ok: true, value: left });
  const exec = (command: string): Effect => ({
    kind: "capability",
    family: "shell",
    operation: "exec",
    argumentsJson: JSON.stringify({ command }),
    content: null,
    contentEncoding: "utf8",
  });
  const answer = outside.answer(exec("git 'log'"));
  expect(answer.ok && JSON.parse(answer.body ?? "")).toEqual(left);
  for (const refused of [outside.command("git 'push'"), outside.answer(exec("git 'push'"))])
    expect(refused).toMatchObject({
      code: "capability_denied",
      message: expect.stringContaining("no output was recorded of the command git 'push'"),
    });
});

test("what was not recorded is refused by name, and the refusal counts", () => {
  const outside = open();
  expect(outside.answer(fetching("https://api.example.com/y"))).toMatchObject({
    ok: false,
    code: "egress_denied",
    message: expect.stringContaining("no answer was recorded for GET https://api.example.com/y"),
  });
  expect(outside.answer({ kind: "call_tool", name: "other", argumentsJson: "{}" })).toMatchObject({
    code: "tool_not_allowed",
    message: expect.stringContaining("no result was recorded of the tool other"),
  });
  expect([...outside.refused]).toEqual(["egress_denied", "tool_not_allowed"]);
});

test("the tool's own hosts and number of requests hold", () => {
  expect(
    open({ allowedHosts: ["b.example.com"] }).answer(fetching("https://api.example.com/x")),
  ).toMatchObject({
    code: "egress_denied",
    message: expect.stringContaining("allowedHosts"),
  });
  const outside = open({ networkRequests: 1 });
  expect(outside.answer(fetching("https://api.example.com/x"))).toMatchObject({ ok: true });
  expect(outside.answer(fetching("https://api.example.com/x"))).toMatchObject({ code: "network_limit" });
});

test("a signature is one of no tenant's secret, for a service that the tool declares", () => {
  const request = {
    service: "hook",
    entry: null,
    field: null,
    algorithm: "sha256",
    encoding: "hex",
  } as const;
  const effect: Effect = { kind: "hmac", request: { ...request, data: "body", dataEncoding: "utf8" } };
  expect(open().answer(effect)).toEqual(open().answer(effect));
  expect(open().answer(effect)).toMatchObject({ ok: true, body: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const undeclared: Effect = {
    kind: "hmac",
    request: { ...request, service: "other", data: "body", dataEncoding: "utf8" },
  };
  expect(open().answer(undeclared)).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining('declares no service "other"'),
  });
});
