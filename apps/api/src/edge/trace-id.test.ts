import { APPROVAL_SETTINGS_DEFAULT, TENANT_LIMITS_DEFAULT, type Principal, Fault } from "@bulkhead/core";
import {
  NO_METER,
  PLATFORM_ERROR,
  readTraceparent,
  type SpanAttributes,
  type SpanOptions,
  type Tracing,
} from "@bulkhead/process/telemetry";
import fastify, { LogController, type FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { ok } from "./envelope.ts";
import { useMetrics } from "./http-metrics.ts";
import { frameworkErrors, useProblems } from "./problems.ts";
import { tracePlaceOf, useTracing } from "./trace-id.ts";

const GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED = `${GIVEN.slice(0, -2)}00`;
const OWN = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

const OWNER: Principal = {
  tenantId: "ten_1",
  keyId: "key_1",
  role: "owner",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};

interface Told {
  name: string;
  parent: string | null;
  kind: SpanOptions["kind"];
  attributes: Record<string, unknown>;
  failure?: string | null;
}

let opened: { close(): Promise<void> } | null = null;
afterEach(() => opened?.close());

function open() {
  const spans: Told[] = [];
  const lines: Record<string, unknown>[] = [];
  const tracing: Tracing = {
    begin(name, parent, { kind, attributes } = {}) {
      const told: Told = { name, parent, kind, attributes: { ...attributes } };
      spans.push(told);
      const span = {
        traceparent: OWN,
        isRecording: true,
        begin: () => span,
        set: (more: SpanAttributes) => void Object.assign(told.attributes, more),
        event: () => undefined,
        end: (failure: string | null = null) => void (told.failure = failure),
      };
      return span;
    },
  };
  const write = (line: string) => void lines.push(JSON.parse(line));
  const logger: FastifyBaseLogger = pino({ level: "info" }, { write });
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => "req_1",
    frameworkErrors,
  });
  useTracing(app, tracing);
  // As authentication does, after the trace has begun.
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => {
    if (request.headers.authorization === "known") request.principal = OWNER;
    if (request.headers.authorization === "unknown") throw new Fault("auth.invalid_key");
  });
  useMetrics(app, NO_METER);
  useProblems(app);
  app.get("/api/things/:id", (request) => ok(request, tracePlaceOf(request)));
  app.get("/api/breaks", () => {
    throw new Error("a tenant's words");
  });
  app.get("/healthz", (request) => ok(request, tracePlaceOf(request)));
  opened = app;
  return { app, spans, lines };
}

test("a request is a step of its caller's trace, told by its route, and what it leads to is a step of it", async () => {
  const { app, spans } = open();
  const answer = await app.inject({
    url: "/api/things/s3cret?token=s3cret",
    headers: { traceparent: GIVEN, cookie: "s3cret", authorization: "known" },
  });
  const { traceId } = readTraceparent(GIVEN) ?? {};
  expect(answer.json()).toMatchObject({ data: { traceId, traceparent: OWN }, meta: { traceId } });
  expect(spans).toEqual([
    {
      name: "GET /api/things/:id",
      parent: GIVEN,
      kind: "server",
      attributes: {
        "http.request.method": "GET",
        "http.route": "/api/things/:id",
        "http.response.status_code": 200,
        "bulkhead.request.id": "req_1",
        "bulkhead.tenant.id": "ten_1",
        "bulkhead.outcome": undefined,
      },
      failure: null,
    },
  ]);
});

test("what goes on from a caller's place is written in version 00, whatever else the header holds", async () => {
  const { app, spans } = open();
  const traceparent = `cc-${GIVEN.slice(3)}-anything`;
  await app.inject({ url: "/api/things/1", headers: { traceparent, authorization: "known" } });
  expect(spans).toMatchObject([{ parent: GIVEN }]);
  const { data } = (await app.inject({ url: "/healthz", headers: { traceparent } })).json();
  expect(data.traceparent).toBe(UNSAMPLED);
});

test("a stranger's flag has nothing recorded, and its trace id is kept all the same", async () => {
  const { app, spans } = open();
  const headers = { traceparent: GIVEN, authorization: "unknown" };
  const answer = await app.inject({ url: "/api/things/1", headers });
  expect(answer.json()).toMatchObject({
    status: 401,
    meta: { traceId: readTraceparent(GIVEN)?.traceId },
  });
  expect(spans).toMatchObject([
    { parent: UNSAMPLED, attributes: { "bulkhead.problem": "auth.invalid_key" } },
  ]);
});

test("a failure of ours is one of the span, by its code, and its log line names the trace", async () => {
  const { app, spans, lines } = open();
  const answer = await app.inject({ url: "/api/breaks" });
  const { traceId } = readTraceparent(OWN) ?? {};
  expect(answer.json()).toMatchObject({ status: 500, meta: { traceId } });
  expect(spans).toMatchObject([
    { failure: "500", attributes: { "bulkhead.problem": "service.internal", ...PLATFORM_ERROR } },
  ]);
  expect(JSON.stringify(spans)).not.toContain("words");
  expect(lines).toMatchObject([{ level: 50, traceId, msg: "service.internal" }]);
});

test("what finds no route is told without its path", async () => {
  const { app, spans } = open();
  expect((await app.inject({ url: "/api/s3cret" })).statusCode).toBe(404);
  expect(spans).toMatchObject([
    { name: "GET", failure: null, attributes: { "bulkhead.problem": "route.not_found" } },
  ]);
  expect(JSON.stringify(spans)).not.toContain("s3cret");
});

test("what can't even be routed has a trace id all the same", async () => {
  const { app, spans } = open();
  const answer = await app.inject({ url: "/api/%E0%A4%A" });
  expect(answer.json()).toMatchObject({
    status: 400,
    meta: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(spans).toEqual([]);
});

test("a probe is no step of any trace, and keeps its caller's id", async () => {
  const { app, spans } = open();
  const { data } = (await app.inject({ url: "/healthz", headers: { traceparent: GIVEN } })).json();
  expect(data).toEqual({ traceId: "0af7651916cd43dd8448eb211c80319c", traceparent: UNSAMPLED });
  const alone = (await app.inject({ url: "/healthz" })).json();
  expect(alone.data).toEqual({ traceId: alone.meta.traceId, traceparent: null });
  expect(spans).toEqual([]);
});
