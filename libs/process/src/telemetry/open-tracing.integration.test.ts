import { everyNth, leakCheck } from "@bulkhead/testing";
import { readSettings } from "../settings/settings.ts";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { openTracing } from "./open-tracing.ts";
import { otelSettings } from "./otel-settings.ts";
import { otelTraceSettings } from "./tracing-settings.ts";

// A close gives the last spans a second, and what is to come within it may take a busy machine more: here it gives five.
vi.mock(import("node:timers/promises"), async (load) => {
  const timers = await load();
  return {
    ...timers,
    setTimeout: (ms = 0, value, options) => timers.setTimeout(5 * ms, value, options),
  };
});

// Loaded before the look at what there was: OpenTelemetry opens the standard streams and never closes them.
await import("./start-span-export.ts");
leakCheck();

interface Got {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, "close");
  server = null;
});

/** A collector that answers this status, or, for null, not at all. */
async function collect(status: number | null): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    got.push({ url: request.url, headers: request.headers, body: await buffer(request) });
    if (status !== null) response.writeHead(status, { location: "/elsewhere" }).end("{}");
  };
  server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

async function open(env: Record<string, string>) {
  const errors: unknown[] = [];
  const settings = readSettings(z.object({ ...otelSettings, ...otelTraceSettings }), env);
  const onError = (error: unknown) => void errors.push(error);
  return { tracing: await openTracing({ settings, service: "test", onError }), errors };
}

const JSON_AT = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
});

test("what was begun before the close is sent by it, with the headers that were asked for", async () => {
  const { url, got } = await collect(200);
  const { tracing, errors } = await open({ ...JSON_AT(url), OTEL_EXPORTER_OTLP_HEADERS: "x-key=k" });
  tracing.begin("one", null).end();
  await tracing.close();
  await tracing.close();
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    url: "/v1/traces",
    headers: { "x-key": "k", "content-type": "application/json" },
  });
  const [{ resource, scopeSpans }] = JSON.parse(String(got[0]?.body)).resourceSpans;
  expect(resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "bulkhead-test" },
  });
  expect(scopeSpans[0].spans.map(({ name }: { name: string }) => name)).toEqual(["one"]);
  expect(errors).toEqual([]);
});

test("protobuf and compression are spoken too", async () => {
  const { url, got } = await collect(200);
  const { tracing } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  });
  tracing.begin("one by itself", null).end();
  await tracing.close();
  expect(got[0]?.headers).toMatchObject({
    "content-type": "application/x-protobuf",
    "content-encoding": "gzip",
  });
  expect(gunzipSync(got[0]?.body ?? "").includes("one by itself")).toBe(true);
});

const COLLECTORS: [what: string, status: number | null][] = [
  ["refuses", 400],
  ["is overloaded", 503],
  ["points elsewhere", 307],
  ["never answers", null],
];
test.each(everyNth(COLLECTORS, 2))(
  "a collector that %s costs spans and one report, and the close ends all the same",
  async (_what, status) => {
    const { url, got } = await collect(status);
    const { tracing, errors } = await open({ ...JSON_AT(url), OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1" });
    for (let n = 0; n < 5; n += 1) tracing.begin("one", null).end();
    await tracing.close();
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toMatch(/spans do not reach 127\.0\.0\.1:\d+, dropped: \d/);
    expect(got.map((one) => one.url)).not.toContain("/elsewhere");
  },
);

test("spans that find no room are counted and reported", async () => {
  const { url } = await collect(200);
  const { tracing, errors } = await open({ ...JSON_AT(url), OTEL_BSP_MAX_QUEUE_SIZE: "2" });
  for (let n = 0; n < 9; n += 1) tracing.begin("one", null).end();
  await tracing.close();
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining("dropped: 1"),
      cause: { message: expect.stringContaining("QUEUE_SIZE") },
    },
  ]);
});

test.each([
  ["parentbased_always_on", "00", []],
  ["parentbased_always_on", "01", ["one"]],
  ["parentbased_always_off", "01", ["one"]],
  ["always_off", "01", []],
  ["always_on", "00", ["one"]],
  ["traceidratio", "01", []],
])("by %s what comes with flags %s is recorded as %j", async (sampler, flags, names) => {
  const { url, got } = await collect(200);
  const { tracing } = await open({
    ...JSON_AT(url),
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  const span = tracing.begin("one", `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`);
  span.end();
  await tracing.close();
  const sent = got.flatMap(({ body }) => JSON.parse(String(body)).resourceSpans[0].scopeSpans[0].spans);
  expect(sent.map(({ name }) => name)).toEqual(names);
  expect(span.traceparent).toMatch(new RegExp(`^00-0af7651916cd43dd8448eb211c80319c-.*-0${names.length}$`));
});

test.each([
  ["nothing", "switched off", { OTEL_TRACES_SAMPLER: "always_on" }, false],
  ["the SDK", "switched on", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, true],
])("%s is loaded where tracing is %s", (_what, _how, env, isLoaded) => {
  const script = `
    import { registerHooks } from "node:module";
    import { readSettings } from "@bulkhead/process/settings";
    import { z } from "zod";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openTracing } = await import("./open-tracing.ts");
    const { otelSettings } = await import("./otel-settings.ts");
    const { otelTraceSettings } = await import("./tracing-settings.ts");
    const settings = readSettings(z.object({ ...otelSettings, ...otelTraceSettings }), process.env);
    const tracing = await openTracing({ settings, service: "test", onError: () => undefined });
    tracing.begin("one", null).end();
    await tracing.close();
    console.log(loaded.some((url) => /@opentelemetry.(sdk-trace|otlp-transformer)/.test(url)));`;
  const args = ["--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: "utf8" });
  expect(printed.trim()).toBe(String(isLoaded));
});
