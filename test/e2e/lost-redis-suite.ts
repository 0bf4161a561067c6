import { randomBytes } from "node:crypto";
import { isNightly, until, type Product } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";
import { closeWatchedEvents, takeEvents, watchEvents } from "../support/tenant-events.ts";

/** What a product does whose Redis is away, or has forgotten everything. */
export function lostRedisSuite(own: () => Product): void {
  let product: Product;
  let owner: Client;
  closeWatchedEvents();

  beforeAll(async () => {
    product = own();
    ({ owner } = await newTenant(product));
    await createTool(owner, "silent", "return 3;");
    await createTool(owner, "forgotten", "console.log('one'); return 3;", { retention: { events: "none" } });
    await createTool(owner, "quick", "console.log('one'); console.log('two'); return 3;");
  });

  const run = async (tool: string, body: object = {}): Promise<string> =>
    (await owner.post(`/api/v1/custom-tools/${tool}/execute`, body)).body.data.executionId;
  const eventsOf = async (executionId: string, after?: string) =>
    (await owner.follow(executionId, after)).rest();
  /** Each of a process's connections comes back in its own time. */
  const isReady = () =>
    until(async () => (await owner.get("/readyz")).status === 200, { what: "the API has Redis again" });

  async function loseEverything(): Promise<void> {
    await product.redis?.restartEmpty();
    await isReady();
  }

  test.runIf(isNightly)("a schedule goes on after Redis has lost everything", async () => {
    const schedules = "/api/v1/schedules";
    const { id } = (await owner.post(schedules, { tool: "silent", everyMs: 1_000 })).body.data;
    const runs = async (): Promise<number> => {
      const { executions } = (await owner.get("/api/v1/executions?tool=silent&limit=200")).body.data;
      return executions.filter(({ scheduleId }: { scheduleId?: string }) => scheduleId === id).length;
    };
    const hasRun = (times: number) =>
      until(async () => (await runs()) >= times, { what: `${times} runs`, timeoutMs: 60_000 });
    await hasRun(2);
    await product.redis?.flush();
    await hasRun((await runs()) + 3);
    await owner.delete(`${schedules}/${id}`);
  });

  test.runIf(isNightly)(
    "[R18] when Redis has lost a log of which nothing is kept, the row still tells the end, after a gap",
    async () => {
      product.showLogsIfTestFails();
      const [executionId, silent] = [await run("forgotten"), await run("silent")];
      const [before, silentBefore] = [await eventsOf(executionId), await eventsOf(silent)];
      await product.redis?.restartEmpty();
      // Of a run that said nothing, its row tells the start, too.
      const told = await eventsOf(silent);
      expect(told.map(({ id }) => id)).toEqual(silentBefore.map(({ id }) => id));
      expect(told.at(-1)).toEqual(silentBefore.at(-1));
      const resumed = await eventsOf(executionId, before[0]?.id ?? "");
      expect(resumed.map(({ event }) => event)).toEqual(["execution.gap", "execution.succeeded"]);
      expect(resumed[0]?.data).toMatchObject({ from: before[0]?.id, to: before.at(-1)?.id });
      expect(resumed[1]).toEqual(before.at(-1));
      // Who reads from the beginning is told what is missing, too.
      for (const from of [undefined, "1-0"]) {
        const whole = await eventsOf(executionId, from);
        expect(whole.map(({ event }) => event)).toEqual([
          "execution.queued",
          "execution.gap",
          "execution.succeeded",
        ]);
        expect([whole[0], whole[2]]).toEqual([before[0], before.at(-1)]);
        expect(whole[1]?.data).toMatchObject({ from: before[0]?.id, to: before.at(-1)?.id });
      }
      // The calls that follow are what counts.
      await until(async () => (await owner.post("/api/v1/custom-tools/quick/execute")).status === 200, {
        what: "tools are run again",
      });
    },
  );

  test("[R40] a failed run's log is told and found when Redis has lost everything", async () => {
    const secret = `kept-${randomBytes(16).toString("hex")}`;
    const { owner: stranger } = await newTenant(product);
    await owner.post("/api/v1/config-services", { name: "vendor", delivery: "reveal" });
    await owner.post("/api/v1/config-services/vendor/entries", { label: "main", data: { api_key: secret } });
    await createTool(
      owner,
      "nightly",
      `console.log("Export of", args.what, "begins with", utils.getApiKey("vendor"));
    for (let n = 0; n < 1_000; n += 1) console.log("row " + n);
    emit({ rows: 1_000, note: "nul \\u0000 and half \\ud800" });
    throw new Error("The disk is full.");`,
      {
        requiredConfigServices: [{ name: "vendor" }],
        parameters: { type: "object", properties: { what: { type: "string" } } },
      },
    );
    const found = async (logs: string, by = owner): Promise<string[]> => {
      const { body } = await by.get(`/api/v1/executions?logs=${encodeURIComponent(logs)}`);
      return body.data.executions.map(({ id }: { id: string }) => id);
    };
    await run("silent");
    const executionId = await run("nightly", { arguments: { what: "Invoices" } });
    const other = await run("nightly", { arguments: { what: "orders" } });
    const whole = await eventsOf(executionId);
    expect(whole.length).toBeGreaterThan(1_000);
    await until(async () => (await found("export")).length === 2, { what: "both logs are kept" });

    await loseEverything();
    expect(await eventsOf(executionId)).toEqual(whole);
    const middle = whole[500]?.id ?? "";
    expect(await eventsOf(executionId, middle)).toEqual(whole.slice(501));
    expect(whole.at(-1)?.event).toBe("execution.failed");
    expect(JSON.stringify(whole)).not.toContain(secret);

    expect(await found("export invoices")).toEqual([executionId]);
    expect(await found("BEGINS export")).toEqual([other, executionId]);
    expect(await found("row 999")).toEqual([other, executionId]);
    expect(await found("export customers")).toEqual([]);
    expect(await found(secret.slice(5))).toEqual([]);
    expect(await found("export", stranger)).toEqual([]);
  });

  test("when Redis has lost the tenant's events, their reader is told of the gap and goes on", async () => {
    const reader = await watchEvents(owner);
    await createTool(owner, "lost", "return 1;");
    const [seen] = await takeEvents(reader, 1);
    await loseEverything();
    await createTool(owner, "found", "return 1;");
    const events = await takeEvents(await watchEvents(owner, seen?.id ?? ""), 2);
    expect(events.map(({ event }) => event)).toEqual(["events.gap", "tool.created"]);
    expect(events[0]?.data["from"]).toBe(seen?.id);
    expect((await takeEvents(reader, 2)).map(({ event }) => event)).toEqual(["events.gap", "tool.created"]);
  });

  test("without Redis reads go on unlimited, running a tool is refused with a time to wait, and both heal", async () => {
    product.showLogsIfTestFails();
    const start = () => owner.post("/api/v1/custom-tools/quick/execute", { mode: "async" });
    const read = () => owner.get("/api/v1/custom-tools/quick");
    await product.redis?.kill();
    const refused = await start();
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: "service.unavailable", retryable: true });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const unlimited = await read();
    expect(unlimited.status).toBe(200);
    expect(unlimited.headers.get("ratelimit")).toBeNull();
    await product.redis?.restartEmpty();
    await until(async () => (await start()).status === 202, { what: "tools are run again" });
    // Where Redis answers late, what can be done without it goes on untold.
    const healed = await until(
      async () => {
        const answer = await read();
        return answer.headers.has("ratelimit") ? answer : null;
      },
      { what: "what is left is told" },
    );
    expect(healed.headers.get("ratelimit")).toMatch(/^"requests";r=\d+;t=\d+$/u);
  });

  test("[R31] alive and ready need no key, and ready says what is missing", async () => {
    const stranger = new Client(product.url, null);
    expect((await stranger.get("/healthz")).body).toEqual({ status: "alive" });
    // What does not answer a probe in time counts as not ready, which a busy machine may be for a moment.
    const ready = () => stranger.get("/readyz");
    const slow = { timeout: 30_000 };
    const checks = ["postgres", "migrations", "redis"];
    await expect.poll(ready, slow).toMatchObject({ status: 200, body: { checks } });
    await product.redis?.kill();
    await expect.poll(ready, slow).toMatchObject({
      status: 503,
      body: { code: "service.unavailable", detail: "Not ready: redis." },
    });
    await product.redis?.restartEmpty();
    await expect.poll(ready, slow).toMatchObject({ status: 200 });
  });
}
