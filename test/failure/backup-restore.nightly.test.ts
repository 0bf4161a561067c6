import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import { leakCheck, queryRows, startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";
import { snapshotPostgres } from "./support/rig/snapshot-postgres.ts";

leakCheck();

const KEYS = {
  BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
  BULKHEAD_ADMIN_KEY: "a".repeat(40),
};
const MIGRATE_MAIN = join(import.meta.dirname, "../../libs/postgres/src/migrate-main.ts");
const CONNECTIONS_MAX = 100;
/** More than a worker's share of a tenant, so that some wait in line when the backup is taken. */
const SLOW_CALLS = 40;
const MIGRATE_MS_MAX = 60_000;
const RESTED_MS_MAX = 180_000;
/** None of the calls times out because the machine is slow or the restart takes its time; milliseconds. */
const TIMEOUT_MS = 600_000;

let folder: string;
const servers: EmbeddedPostgres[] = [];
const products: Product[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-backup-"));
});
afterAll(async () => {
  for (const product of products) await product.stop();
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function openMigrated(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await openPostgres({ dataDir, connectionsMax: CONNECTIONS_MAX });
  servers.push(server);
  const env = { PATH: process.env["PATH"], DATABASE_URL: server.url };
  await promisify(execFile)(process.execPath, [MIGRATE_MAIN], { env, timeout: MIGRATE_MS_MAX });
  return server;
}

/** API and worker on that database, beside a Redis that knows nothing. */
async function serve({ url }: EmbeddedPostgres): Promise<Product> {
  const product = await startProduct({ env: KEYS, databaseUrl: url });
  products.push(product);
  product.showLogsIfTestFails();
  return product;
}

const call = (client: Client, name: string, mode: "sync" | "async") =>
  client.post(`/api/v1/custom-tools/${name}/execute`, { arguments: {}, mode, timeoutMs: TIMEOUT_MS });

const countByStatus = async (url: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await queryRows(url, "select status, count(*)::int as n from executions group by status")).map(
      ({ status, n }) => [String(status), Number(n)],
    ),
  );

test("a backup that was taken under load serves again beside an empty Redis, and nothing that it holds is lost", async () => {
  const [original, copy] = [join(folder, "original"), join(folder, "copy")];
  const database = await openMigrated(original);
  const before = await serve(database);
  const { owner } = await newTenant(before);
  await owner.post("/api/v1/config-services", { name: "near", allowedHosts: ["near.example"] });
  const entry = { label: "main", data: { api_key: randomBytes(16).toString("hex") } };
  expect((await owner.post("/api/v1/config-services/near/entries", entry)).status).toBe(201);
  const requiredConfigServices = [{ name: "near" }];
  await createTool(owner, "sign", `return await utils.hmac("near", "text")`, { requiredConfigServices });
  await createTool(
    owner,
    "wait",
    `await new Promise((resolve) => setTimeout(resolve, 8_000)); return "waited"`,
  );

  const signed = (await call(owner, "sign", "sync")).body.data;
  expect(signed.isError).toBe(false);
  const calls = await Promise.all(Array.from({ length: SLOW_CALLS }, () => call(owner, "wait", "async")));
  const ids = calls.map(({ body }) => String(body.data.executionId));
  const isBusy = async (): Promise<boolean> => {
    const { running = 0, queued = 0 } = await countByStatus(database.url);
    return running > 0 && queued > 0;
  };
  await until(isBusy, { what: "some run and some wait" });
  await snapshotPostgres(database.pid, original, copy);

  // All of it is gone, Redis too; what comes has the backup and the keys.
  for (const app of [before.api, ...before.workers]) await app.kill();
  await products.pop()?.stop();
  await servers.pop()?.close();
  const restoredDatabase = await openMigrated(copy);
  const held = await countByStatus(restoredDatabase.url);
  expect([held["running"], held["queued"]]).toEqual([expect.any(Number), expect.any(Number)]);
  const after = await serve(restoredDatabase);

  const restored = new Client(after.url, owner.key);
  const { body } = await restored.get(`/api/v1/executions/${signed.executionId}`);
  expect(body.data).toMatchObject({ status: "succeeded", result: signed.result });
  const again = (await call(restored, "sign", "sync")).body.data;
  expect(again).toMatchObject({ isError: false, result: signed.result });
  const isDone = async (): Promise<boolean> =>
    (await countByStatus(restoredDatabase.url))["succeeded"] === SLOW_CALLS + 2;
  await until(isDone, { what: "all that was accepted has succeeded", timeoutMs: RESTED_MS_MAX });
  for (const id of ids)
    expect((await restored.get(`/api/v1/executions/${id}`)).body.data).toMatchObject({ result: "waited" });
});
