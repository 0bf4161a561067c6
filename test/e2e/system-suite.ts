import { hostname } from "node:os";
import { SANDBOX_LAYERS } from "@bulkhead/core";
import { until, type Product, type ProductWorker } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const SYSTEM = "/api/v1/system";
/** As products of tests have them: several on a cluster. */
const SHARDS = process.env["BULKHEAD_TEST_REDIS"] === "cluster" ? 4 : 1;
const LAYERS = [...SANDBOX_LAYERS].toSorted();
/** Of each worker of the product. */
export const SLOTS = 7;

async function scrape(url: string): Promise<Map<string, number>> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(" ");
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

/** What a series has gained since `before`. */
const gained = async (url: string, series: string, before: Map<string, number>): Promise<number> =>
  ((await scrape(url)).get(series) ?? 0) - (before.get(series) ?? 0);

/** What a product says of its processes. It has a model and one worker, in whose place the suite starts `workerId`, which stays. */
export function systemSuite(own: () => Product, workerId: string): void {
  let product: Product;
  let admin: Client;
  let owner: Client;
  let worker: ProductWorker;

  beforeAll(() => {
    product = own();
    admin = new Client(product.url, product.adminKey);
    owner = new Client(product.url, product.demoKey);
  });

  const listedPids = async (): Promise<number[]> =>
    (await admin.get(SYSTEM)).body.data.workers.map(({ pid }: { pid: number }) => pid);

  test("a worker that starts is listed, and one that stops is not", async () => {
    const former = product.workers[0] as ProductWorker;
    worker = await product.startWorker({ BULKHEAD_WORKER_ID: workerId });
    await until(async () => (await listedPids()).join() === `${former.pid},${worker.pid}`, {
      what: "both are listed",
    });
    await former.stop();
    expect(await listedPids()).toEqual([worker.pid]);
  });

  test("[R30] the administrator sees versions, shards, and the worker with its sandbox layers", async () => {
    product.showLogsIfTestFails();
    const { status, body } = await admin.get(SYSTEM);
    expect(status).toBe(200);
    const { versions, shards, workers, sandboxLayers } = body.data;
    expect(versions).toEqual({
      bulkhead: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      postgres: expect.stringMatching(/^\d+\.\d+$/),
      redis: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(shards).toBe(SHARDS);
    expect(workers).toHaveLength(1);
    expect(workers[0]).toMatchObject({
      id: workerId,
      host: hostname(),
      pid: worker.pid,
      version: versions.bulkhead,
      nodeVersion: versions.node,
      v8Version: process.versions.v8,
      isolatedVmVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      nodeSnapshot: true,
      slots: SLOTS,
      running: 0,
    });
    const layers: { layer: string; inForce: boolean; detail: string }[] = workers[0].sandboxLayers;
    expect(layers.map(({ layer }) => layer).toSorted()).toEqual(LAYERS);
    for (const { detail } of layers) expect(detail).not.toBe("");
    expect(sandboxLayers).toEqual(
      layers.map(({ layer, inForce }) => ({ layer, inForce, workers: inForce ? 1 : 0 })),
    );
  });

  test("the administrator sees which engines are there, and every key the features that come of them", async () => {
    const { workers, engines } = (await admin.get(SYSTEM)).body.data;
    const byName = new Map(engines.map((one: { engine: string }) => [one.engine, one]));
    expect(byName.get("files")).toEqual({
      engine: "files",
      title: expect.any(String),
      available: true,
      detail: "",
      workers: 1,
    });
    expect(byName.get("assist_model")).toMatchObject({ available: true, detail: "small", workers: null });
    // An engine that is not there says why.
    for (const { available, detail } of engines) if (!available) expect(detail).not.toBe("");
    expect(workers[0].engines).toEqual(
      expect.arrayContaining([{ engine: "files", available: true, detail: "" }]),
    );
    const { features } = (await owner.get("/api/v1/me")).body.data;
    expect(features).toMatchObject({ files: true, assist: true });
  });

  test("no tenant's key reads it, and no stranger", async () => {
    const tenant = await newTenant(product);
    for (const role of ["owner", "developer", "agent", "viewer"]) {
      const client = await newClient(product, tenant.id, role);
      for (const path of [SYSTEM, `${SYSTEM}/load`]) {
        const { status, body } = await client.get(path);
        expect([role, status, body.code]).toEqual([role, 403, "auth.forbidden"]);
      }
    }
    expect((await new Client(product.url, null).get(SYSTEM)).status).toBe(401);
  });

  test("both processes serve metrics, each its own, under names that start with bulkhead_", async () => {
    for (const [service, url] of [
      ["api", product.api.metricsUrl],
      ["worker", worker.metricsUrl],
    ] as const) {
      const series = [...(await scrape(url)).keys()];
      expect(series.filter((name) => !name.startsWith("bulkhead_"))).toEqual([]);
      expect(series.filter((name) => name.includes(`service="${service}"`))).toHaveLength(1);
      for (const name of ["bulkhead_process_resident_memory_bytes", "bulkhead_process_cpu_seconds_total"]) {
        expect(series).toContain(name);
      }
    }
  });

  test("the worker's metrics show each sandbox layer as GET /api/v1/system does, and its processes", async () => {
    const [shown] = (await admin.get(SYSTEM)).body.data.workers;
    const series = await scrape(worker.metricsUrl);
    for (const { layer, inForce } of shown.sandboxLayers) {
      expect([layer, series.get(`bulkhead_sandbox_layer{layer="${layer}"}`)]).toEqual([
        layer,
        inForce ? 1 : 0,
      ]);
    }
    for (const state of ["starting", "blank", "idle", "running"]) {
      expect(series.has(`bulkhead_sandbox_processes{state="${state}"}`)).toBe(true);
    }
    expect(series.get("bulkhead_sandbox_waiting")).toBe(0);
  });

  test("runs are counted by outcome and the layer that ended them, executions by status and code", async () => {
    product.showLogsIfTestFails();
    await createTool(owner, "returns", "return 1;");
    await createTool(owner, "throws", "throw new Error('no');");
    await createTool(owner, "waits", "await new Promise(() => undefined);");
    const { metricsUrl } = worker;
    const before = await scrape(metricsUrl);
    for (const tool of ["returns", "returns", "throws"]) {
      await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: {} });
    }
    const counted = (series: string): Promise<number> => gained(metricsUrl, series, before);
    expect(await counted('bulkhead_sandbox_runs_total{outcome="returned",ended_by="guest"}')).toBe(2);
    expect(await counted('bulkhead_sandbox_runs_total{outcome="threw",ended_by="guest"}')).toBe(1);
    expect(await counted('bulkhead_executions_finished_total{status="succeeded",code="none"}')).toBe(2);
    expect(await counted('bulkhead_executions_finished_total{status="failed",code="tool.threw"}')).toBe(1);

    const waiting = await owner.post("/api/v1/custom-tools/waits/execute", { arguments: {}, mode: "async" });
    const cancel = `/api/v1/executions/${waiting.body.data.executionId}/cancel`;
    const beforeCancel = await scrape(product.api.metricsUrl);
    expect((await owner.post(cancel)).status).toBe(200);
    const cancelled = 'bulkhead_executions_finished_total{status="cancelled",code="execution.cancelled"}';
    expect(await gained(product.api.metricsUrl, cancelled, beforeCancel)).toBe(1);
  });

  test("no metric carries a tenant, a tool or an execution", async () => {
    const tenants = (await admin.get("/api/v1/tenants")).body.data.tenants;
    for (const url of [product.api.metricsUrl, worker.metricsUrl]) {
      const text = [...(await scrape(url)).keys()].join("\n");
      expect(text).not.toMatch(/(ten|tool|exe|key)_[0-9a-f]{4}|wrk_/);
      for (const { slug } of tenants) expect(text).not.toContain(slug);
    }
  });

  test("while Redis is away the system can't be told, the worker goes on, and it is listed again afterwards", async () => {
    product.showLogsIfTestFails();
    await product.redis?.kill();
    await until(async () => (await admin.get(SYSTEM)).body.code === "service.unavailable", {
      what: "the system can't be told",
    });
    await product.redis?.restartEmpty();
    const listed = async (): Promise<boolean> => {
      const { body } = await admin.get(SYSTEM);
      return body.data?.workers?.[0]?.pid === worker.pid;
    };
    await until(listed, { timeoutMs: 20_000, what: "the worker is listed again" });
    expect(worker.hasEnded()).toBe(false);
  });

  test("[R58] a tenant is told how much of it waits and runs, and the administrator whose that is", async () => {
    const { id, owner: busy } = await newTenant(product, { maxConcurrentExecutions: 1, weight: 2 });
    const viewer = await newClient(product, id, "viewer");
    await createTool(busy, "sleep", "await new Promise((resolve) => setTimeout(resolve, 25_000));");
    const load = async (client: Client, path: string) => (await client.get(path)).body.data;
    /** A worker that was held up has no slots until it says so again. */
    const loadWith = (told: object) =>
      until(
        async () => {
          const found = await load(viewer, "/api/v1/load");
          return Object.entries(told).every(([name, value]) => found[name] === value) && found;
        },
        { what: `the load tells ${JSON.stringify(told)}` },
      );
    const nothing = { queued: 0, running: 0, limit: 1, weight: 2, share: 1, throttledUntil: null };
    expect(await loadWith({ predictedWaitMs: 0 })).toEqual({ ...nothing, predictedWaitMs: 0 });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { body } = await busy.post("/api/v1/custom-tools/sleep/execute", { mode: "async" });
      ids.push(body.data.executionId);
    }
    const held = { ...nothing, queued: 3, running: 1, predictedWaitMs: null };
    expect(await loadWith({ running: 1 })).toEqual(held);
    const { tenants } = await load(admin, `${SYSTEM}/load`);
    expect(tenants).toEqual([{ ...held, tenantId: id, slug: expect.any(String) }]);
    const foreign = await admin.get("/api/v1/load");
    expect([foreign.status, foreign.body.code]).toEqual([403, "tenant.required"]);
    for (const executionId of ids) await busy.post(`/api/v1/executions/${executionId}/cancel`);
  });
}
