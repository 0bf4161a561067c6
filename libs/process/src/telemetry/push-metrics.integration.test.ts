import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { openMetrics, type Metrics } from "./open-metrics.ts";
import type { PushPlan } from "./otel-settings.ts";

leakCheck();

const closing: (() => Promise<unknown>)[] = [];
const errors: string[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  errors.length = 0;
  vi.unstubAllEnvs();
});

const JSON_OFTEN: PushPlan = { everyMs: 100, protocol: "http/json" };

/** A process that tells the collector at `endpoint` of itself. */
async function pushingTo(endpoint: string, push = JSON_OFTEN): Promise<Metrics> {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-collector-key=of-the-operator");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
  const onError = (error: unknown): void => void errors.push(String(error));
  const metrics = await openMetrics({ host: "127.0.0.1", port: 0, service: "test", push, onError });
  closing.push(() => metrics.close());
  return metrics;
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Push {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A collector that takes everything. */
async function openCollector() {
  const pushes: Push[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      pushes.push({ path: request.url, headers: request.headers, body });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  const url = await listening(server);
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  return { url, pushes };
}

/** The value that a push tells of a counter. */
function pushed({ body }: Push, name: string): number | undefined {
  const { resourceMetrics } = JSON.parse(body);
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: unknown[] }[] }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  );
  const metric = metrics.find((each: { name: string }) => each.name === name);
  return metric?.sum.dataPoints[0].asDouble;
}

test("a collector is told what a scrape tells, who tells it, and with the operator's headers", async () => {
  const { url, pushes } = await openCollector();
  const { meter } = await pushingTo(url);
  meter.createCounter("bulkhead_test_total").add(3);
  const told = () => pushes.find((push) => pushed(push, "bulkhead_test_total") === 3);
  const push = await until(told, { what: "the counter was pushed" });
  expect(push.path).toBe("/v1/metrics");
  expect(push.headers).toMatchObject({
    "content-type": "application/json",
    "x-collector-key": "of-the-operator",
  });
  for (const said of ["bulkhead-test", "deployment.environment.name", "service.instance.id"])
    expect(push.body).toContain(said);
});

test("protobuf is spoken where it is asked for", async () => {
  const { url, pushes } = await openCollector();
  await pushingTo(url, { everyMs: 100, protocol: "http/protobuf" });
  const push = await until(() => pushes[0], { what: "something was pushed" });
  expect(push.headers["content-type"]).toBe("application/x-protobuf");
});

test("what was counted last is pushed when the process stops", async () => {
  const { url, pushes } = await openCollector();
  const metrics = await pushingTo(url, { everyMs: 3_600_000, protocol: "http/json" });
  metrics.meter.createCounter("bulkhead_test_total").add(5);
  expect(pushes).toEqual([]);
  await metrics.close();
  expect(pushes.map((push) => pushed(push, "bulkhead_test_total"))).toEqual([5]);
});

test("a value that can't be read any more is left out of the next push", async () => {
  const { url, pushes } = await openCollector();
  const { meter } = await pushingTo(url);
  let isBroken = false;
  meter.createObservableGauge("bulkhead_far").addCallback((result) => {
    if (isBroken) throw new Error("nobody answers");
    result.observe(12);
  });
  await until(() => pushes.some(({ body }) => body.includes("bulkhead_far")), { what: "it was pushed" });
  isBroken = true;
  const isLeftOut = (): boolean => pushes.at(-1)?.body.includes("bulkhead_far") === false;
  await until(isLeftOut, { what: "it was left out" });
});

test("a collector that refuses is reported once, and scrapes are served as before", async () => {
  let refused = 0;
  const server = createServer((request, response) => {
    refused += 1;
    request.resume();
    response.writeHead(400).end();
  });
  closing.push(async () => void server.close());
  const { meter, url } = await pushingTo(await listening(server));
  meter.createCounter("bulkhead_test_total").add(1);
  await until(() => refused > 3, { what: "several pushes were refused" });
  expect(await (await fetch(url)).text()).toContain("bulkhead_test_total 1");
  expect(errors).toHaveLength(1);
  server.closeAllConnections();
});

test.runIf(isNightly)(
  "a collector that never answers holds no stop up for more than a few seconds",
  async () => {
    const sockets = new Set<ReturnType<typeof connect>>();
    const server = createTcpServer((socket) => void sockets.add(socket.on("error", () => undefined)));
    closing.push(async () => void server.close());
    const metrics = await pushingTo(await listening(server));
    await until(() => sockets.size > 0, { what: "a push is under way" });
    let isClosed = false;
    void metrics.close().then(() => (isClosed = true));
    await until(() => isClosed, { timeoutMs: 6_000, what: "it is closed, whoever answers" });
    for (const socket of sockets) socket.destroy();
  },
);
