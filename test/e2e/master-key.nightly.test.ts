import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  leakCheck,
  openTestDatabase,
  startApp,
  startProduct,
  until,
  type Product,
  type TestDatabase,
} from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";
import { isSigned, openReceiver, type Received, type Receiver } from "../support/receiver.ts";

leakCheck();

const ROTATE_KEYS = join(import.meta.dirname, "../../apps/rotate-keys/src/main.ts");
const [OLD, NEW, WRONG] = [makeKey(), makeKey(), makeKey()];

let database: TestDatabase;
let receiver: Receiver;
const products: Product[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  receiver = await openReceiver(() => 204);
});
afterEach(async () => {
  for (const product of products.splice(0)) await product.stop();
});
afterAll(async () => {
  await receiver.close();
  await database.close();
});

function makeKey(): string {
  return randomBytes(32).toString("base64");
}

/** The API and workers on the one database, with these master keys. */
async function start(current: string, old: string, workers: number): Promise<Product> {
  const env = {
    BULKHEAD_MASTER_KEY: current,
    BULKHEAD_MASTER_KEY_OLD: old,
    BULKHEAD_ADMIN_KEY: "a".repeat(32),
    EGRESS_ALLOW: "127.0.0.0/8",
  };
  const product = await startProduct({ env, databaseUrl: database.url, workers });
  products.push(product);
  return product;
}

/** `npm run rotate-keys`, and what it printed. */
const rotate = (current: string, old: string): Promise<{ code: number; printed: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env["PATH"],
      DATABASE_URL: database.url,
      BULKHEAD_MASTER_KEY: current,
      BULKHEAD_MASTER_KEY_OLD: old,
    };
    execFile(process.execPath, [ROTATE_KEYS], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), printed: out + err }),
    );
  });

/** What a process of each kind prints when it must not start with this key; it never shows one. */
async function refusals(current: string): Promise<string[]> {
  const env = { DATABASE_URL: database.url, REDIS_URL: "redis://127.0.0.1:1", BULKHEAD_MASTER_KEY: current };
  const starts = ["api", "worker"].map((app) =>
    startApp(`apps/${app}/src/main.ts`, { ...env, PORT: "0", METRICS_PORT: "0" }, /ready/u),
  );
  const printed = (await Promise.allSettled(starts)).map((tried) =>
    tried.status === "rejected" ? String(tried.reason) : "it has started",
  );
  for (const text of printed) for (const key of [OLD, NEW, WRONG]) expect(text).not.toContain(key);
  return printed;
}
const REFUSED = expect.stringMatching(
  /Bad settings:\s+BULKHEAD_MASTER_KEY: is not the one of this database/u,
);

/** Calls the tool and answers the webhook that told its end. */
async function told(owner: Client, path: string, callback: object): Promise<Received> {
  const answer = await owner.post("/api/v1/custom-tools/told/execute", {
    mode: "async",
    arguments: {},
    callback: { url: receiver.url + path, ...callback },
  });
  expect(answer.status).toBe(202);
  return await until(() => receiver.at(path)[0], { timeoutMs: 30_000, what: `a webhook at ${path}` });
}

test("a master key is replaced while everything runs, secrets stay what they were, and wrong ones are refused", async () => {
  const first = await start(OLD, "", 0);
  const { owner } = await newTenant(first);
  await createTool(owner, "told", "return 1;");
  const secretOf = async (client: Client): Promise<string> =>
    (await client.get("/api/v1/webhook-secret")).body.data.secret;
  const secret = await secretOf(owner);
  expect(secret).toMatch(/^whsec_/u);
  expect(await refusals(WRONG)).toEqual([REFUSED, REFUSED]);
  expect((await rotate(NEW, OLD)).printed).toContain("no API or worker has started with master key");

  // One after another: the first still runs, with the old key alone.
  const second = await start(NEW, OLD, 1);
  const moved = new Client(second.url, owner.key);
  expect(await secretOf(moved)).toBe(secret);
  expect(isSigned(await told(moved, "/before", {}), secret)).toBe(true);
  await first.stop();

  const done = await rotate(NEW, OLD);
  expect(done.printed).toContain("BULKHEAD_MASTER_KEY_OLD may go");
  expect(done.code).toBe(0);
  const own = `whsec_${randomBytes(32).toString("base64")}`;
  expect(isSigned(await told(moved, "/after", { secret: own }), own)).toBe(true);
  await second.stop();

  const third = new Client((await start(NEW, "", 0)).url, owner.key);
  expect(await secretOf(third)).toBe(secret);
});
