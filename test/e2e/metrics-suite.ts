import { OUTCOME_CODES, SANDBOX_LAYERS, FAULTS } from "@bulkhead/core";
import { METRICS, type MetricFact } from "@bulkhead/process/telemetry";
import { until, type Product, type ProductWorker } from "@bulkhead/testing";
import { request as httpRequest } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";
import { scrapeMetrics, totalOf, type Exposition } from "../support/exposition.ts";

const TOOLS = "/api/v1/custom-tools";
/** Stands for what a caller could smuggle into a label. */
const HOSTILE = "hostile%22%7Dword";

/** What the metrics say of a product without traffic so far, whose only worker the suite starts. */
export function metricsSuite(own: () => Product): void {
  let product: Product;
  let worker: ProductWorker;
  let shown: { id: string; owner: Client };
  let hidden: { id: string; owner: Client };
  /** What the two processes said when the traffic was over. */
  let scrapes: Record<"api" | "worker", Exposition>;

  beforeAll(async () => {
    product = own();
    shown = await newTenant(product);
    hidden = await newTenant(product);
    worker = await product.startWorker({ METRICS_TENANTS: shown.id });
    await makeTraffic();
    scrapes = {
      api: await scrapeMetrics(product.api.metricsUrl),
      worker: await scrapeMetrics(worker.metricsUrl),
    };
  });

  /** A bit of everything: results, failures, refusals, calls of tools by tools, a stream, and who never had a key. */
  async function makeTraffic(): Promise<void> {
    const { owner } = shown;
    const nap = "if (args.ms) await new Promise((r) => setTimeout(r, args.ms));";
    await createTool(owner, "returns", `${nap} console.log('AKIAABCDEFGHIJKLMNOP'); return 1;`);
    await createTool(owner, "throws", "throw new Error('no');");
    await createTool(owner, "spins", "for (;;);", { limits: { cpuMs: 100 } });
    await createTool(owner, "calls", "return utils.callTool('returns', {});");
    await createTool(owner, "reaches", "await fetch('https://10.0.0.1/');", { permissions: ["network"] });
    const run = async (tool: string, body: object = {}): Promise<number> =>
      (await owner.post(`${TOOLS}/${tool}/execute`, { arguments: {}, ...body })).status;
    for (const tool of ["returns", "throws", "spins", "calls", "reaches"]) expect(await run(tool)).toBe(200);
    const later = { arguments: {}, mode: "async", delayMs: 60_000 };
    const { executionId } = (await owner.post(`${TOOLS}/returns/execute`, later)).body.data;
    expect((await owner.post(`/api/v1/executions/${executionId}/cancel`)).status).toBe(200);
    const folder = {
      "manifest.json": { description: "Loaded from a folder.", parameters: {} },
      "tool.js": "return 1;",
    };
    const load = { tools: { loaded: folder }, loadMs: { loaded: 7 } };
    expect((await owner.post(`${TOOLS}/import`, load)).status).toBe(200);
    await createTool(hidden.owner, "returns", "return 1;");
    expect((await hidden.owner.post(`${TOOLS}/returns/execute`, { arguments: {} })).status).toBe(200);
    expect(await run("no_such_tool")).toBe(404);
    const unknown = { tool: "no_such_tool", arguments: {} };
    const batch = { executions: [unknown, unknown] };
    expect((await owner.post("/api/v1/executions/batch", batch)).status).toBe(202);
    expect((await new Client(product.url, null).get(TOOLS)).status).toBe(401);
    expect((await owner.get(`/${HOSTILE}/x`)).status).toBe(404);
    expect((await owner.get("/%zz")).status).toBe(400);
    expect(await askUnusually()).toBe(404);
    // What happens before its stream is open has no lag that could be measured.
    const stream = await owner.stream(`${TOOLS}/returns/execute`, {
      arguments: { ms: 3_000 },
      mode: "stream",
    });
    await stream.rest();
    await until(
      async () => totalOf(await scrapeMetrics(product.api.metricsUrl), "bulkhead_streams_open") === 0,
      {
        what: "the stream is no longer counted as open",
      },
    );
    const killed = { reason: "cpu" };
    await until(
      async () =>
        totalOf(await scrapeMetrics(worker.metricsUrl), "bulkhead_sandbox_killed_total", killed) > 0,
      { what: "the process that was spun in is gone" },
    );
  }

  /** A request with a method that nobody knows. */
  const askUnusually = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = httpRequest(
        `${product.url}/${HOSTILE}`,
        { method: "PROPFIND", agent: false },
        (response) => {
          response.resume().once("end", () => resolve(response.statusCode));
        },
      );
      asked.once("error", reject).end();
    });

  const facts: Record<string, MetricFact> = METRICS;
  const bothScrapes = (): [string, Exposition][] => Object.entries(scrapes);

  test("METRICS tells every metric that is exported, by its type, meaning and label keys", () => {
    for (const [service, { types, help, samples }] of bothScrapes()) {
      for (const [metric, type] of types) {
        const fact = facts[metric];
        expect([metric, fact?.type, fact?.by === service || fact?.by === "both"]).toEqual([
          metric,
          type,
          true,
        ]);
        expect(help.get(metric)).toBe(fact?.meaning);
      }
      for (const { metric, labels } of samples) {
        const keys = Object.keys(labels).filter((key) => key !== "le");
        expect([metric, keys.toSorted()]).toEqual([
          metric,
          Object.keys(facts[metric]?.labels ?? {}).toSorted(),
        ]);
      }
    }
  });

  test("[S5] every metric that METRICS tells is exported by its process", () => {
    for (const service of ["api", "worker"] as const) {
      const told = Object.entries(facts).filter(([, { by }]) => by === service || by === "both");
      const missing = told
        .filter(([metric]) => !scrapes[service].types.has(metric))
        .map(([metric]) => metric);
      expect([service, missing]).toEqual([service, []]);
    }
  });

  test("no label has a value that is on no list", () => {
    const rules: Record<string, RegExp | readonly string[]> = {
      code: ["none", ...OUTCOME_CODES, ...Object.keys(FAULTS)],
      layer: SANDBOX_LAYERS,
      // On a cluster there are four.
      shard: process.env["BULKHEAD_TEST_REDIS"] === "cluster" ? ["0", "1", "2", "3"] : ["0"],
      tenant: [shown.id, "other"],
      route: /^(unmatched|\/|(\/[a-z0-9-]+|\/:[a-z]+|\/\*)+(\.[a-z]+)?)$/iu,
      version: /^\d+\.\d+\.\d+/u,
      node: /^\d/u,
      v8: /^\d/u,
    };
    for (const [, { samples }] of bothScrapes()) {
      for (const { metric, labels } of samples) {
        for (const [key, value] of Object.entries(labels).filter(([name]) => name !== "le")) {
          const listed = facts[metric]?.labels[key];
          const rule = typeof listed === "string" ? rules[key] : listed;
          const isKnown = rule instanceof RegExp ? rule.test(value) : rule?.includes(value);
          expect([metric, key, value, isKnown]).toEqual([metric, key, value, true]);
        }
      }
    }
  });

  test("nothing in a scrape names a tenant that was not asked for, a tool, an execution or a caller's words", () => {
    for (const [, { samples }] of bothScrapes()) {
      const said = JSON.stringify(samples);
      expect(said).not.toContain(hidden.id);
      expect(said).not.toMatch(
        /hostile|no_such_tool|PROPFIND|exe_[0-9a-f]|tool_[0-9a-f]{4}|key_[0-9a-f]|wrk_|127\.0\.0|10\.0\.0\.1/u,
      );
    }
  });

  test.each([
    [
      "api",
      "bulkhead_http_requests_total",
      { method: "POST", route: `${TOOLS}/:id/execute`, status: "2xx" },
      8,
    ],
    [
      "api",
      "bulkhead_http_requests_total",
      { method: "POST", route: `${TOOLS}/:id/execute`, status: "4xx" },
      1,
    ],
    ["api", "bulkhead_http_requests_total", { route: "unmatched", status: "4xx" }, 3],
    ["api", "bulkhead_http_requests_total", { method: "other", route: "unmatched" }, 1],
    ["api", "bulkhead_http_request_duration_seconds", { method: "POST", route: `${TOOLS}/:id/execute` }, 8],
    ["api", "bulkhead_refusals_total", { code: "tool.not_found" }, 3],
    ["api", "bulkhead_refusals_total", { code: "auth.required" }, 1],
    ["api", "bulkhead_refusals_total", { code: "route.not_found" }, 2],
    ["api", "bulkhead_sync_calls_total", { outcome: "ok" }, 3],
    ["api", "bulkhead_sync_calls_total", { outcome: "tool_error" }, 3],
    ["api", "bulkhead_sync_calls_total", { outcome: "platform_error" }, 0],
    ["api", "bulkhead_executions_finished_total", { status: "cancelled", code: "execution.cancelled" }, 1],
    ["worker", "bulkhead_executions_finished_total", { status: "succeeded", code: "none" }, 5],
    ["worker", "bulkhead_executions_lost_total", {}, 0],
    ["worker", "bulkhead_sandbox_killed_total", { reason: "cpu" }, 1],
    ["worker", "bulkhead_egress_requests_total", { outcome: "refused" }, 1],
    ["worker", "bulkhead_egress_refused_total", { reason: "egress_denied" }, 1],
    ["worker", "bulkhead_scrubbed_total", { kind: "token" }, 3],
    ["worker", "bulkhead_dwell_seconds", { tenant: "other" }, 1],
    ["worker", "bulkhead_execution_phase_seconds", { phase: "run" }, 8],
    ["worker", "bulkhead_execution_phase_seconds", { phase: "host_io" }, 2],
    ["worker", "bulkhead_execution_phase_seconds", { phase: "persist" }, 8],
  ] as const)("the %s's %s%o counted what was done", (service, metric, labels, count) => {
    expect(totalOf(scrapes[service], metric, labels)).toBe(count);
  });

  test("every phase of the bill was measured", () => {
    for (const phase of facts["bulkhead_execution_phase_seconds"]?.labels["phase"] ?? []) {
      const labels = { phase };
      expect([phase, totalOf(scrapes.worker, "bulkhead_execution_phase_seconds", labels) > 0]).toEqual([
        phase,
        true,
      ]);
    }
    expect(totalOf(scrapes.worker, "bulkhead_dwell_seconds", { tenant: shown.id })).toBe(6);
    expect(totalOf(scrapes.worker, "bulkhead_startable_wait_seconds")).toBeGreaterThan(0);
    expect(totalOf(scrapes.api, "bulkhead_stream_lag_seconds")).toBeGreaterThan(0);
  });
}
