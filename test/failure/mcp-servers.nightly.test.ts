import { readdir, readFile } from "node:fs/promises";
import { startProduct, until, type Product, type ProductWorker } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client, newTenant } from "../support/client.ts";
import { EVERYTHING } from "../support/mcp-servers.ts";

let product: Product;
let owner: Client;
let holder: ProductWorker;
let marker: string;

beforeAll(async () => {
  product = await startProduct({ workers: 0 });
  holder = await product.startWorker();
  const tenant = await newTenant(product);
  owner = tenant.owner;
  marker = `${tenant.id}-marker`;
  const admin = new Client(product.url, product.adminKey);
  const body = {
    name: "everything",
    transport: "stdio",
    command: process.execPath,
    args: [EVERYTHING, "stdio", marker],
  };
  const made = await admin.post(`/api/v1/mcp-servers?tenantId=${tenant.id}`, body);
  expect(made.status).toBe(201);
  expect((await owner.post("/api/v1/mcp-servers/everything/refresh")).body.data).toMatchObject({
    state: "connected",
  });
});
afterAll(() => product?.stop());

/** Processes of this machine that were started with the test's own argument. */
async function running(): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  return commands.filter((command) => command.split("\0").includes(marker)).length;
}

const tool = (name: string) => `/api/v1/custom-tools/mcp__everything__${name}/execute`;

test("kill -9 of the worker that holds a server in a call: nothing of it is left, and another worker takes over", async () => {
  product.showLogsIfTestFails();
  expect(await running()).toBeGreaterThan(0);
  await product.startWorker();
  const body = { arguments: { duration: 4, steps: 40 }, mode: "async", timeoutMs: 120_000 };
  const { executionId } = (await owner.post(tool("trigger-long-running-operation"), body)).body.data;
  const events = await owner.follow(executionId);
  for (let event = await events.next(); event?.event !== "execution.progress"; event = await events.next())
    expect(event).not.toBeNull();
  await holder.kill();
  await until(async () => (await running()) === 0, { what: "nothing of the server is left" });
  const ended = await until(
    async () => {
      const { data } = (await owner.get(`/api/v1/executions/${executionId}`)).body;
      return data.status === "running" || data.status === "queued" ? undefined : data;
    },
    { what: "the call's end", timeoutMs: 120_000 },
  );
  // It is idempotent by its server's word, so it is done again, whichever worker had the call.
  expect(ended).toMatchObject({ status: "succeeded", attempts: 2 });
  const echoed = await until(
    async () => {
      const { data } = (await owner.post(tool("echo"), { arguments: { message: "again" } })).body;
      return data?.status === "succeeded" ? data : undefined;
    },
    { what: "another worker has the server", timeoutMs: 60_000 },
  );
  expect(echoed.result).toBe("Echo: again");
  expect(await running()).toBeGreaterThan(0);
  await product.stop();
  expect(await running()).toBe(0);
});
