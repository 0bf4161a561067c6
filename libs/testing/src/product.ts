import { randomBytes } from "node:crypto";
import { freePort } from "@bulkhead/standalone/stores";
import { onTestFailed } from "vitest";
import { startApp, type ChildApp } from "./child-app.ts";
import { API_MAIN, NODE_COMPILE_CACHE, WORKER_MAIN } from "./compiled-code.ts";
import { openTestDatabase } from "./test-database.ts";
import { openProductRedis } from "./product-redis.ts";
import type { TestRedis } from "./test-redis.ts";

export interface ProductOptions {
  /** Over the settings that both kinds of process get. */
  env?: Record<string, string>;
  /** A Redis of the caller's, which `stop` doesn't close; one of the product's own when unset. */
  redisUrl?: string;
  /** A migrated database of the caller's, likewise. */
  databaseUrl?: string;
  /** How many worker processes to start; 1 when unset. */
  workers?: number;
}

interface ProductApi {
  readonly pid: number;
  /** As in `http://127.0.0.1:40123/metrics`; another one after a restart. */
  readonly metricsUrl: string;
  kill(): Promise<void>;
  /** Ends it with SIGTERM when it still runs, and starts it again at the same address. */
  restart(): Promise<void>;
}

export interface ProductWorker extends ChildApp {
  readonly metricsUrl: string;
}

/** The whole product as real processes, with a database and a Redis of its own. */
export interface Product {
  /** The API's URL, without a slash at the end. */
  readonly url: string;
  /** The platform administrator's key. */
  readonly adminKey: string;
  /** An owner's key of the demo tenant. */
  readonly demoKey: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Null when the caller brought one. */
  readonly redis: TestRedis | null;
  readonly api: ProductApi;
  /** The workers that were started and not stopped by `stop`; a killed one stays in the list. */
  readonly workers: readonly ProductWorker[];
  startWorker(env?: Record<string, string>): Promise<ProductWorker>;
  /** The output of all its processes so far. */
  logs(): string;
  /** Prints `logs` if the running test fails; call it inside a test. */
  showLogsIfTestFails(): void;
  /** Ends everything that was started here; safe to call again. Throws when a process does not stop by itself. */
  stop(): Promise<void>;
}

const API_READY = /^api ready on (http:\/\/\S+) \(metrics on (\S+)\)$/mu;
const WORKER_READY = /^worker ready \(metrics on (\S+)\)$/mu;

/** Another process may take a port that was free a moment ago. */
const PORT_TRIES_MAX = 5;

const makeKey = (): string => `bh_${randomBytes(24).toString("hex")}`;

/**
 * Starts an API and workers on free ports and waits until they serve. If one does not, all that were started are ended.
 */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const closing: (() => Promise<void>)[] = [];
  try {
    const product = await assemble(options, closing);
    for (let count = 0; count < (options.workers ?? 1); count += 1) await product.startWorker();
    return product;
  } catch (cause) {
    await closeAll(closing);
    throw cause;
  }
}

async function assemble(options: ProductOptions, closing: (() => Promise<void>)[]): Promise<Product> {
  const database = options.databaseUrl ? null : await openTestDatabase();
  if (database) closing.push(() => database.close());
  const own = options.redisUrl ? null : await openProductRedis();
  if (own) closing.push(() => own.server.close());

  const databaseUrl = options.databaseUrl ?? database?.url ?? "";
  const redisUrl = options.redisUrl ?? own?.server.url ?? "";
  const keys = {
    BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
    BULKHEAD_ADMIN_KEY: makeKey(),
    BULKHEAD_DEMO_KEY: makeKey(),
  };
  const stores = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  const env = { ...DEFAULT_ENV, ...stores, ...own?.env, ...keys, ...options.env };

  const workers: ProductWorker[] = [];
  const started = await startApi(env);
  let { app: api, line } = started;
  const url = line[1] ?? "";
  closing.push(() => api.stop());
  const logs = (): string => {
    const printed = [
      { name: "api", app: api },
      ...workers.map((app, at) => ({ name: `worker ${at + 1}`, app })),
    ];
    return printed.map(({ name, app }) => `── ${name} (${app.pid})\n${app.output()}`).join("\n");
  };
  return {
    url,
    adminKey: env.BULKHEAD_ADMIN_KEY,
    demoKey: env.BULKHEAD_DEMO_KEY,
    databaseUrl,
    redisUrl,
    redis: own?.server ?? null,
    workers,
    api: {
      get pid() {
        return api.pid;
      },
      get metricsUrl() {
        return line[2] ?? "";
      },
      kill: () => api.kill(),
      restart: async () => {
        await api.stop();
        ({ app: api, line } = await startApp(API_MAIN, { ...env, ...started.address }, API_READY));
      },
    },
    startWorker: async (more = {}) => {
      const { app, line: ready } = await startApp(WORKER_MAIN, { ...env, ...more }, WORKER_READY);
      const worker = { ...app, metricsUrl: ready[1] ?? "" };
      workers.push(worker);
      closing.push(() => app.stop());
      return worker;
    },
    logs,
    showLogsIfTestFails: () =>
      onTestFailed(() => {
        process.stderr.write(`${logs()}
`);
      }),
    stop: () => closeAll(closing),
  };
}

/** Its port stays over restarts: the system might give away another one meanwhile. */
async function startApi(env: Record<string, string>) {
  for (let tries = 1; ; tries += 1) {
    const address = { HOST: "127.0.0.1", PORT: String(await freePort()) };
    try {
      return { ...(await startApp(API_MAIN, { ...env, ...address }, API_READY)), address };
    } catch (cause) {
      if (tries === PORT_TRIES_MAX || !String(cause).includes("is taken")) throw cause;
    }
  }
}

/** Any free port for the metrics: several products run at a time. */
const DEFAULT_ENV = { NODE_COMPILE_CACHE, METRICS_PORT: "0", LOG_LEVEL: "info", SHUTDOWN_GRACE_MS: "5000" };

/** Closes last in, first out, and all of them even if one fails. */
async function closeAll(closing: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let close = closing.pop(); close !== undefined; close = closing.pop()) {
    await close().catch((cause: unknown) => failures.push(cause));
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
}
