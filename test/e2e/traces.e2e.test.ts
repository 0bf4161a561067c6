import { randomBytes } from "node:crypto";
import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { openCollector, type Collector, type Span } from "../support/collector.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import { has, named, treeBelow, wholeTrace } from "../support/span-tree.ts";
import { erasedRunsSuite } from "./erased-runs-suite.ts";
import { secretCanarySuite } from "./secret-canary-suite.ts";

let collector: Collector;
let receiver: Receiver;
let product: Product;
let owner: Client;
let tenantId: string;

beforeAll(async () => {
  collector = await openCollector();
  receiver = await openReceiver((path) => (path.startsWith("/missing") ? 404 : 200));
  product = await startProduct({
    env: {
      EGRESS_ALLOW: "127.0.0.0/8",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=let%20me%20in",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "5000",
    },
  });
  ({ id: tenantId, owner } = await newTenant(product));
  await createTool(owner, "leaf_one", "return args.text.length;");
  await createTool(owner, "leaf_two", "throw new Error('told by ' + args.text);");
});

afterAll(async () => {
  await product?.stop();
  await collector?.close();
  await receiver?.close();
});

const hex = (bytes: number): string => randomBytes(bytes).toString("hex");
const canary = (what: string): string => `${what}-canary-${hex(8)}`;

const traceOf = (traceId: string, isWhole: (spans: Span[]) => boolean): Promise<Span[]> =>
  wholeTrace(collector, traceId, isWhole);

describe("the trace of an execution", () => {
  const given = { traceId: hex(16), spanId: hex(8) };
  const words = {
    argument: canary("argument"),
    result: canary("result"),
    log: canary("log"),
    path: canary("path"),
    query: canary("query"),
    header: canary("header"),
    body: canary("body"),
    secret: canary("secret"),
    callback: canary("callback"),
  };
  let executionId: string;
  let spans: Span[];

  beforeAll(async () => {
    await owner.post("/api/v1/config-services", { name: "weather", allowedHosts: ["127.0.0.1"] });
    await owner.post("/api/v1/config-services/weather/entries", {
      label: "main",
      data: { api_key: words.secret },
    });
    await createTool(
      owner,
      "outer",
      `console.log(${JSON.stringify(words.log)});
       const one = await utils.callTool('leaf_one', { text: args.text });
       const two = await utils.callTool('leaf_two', { text: args.text }).catch((error) => error.code);
       const answer = await fetch(args.url + '?q=${words.query}', {
         method: 'POST', body: JSON.stringify({ told: '${words.body}' }),
         headers: { 'x-mine': '${words.header}', authorization: utils.getApiKey('weather') },
       });
       return { one, two, status: answer.status, said: '${words.result}' };`,
      { permissions: ["network"], requiredConfigServices: [{ name: "weather" }] },
    );
    const answer = await owner.post(
      "/api/v1/custom-tools/outer/execute",
      {
        arguments: { text: words.argument, url: `${receiver.url}/${words.path}` },
        callback: { url: `${receiver.url}/${words.callback}` },
      },
      { traceparent: `00-${given.traceId}-${given.spanId}-01` },
    );
    expect(answer.body.data.result).toMatchObject({ two: "tool_failed", status: 200, said: words.result });
    expect(answer.body.meta.traceId).toBe(given.traceId);
    executionId = answer.body.data.executionId;
    const isWhole = (all: Span[]) =>
      ["deliver callback", "process executions", "POST /api/v1/custom-tools/:id/execute"].every((name) =>
        has(name)(all),
      );
    spans = await traceOf(given.traceId, isWhole);
  });

  test("is one tree from the request to the callback, over both processes", () => {
    product.showLogsIfTestFails();
    expect(treeBelow(spans, given.spanId)).toEqual([
      "server POST /api/v1/custom-tools/:id/execute",
      "  producer send executions (outer)",
      "    internal wait in queue (outer)",
      "    consumer process executions (outer)",
      "      internal claim",
      "      internal run tool (outer)",
      "        internal call tool (leaf_one)",
      "          internal run tool (leaf_one)",
      "          internal persist end",
      "        internal call tool (leaf_two)",
      "          internal run tool (leaf_two)",
      "          internal persist end",
      "        client POST",
      "      internal persist end",
      "    client deliver callback",
    ]);
    expect(treeBelow(spans, given.spanId)).toHaveLength(spans.length);
    const services = Map.groupBy(spans, ({ service }) => service);
    const counts = [...services].map(([service, of]) => `${String(service)} ${of.length}`);
    expect(counts.toSorted()).toEqual(["bulkhead-api 2", "bulkhead-worker 13"]);
  });

  test("says what became of each step, by codes", () => {
    const [attempt] = named(spans, "process executions");
    expect(attempt?.attributes).toMatchObject({
      "messaging.system": "bullmq",
      "messaging.destination.name": "executions",
      "messaging.operation.type": "process",
      "messaging.message.id": `${executionId}-1`,
      "bulkhead.tenant.id": tenantId,
      "bulkhead.execution.id": executionId,
      "bulkhead.attempt": 1,
      "bulkhead.outcome": "succeeded",
      "bulkhead.dwell_ms": expect.any(Number),
    });
    const [request] = named(spans, "POST /api/v1/custom-tools/:id/execute");
    expect(request?.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/v1/custom-tools/:id/execute",
      "http.response.status_code": 200,
      "bulkhead.tenant.id": tenantId,
    });
    expect(request?.attributes).not.toHaveProperty("bulkhead.outcome");
    const [egress] = named(spans, "POST");
    expect(egress?.attributes).toEqual({
      "http.request.method": "POST",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(receiver.url).port),
      "http.response.status_code": 200,
    });
    const [delivery] = named(spans, "deliver callback");
    expect(delivery?.attributes).toMatchObject({ "bulkhead.outcome": "delivered", "bulkhead.attempt": 1 });
    const failed = spans.filter(({ error }) => error !== null);
    expect(spans.filter(({ attributes }) => "bulkhead.platform_error" in attributes)).toEqual([]);
    expect(failed.map(({ name, error, attributes }) => [name, error, attributes["error.type"]])).toEqual([
      ["call tool", "tool_failed", "tool_failed"],
      ["run tool", "tool.threw", "tool.threw"],
    ]);
  });

  test("has steps that lie within the one that they belong to, and a wait with the moment of its turn", () => {
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const span of spans) {
      expect(span.end).toBeGreaterThanOrEqual(span.start);
      const parent = byId.get(span.parentSpanId ?? "");
      // What another process does begins later and has no end to keep to; its clock is read to a millisecond.
      if (!parent) continue;
      expect(span.start, span.name).toBeGreaterThanOrEqual(
        parent.start - (parent.service === span.service ? 0 : 2),
      );
      if (parent.service === span.service) expect(span.end, span.name).toBeLessThanOrEqual(parent.end);
    }
    const [wait] = named(spans, "wait in queue");
    const [turn] = wait?.events ?? [];
    expect(turn?.name).toBe("dispatched");
    expect(turn?.at).toBeGreaterThanOrEqual(wait?.start ?? Infinity);
    expect(turn?.at).toBeLessThanOrEqual(wait?.end ?? 0);
  });

  test("holds no argument, result, log, secret, path, query, header or body, and goes nowhere but to the collector", () => {
    const [request] = receiver.at(`/${words.path}?q=${words.query}`);
    expect(request?.headers["authorization"]).toBe(words.secret);
    expect(request?.text).toContain(words.body);
    const exported = collector.everything();
    expect(exported).toContain(executionId);
    for (const word of Object.values(words)) expect(exported).not.toContain(word);
    expect(exported).not.toContain(owner.key);
    for (const { headers } of receiver.received) expect(headers).not.toHaveProperty("traceparent");
    expect(collector.headers[0]).toMatchObject({
      "x-collector-key": "let me in",
      "content-type": "application/json",
    });
  });

  test("is named by the execution and by what it called", async () => {
    const { executions } = (await owner.get("/api/v1/executions")).body.data;
    const ours = executions.filter(({ traceId }: { traceId: string }) => traceId === given.traceId);
    expect(ours.map(({ toolName }: { toolName: string }) => toolName).toSorted()).toEqual([
      "leaf_one",
      "leaf_two",
      "outer",
    ]);
  });
});

describe("a trace", () => {
  test("has a step for every try", async () => {
    await createTool(owner, "flaky", "throw new Error('again');", {
      retry: { attempts: 2, backoffMs: 100, on: ["tool.threw"] },
    });
    const { body } = await owner.post("/api/v1/custom-tools/flaky/execute", { arguments: {} });
    const tries = named(
      await traceOf(body.meta.traceId, (spans) => named(spans, "process executions").length === 2),
      "process executions",
    );
    expect(new Set(tries.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
    expect(
      tries.map(({ attributes, error }) => [
        attributes["bulkhead.attempt"],
        attributes["bulkhead.outcome"],
        error,
      ]),
    ).toEqual([
      [1, "retrying", "tool.threw"],
      [2, "failed", "tool.threw"],
    ]);
  });

  test("of what somebody cancels while it runs tells no fault, of the platform's or of the tool's", async () => {
    await createTool(owner, "endless", "await new Promise((resolve) => setTimeout(resolve, 20_000));");
    const { body } = await owner.post("/api/v1/custom-tools/endless/execute", {
      arguments: {},
      mode: "async",
    });
    const path = `/api/v1/executions/${body.data.executionId}`;
    await until(async () => (await owner.get(path)).body.data.status === "running", { what: "it runs" });
    expect((await owner.post(`${path}/cancel`)).status).toBe(200);
    const [attempt] = named(
      await traceOf(body.meta.traceId, has("process executions")),
      "process executions",
    );
    expect(attempt).toMatchObject({ error: null, attributes: { "bulkhead.outcome": "superseded" } });
    expect(attempt?.attributes).not.toHaveProperty("bulkhead.platform_error");
  });

  test("begins here where the caller has none, and stands in answers, problems and executions", async () => {
    const made = await owner.post("/api/v1/custom-tools/leaf_one/execute", { arguments: { text: "" } });
    const { traceId } = made.body.meta;
    const request = "POST /api/v1/custom-tools/:id/execute";
    const [root] = named(await traceOf(traceId, has(request)), request);
    expect(root).toMatchObject({ parentSpanId: null, kind: "server" });
    const shown = await owner.get(`/api/v1/executions/${made.body.data.executionId}`);
    expect(shown.body.data.traceId).toBe(traceId);
    const problem = await owner.post("/api/v1/custom-tools/nobody/execute", { arguments: {} });
    expect(problem).toMatchObject({
      status: 404,
      body: { meta: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) } },
    });
    const [refused] = await traceOf(problem.body.meta.traceId, (spans) => spans.length > 0);
    expect(refused).toMatchObject({ error: null, attributes: { "bulkhead.problem": "tool.not_found" } });
  });

  test.each([
    "",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`,
    "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "'; DROP TABLE executions; --",
    "x".repeat(8_000),
  ])("is a new one where the caller's is none: %s", async (traceparent) => {
    const { status, body } = await owner.get("/api/v1/executions?limit=1", { traceparent });
    expect(status).toBe(200);
    expect(body.meta.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(body.meta.traceId).not.toBe("0af7651916cd43dd8448eb211c80319c");
  });

  test("that its caller does not record is named and not recorded", async () => {
    const traceId = hex(16);
    const path = "/api/v1/custom-tools/leaf_one/execute";
    const headers = { traceparent: `00-${traceId}-${hex(8)}-00` };
    const { body } = await owner.post(path, { arguments: { text: "" } }, headers);
    expect(body.meta.traceId).toBe(traceId);
    expect((await owner.get(`/api/v1/executions/${body.data.executionId}`)).body.data.traceId).toBe(traceId);
    // What came after it has arrived: so would it have.
    const later = await owner.post(path, { arguments: { text: "" } });
    await traceOf(later.body.meta.traceId, has("process executions"));
    expect(collector.spansOf(traceId)).toEqual([]);
  });
});

// They share the product and its collector, whose other traffic they don't mind.
describe.concurrent("a run of which nothing is kept", () => erasedRunsSuite(() => product));
describe("a secret", () => secretCanarySuite(() => ({ product, collector })));
