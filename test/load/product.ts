import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closedAtEnd, toldToEnd } from "./closed-at-end.ts";
import { start, stop } from "./start.ts";

/** The product as `npm start` runs it: embedded Postgres and Redis, data on disk. */
export interface RunningProduct {
  /** Of the API's routes, as in `http://127.0.0.1:40123/api/v1`. */
  url: string;
  adminKey: string;
  close(): Promise<void>;
}

const READY = /^bulkhead ready on (http:\S+)\n/mu;

const makeKey = (): string => `bh_${randomBytes(24).toString("hex")}`;

/** Starts it on ports of the system's choice with data of its own, which go with it. `env` is added to its settings. */
export async function startProduct(env: Record<string, string> = {}): Promise<RunningProduct> {
  toldToEnd.throwIfAborted();
  const adminKey = makeKey();
  const settings = {
    PORT: "0",
    METRICS_PORT: "0",
    LOG_LEVEL: "error",
    BULKHEAD_ADMIN_KEY: adminKey,
    BULKHEAD_DEMO_KEY: makeKey(),
    ...env,
  };
  // Before anything is made: whoever is told to end while the folder appears has to know of it already.
  const close = closedAtEnd(async () => {
    await starting.then(stop, () => undefined);
    await rm(await dataDir, { recursive: true, force: true });
  });
  const dataDir = mkdtemp(join(tmpdir(), "bulkhead-bench-"));
  const starting = dataDir.then((DATA_DIR) =>
    start("apps/standalone/src/main.ts", { ...settings, DATA_DIR }, READY, toldToEnd),
  );
  const { line } = await starting.catch(async (cause: unknown) => {
    await close();
    throw cause;
  });
  return { url: `${line[1]}/api/v1`, adminKey, close };
}

/** One request that must be answered with this status; the answer's `data`. */
export async function ask<Data>(
  url: string,
  { key, method = "POST", body, status }: { key: string; method?: string; body?: unknown; status: number },
): Promise<Data> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) ?? null });
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 2_000)}`);
  return JSON.parse(text).data as Data;
}

/** Rates that no load of one machine meets: what is measured is the work, not the refusal. */
export const RATES_LIFTED = {
  requestsPerSecond: 100_000,
  executionsPerSecond: 100_000,
  executionBurst: 1_000_000,
};

let tenants = 0;

/** A new tenant with limits over the defaults; answers an owner's key. */
export async function openTenant(
  { url, adminKey }: RunningProduct,
  limits: Record<string, number>,
): Promise<string> {
  tenants += 1;
  const slug = `load-${process.pid}-${tenants}`;
  const body = { slug, name: slug, limits };
  const { id } = await ask<{ id: string }>(`${url}/tenants`, { key: adminKey, body, status: 201 });
  const path = `${url}/tenants/${id}/api-keys`;
  const wanted = { key: adminKey, body: { name: "load", role: "owner" }, status: 201 };
  return (await ask<{ key: string }>(path, wanted)).key;
}

/** Creates a tool whose arguments may be anything. */
export async function createTool(
  url: string,
  key: string,
  tool: { name: string; code: string; limits?: object },
) {
  const body = { description: "For a load.", parameters: { type: "object" }, ...tool };
  await ask(`${url}/custom-tools`, { key, body, status: 201 });
}
