import { startProduct, until, type Product } from "@bulkhead/testing";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { killSpinningSandbox } from "../support/sandbox-processes.ts";

let product: Product;
let owner: Client;
let other: Client;
let site: Server;
let siteUrl: string;
/** What the site answers next; "spin" once it is empty. */
const answers: string[] = [];

const LONG = { limits: { cpuMs: 60_000, wallMs: 60_000 } };
const SPINS = "console.log('begun'); for (;;) {}";

beforeAll(async () => {
  site = createServer((_, response) => response.end(answers.shift() ?? "spin"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  product = await startProduct({ env: { EGRESS_ALLOW: "127.0.0.0/8" } });
  ({ owner } = await newTenant(product));
  ({ owner: other } = await newTenant(product));
  for (const client of [owner, other]) await createTool(client, "quick", "return 'served';");
});

afterAll(async () => {
  await product?.stop();
  site?.close();
});

const start = async (name: string, client = owner): Promise<string> =>
  (await client.post(`/api/v1/custom-tools/${name}/execute`, { mode: "async" })).body.data.executionId;
const read = async (id: string, client = owner) => (await client.get(`/api/v1/executions/${id}`)).body.data;
const kill = () => killSpinningSandbox(product.workers[0]?.pid ?? 0);
const attempts = (id: string, count: number) =>
  until(async () => (await read(id)).attempts === count, { what: `attempt ${count}` });
const ended = async (id: string) => {
  await until(async () => (await read(id)).finishedAt, { what: "the end" });
  return read(id);
};
/** Kills the run's process as often as it takes until it is convicted. */
const killTwice = async (id: string) => {
  await kill();
  await attempts(id, 2);
  await kill();
  return ended(id);
};

test("a run whose process dies is tried again, alone, and nobody else notices", async () => {
  product.showLogsIfTestFails();
  const code = `const word = await (await fetch('${siteUrl}')).text(); console.log(word); while (word === 'spin'); return word;`;
  await createTool(owner, "retried", code, { ...LONG, permissions: ["network"], idempotent: true });
  answers.push("spin", "went well");
  const id = await start("retried");
  await kill();
  const { status, result, attempts: tries } = await ended(id);
  expect({ status, result, tries }).toEqual({ status: "succeeded", result: "went well", tries: 2 });
  const events = await (await owner.follow(id)).rest();
  expect(events.map(({ event, data }) => `${String(data["attempt"])} ${event}`)).toEqual([
    "1 execution.queued",
    "1 execution.started",
    "1 execution.log",
    "2 execution.retrying",
    "2 execution.started",
    "2 execution.log",
    "2 execution.succeeded",
  ]);
  expect((await owner.get("/api/v1/custom-tools/retried")).body.data).toMatchObject({ usageCount: 1 });
});

test("a run that had an effect in a process that others had used is not tried again, and not convicted", async () => {
  const code = `await fetch('${siteUrl}'); for (;;) {}`;
  await createTool(owner, "once_only", code, { ...LONG, permissions: ["network"] });
  await owner.post("/api/v1/custom-tools/quick/execute");
  const id = await start("once_only");
  await kill();
  expect(await ended(id)).toMatchObject({
    status: "failed",
    attempts: 1,
    error: { code: "sandbox.crashed", message: expect.stringMatching(/not tried again/) },
  });
});

test("a tool whose version kills three times is disabled, and says why until it is enabled", async () => {
  product.showLogsIfTestFails();
  await createTool(owner, "killer", SPINS, LONG);
  const path = "/api/v1/custom-tools/killer";
  for (let conviction = 1; conviction <= 3; conviction += 1) {
    expect((await owner.get(path)).body.data.status).toBe("active");
    const id = await start("killer");
    const convicted = await killTwice(id);
    expect(convicted).toMatchObject({
      status: "failed",
      endedBy: "process",
      error: { code: "sandbox.crashed", message: expect.stringMatching(/the tool counts as what ends it/) },
    });
    const events = await (await owner.follow(id)).rest();
    const disabled = events.filter(({ data }) => String(data["text"]).startsWith("The tool was disabled:"));
    expect(disabled.length).toBe(conviction === 3 ? 1 : 0);
    expect(events.at(-1)?.event).toBe("execution.failed");
  }
  const { status, statusReason, usageCount } = (await owner.get(path)).body.data;
  expect({ status, usageCount }).toEqual({ status: "disabled", usageCount: 3 });
  expect(statusReason).toMatch(/^Version 1 killed its sandbox process 3 times/);
  expect((await owner.post(`${path}/execute`)).body.code).toBe("tool.not_active");
  expect(product.logs()).toContain("tool.quarantined");
  const [told] = (await owner.get("/api/v1/audit?action=tool.quarantined")).body.data.entries;
  expect(told).toMatchObject({ actor: { role: "platform" }, subject: { type: "tool", name: "killer" } });
  expect(told.actor).not.toHaveProperty("keyId");

  const enabled = (await owner.post(`${path}/enable`)).body.data;
  expect(enabled.status).toBe("active");
  expect(enabled).not.toHaveProperty("statusReason");
  await killTwice(await start("killer"));
  expect((await owner.get(path)).body.data.status).toBe("active");
});

test("a tool that a tool calls is judged like any other, and its caller hears of it", async () => {
  await createTool(owner, "inner_killer", SPINS, LONG);
  await createTool(owner, "calls_killer", "return utils.callTool('inner_killer');", LONG);
  const id = await start("calls_killer");
  await kill();
  await kill();
  expect((await ended(id)).error.message).toMatch(/"inner_killer" ended with sandbox\.crashed/);
  const [nested] = (await owner.get("/api/v1/executions?tool=inner_killer")).body.data.executions;
  expect(nested).toMatchObject({ status: "failed", attempts: 2, parentId: id });
});

test("others are served meanwhile and after, and no wall or memory death convicts", async () => {
  await createTool(owner, "late", "for (;;) {}", { limits: { wallMs: 300 } });
  for (let i = 0; i < 4; i += 1) await owner.post("/api/v1/custom-tools/late/execute");
  expect((await owner.get("/api/v1/custom-tools/late")).body.data.status).toBe("active");
  for (const client of [owner, other])
    expect((await client.post("/api/v1/custom-tools/quick/execute")).body.data.result).toBe("served");
});
