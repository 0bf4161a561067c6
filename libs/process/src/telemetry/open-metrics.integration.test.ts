import { SettingsError } from "../settings/settings.ts";
import { leakCheck, until } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { openMetrics, type Metrics } from "./open-metrics.ts";

leakCheck();

const opened: Metrics[] = [];
const errors: unknown[] = [];
afterEach(async () => {
  for (const metrics of opened.splice(0)) await metrics.close();
  errors.length = 0;
});

async function open(port = 0): Promise<Metrics> {
  const onError = (error: unknown): void => void errors.push(error);
  const metrics = await openMetrics({ host: "127.0.0.1", port, service: "test", onError });
  opened.push(metrics);
  return metrics;
}

async function scrape({ url }: Metrics): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** The value of one series, exactly as it is written. */
const valueOf = (text: string, series: string): string | undefined =>
  text
    .split("\n")
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

const COMMENT = /^# (HELP bulkhead_\w+ .+|TYPE bulkhead_\w+ (counter|gauge|histogram))$/u;
const SAMPLE =
  /^bulkhead_[a-z0-9_]+(\{[a-z_][a-z0-9_]*="([^"\\\n]|\\.)*"(,[a-z_][a-z0-9_]*="([^"\\\n]|\\.)*")*\})? (-?\d+(\.\d+)?(e[+-]\d+)?|[+-]Inf|NaN)$/u;

test("a scrape is valid Prometheus text, and every name starts with bulkhead_", async () => {
  const metrics = await open();
  metrics.meter
    .createCounter("bulkhead_test_total", { description: 'a "quoted" \\ name' })
    .add(3, { kind: 'a"b\n' });
  metrics.meter.createHistogram("bulkhead_test_seconds").record(0.2);
  const response = await fetch(metrics.url);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) expect(line).toMatch(line.startsWith("#") ? COMMENT : SAMPLE);
  expect(lines).toContain('bulkhead_test_total{kind="a\\"b\\n"} 3');
});

test("a process tells what it is and what it uses", async () => {
  const metrics = await open();
  let text = "";
  const measured = async (): Promise<boolean> =>
    (text = await scrape(metrics)).includes("bulkhead_event_loop_delay_seconds{");
  await until(measured, { what: "the event loop was looked at" });
  expect(text).toMatch(
    /^bulkhead_build_info\{service="test",version="\d+\.\d+\.\d+",node="\d+[^"]*",v8="[^"]+"\} 1$/mu,
  );
  const startedAt = Number(valueOf(text, "bulkhead_process_start_time_seconds"));
  expect(Math.abs(startedAt - (Date.now() / 1_000 - process.uptime()))).toBeLessThan(2);
  expect(Number(valueOf(text, "bulkhead_process_resident_memory_bytes"))).toBeGreaterThan(1024 * 1024);
  expect(Number(valueOf(text, "bulkhead_process_cpu_seconds_total"))).toBeGreaterThan(0);
  for (const stat of ["p50", "p99", "max"]) {
    expect(Number(valueOf(text, `bulkhead_event_loop_delay_seconds{stat="${stat}"}`))).toBeGreaterThanOrEqual(
      0,
    );
  }
});

test("two in one process know nothing of each other", async () => {
  const [one, other] = [await open(), await open()];
  one.meter.createCounter("bulkhead_test_total").add(1);
  expect(await scrape(one)).toContain("bulkhead_test_total 1");
  expect(await scrape(other)).not.toContain("bulkhead_test_total");
});

test("a value that can't be read is reported and the others are served", async () => {
  const metrics = await open();
  const broken = metrics.meter.createObservableGauge("bulkhead_broken");
  broken.addCallback(() => Promise.reject(new Error("no value today")));
  metrics.meter.createObservableGauge("bulkhead_sound").addCallback((result) => result.observe(1));
  const text = await scrape(metrics);
  expect(text).toContain("bulkhead_sound 1");
  expect(text).not.toContain("bulkhead_broken ");
  expect(errors.map(String)).toEqual([expect.stringContaining("no value today")]);
});

test("a value that can't be read any more is left out, and is there again when it can", async () => {
  const metrics = await open();
  let value: number | null = 12;
  metrics.meter.createObservableGauge("bulkhead_far").addCallback((result) => {
    if (value === null) throw new Error("nobody answers");
    result.observe(value);
  });
  expect(await scrape(metrics)).toContain("bulkhead_far 12");
  value = null;
  expect(await scrape(metrics)).not.toContain("bulkhead_far ");
  value = 7;
  expect(await scrape(metrics)).toContain("bulkhead_far 7");
});

test("readers that come at one time are all told every value", async () => {
  const metrics = await open();
  metrics.meter.createObservableGauge("bulkhead_near").addCallback((result) => result.observe(12));
  metrics.meter.createObservableGauge("bulkhead_far").addCallback(async (result) => {
    await delay(100);
    result.observe(7);
  });
  const texts = await Promise.all([1, 2, 3, 4].map(() => scrape(metrics)));
  for (const text of texts) expect(text).toMatch(/bulkhead_near 12\n[^]*bulkhead_far 7\n/u);
});

test("a stall of the event loop is told to the second reader too", async () => {
  const metrics = await open();
  const max = 'bulkhead_event_loop_delay_seconds{stat="max"}';
  await until(async () => valueOf(await scrape(metrics), max), { what: "the event loop was looked at" });
  const end = performance.now() + 600;
  while (performance.now() < end);
  const isSeen = async (): Promise<boolean> => Number(valueOf(await scrape(metrics), max)) > 0.4;
  await until(isSeen, { what: "the stall was seen" });
  expect(await isSeen()).toBe(true);
});

test("a value that doesn't come holds a scrape back for 2 s at most", async () => {
  const metrics = await open();
  metrics.meter.createObservableGauge("bulkhead_late").addCallback(() => new Promise(() => undefined));
  expect(await scrape(metrics)).toContain("bulkhead_build_info");
  expect(errors).toHaveLength(1);
});

test.each([
  ["GET", "/", 404],
  ["GET", "//evil/metrics", 404],
  ["GET", "/metrics?name=x", 200],
  ["POST", "/metrics", 405],
])("%s %s is answered with %i", async (method, path, status) => {
  const metrics = await open();
  const response = await fetch(new URL(metrics.url).origin + path, { method });
  expect(response.status).toBe(status);
});

test("a port that is taken and a host that is elsewhere are named by their settings", async () => {
  const port = Number(new URL((await open()).url).port);
  const taken = open(port);
  await expect(taken).rejects.toThrow(SettingsError);
  await expect(taken).rejects.toThrow(`METRICS_PORT: port ${port} of 127.0.0.1 is taken`);
  const elsewhere = openMetrics({ host: "192.0.2.1", port: 0, service: "test", onError: () => undefined });
  await expect(elsewhere).rejects.toThrow("METRICS_HOST: 192.0.2.1 is no address of this machine");
});

test("closing ends a connection that is held open, and may be repeated", async () => {
  const metrics = await open();
  await scrape(metrics);
  await Promise.all([metrics.close(), metrics.close()]);
  await expect(fetch(metrics.url)).rejects.toThrow();
});
