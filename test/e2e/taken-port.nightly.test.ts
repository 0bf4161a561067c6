import { once } from "node:events";
import { createServer } from "node:net";
import { leakCheck, startApp, startProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";

leakCheck();

test("an API whose port is taken ends with the setting that can change it", async () => {
  const BULKHEAD_MASTER_KEY = Buffer.alloc(32, 1).toString("base64");
  const product = await startProduct({ workers: 0, env: { BULKHEAD_MASTER_KEY } });
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const env = {
    DATABASE_URL: product.databaseUrl,
    REDIS_URL: product.redisUrl,
    BULKHEAD_MASTER_KEY,
    BULKHEAD_ADMIN_KEY: product.adminKey,
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: "0",
  };
  const started = startApp("apps/api/src/main.ts", env, /^api ready/mu);
  await expect(started).rejects.toThrow(
    `Bad settings:\n  PORT: port ${port} of 127.0.0.1 is taken; choose another, or 0 for any\n`,
  );
  const closed = once(other, "close");
  other.close();
  await closed;
  await product.stop();
});
