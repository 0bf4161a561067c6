import { randomBytes } from "node:crypto";
import { queryRows, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEverything } from "../support/canary/read-everything.ts";
import { createTool, newClient, newTenant } from "../support/client.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";

/** What a product keeps nothing of is nowhere afterwards; it may reach servers on 127.0.0.1. */
export function erasedRunsSuite(own: () => Product): void {
  const EXECUTIONS = "/api/v1/executions";

  let product: Product;
  let receiver: Receiver;

  const PARAMETERS = {
    type: "object",
    properties: { mark: { type: "string" }, throws: { type: "boolean" } },
  };

  beforeAll(async () => {
    receiver = await openReceiver(() => 204);
    product = own();
  });
  afterAll(async () => {
    await receiver?.close();
  });

  /** A tenant of a test's own: what is erased is waited for, by all at a time. */
  async function newWorld() {
    const { id: tenantId, owner } = await newTenant(product);
    const agent = await newClient(product, tenantId, "agent");
    await createTool(owner, "inner", "console.log(args.mark); return { inner: args.mark };", {
      parameters: PARAMETERS,
    });
    await createTool(
      owner,
      "spill",
      `console.log("a line about " + args.mark);
      emit({ value: args.mark });
      if (args.throws) throw new Error("it broke over " + args.mark);
      return { echo: args.mark, ...(await utils.callTool("inner", { mark: args.mark })) };`,
      { parameters: PARAMETERS, retry: { attempts: 2, backoffMs: 0, on: ["tool.threw"] } },
    );
    /** Answers the call's result; its end is told to the receiver. */
    async function run(mark: string, more: object = {}, headers: Record<string, string> = {}) {
      const { throws = false, path = mark, ...call } = more as { throws?: boolean; path?: string };
      const body = { arguments: { mark, throws }, callback: { url: `${receiver.url}/${path}` }, ...call };
      return owner.post("/api/v1/custom-tools/spill/execute", body, headers);
    }
    const foundBy = async (mark: string) =>
      (await owner.get(`${EXECUTIONS}?logs=${mark}`)).body.data.executions;
    const logIsKept = (mark: string, count: number) =>
      until(async () => (await foundBy(mark)).length === count, { what: "the logs are kept" });
    /** What is due to be erased some time is due now, until none is left and the condition holds, which may cost much to ask. */
    const whenErased = (holds: () => Promise<boolean>) =>
      until(
        async () => {
          const update = "UPDATE due_erasures SET due_at = now() WHERE tenant_id = $1 RETURNING 1";
          return (await queryRows(product.databaseUrl, update, [tenantId])).length === 0 && holds();
        },
        { timeoutMs: 60_000, what: "it is erased" },
      );
    const nothingWith = (mark: string) => whenErased(async () => (await placesWith(mark)).length === 0);
    const usage = async () => (await owner.get("/api/v1/usage")).body.data.total;
    const audit = async (action: string) =>
      (await owner.get(`/api/v1/audit?action=${action}`)).body.data.entries;
    return { tenantId, owner, agent, run, foundBy, logIsKept, whenErased, nothingWith, usage, audit };
  }

  const newMark = (): string => `mark${randomBytes(8).toString("hex")}`;
  const told = (path: string) =>
    until(() => receiver.at(`/${path}`).at(0) ?? null, { timeoutMs: 30_000, what: "the callback" });
  /** Places in which the text stands, of all that the product stores and prints. */
  async function placesWith(text: string): Promise<string[]> {
    const places = await readEverything(product);
    return [...places].filter(([, content]) => content.includes(text)).map(([place]) => place);
  }
  const pathOf = (executionId: string, more = "") => `${EXECUTIONS}/${executionId}${more}`;

  test("[R41] of a call with store: false nothing is left, and its caller and its callback had all of it", async () => {
    const { owner, run, foundBy, nothingWith } = await newWorld();
    const both = [false, true].map(async (throws) => {
      const mark = newMark();
      // The callback's URL is its caller's word, and stays.
      const path = `end-of-${throws}`;
      const { body } = await run(mark, { throws, path, store: false });
      const { executionId } = body.data;
      if (throws) expect(body.data.error).toMatchObject({ message: expect.stringContaining(mark) });
      else expect(body.data.result).toEqual({ echo: mark, inner: mark });
      const { body: webhook } = await told(path);
      expect(webhook.data).toMatchObject({ id: executionId, arguments: { mark } });
      expect(JSON.stringify([webhook.data.result, webhook.data.error])).toContain(mark);
      await nothingWith(mark);

      const { data } = (await owner.get(pathOf(executionId))).body;
      expect(data).toMatchObject({ arguments: {}, result: null, erased: ["arguments", "result", "events"] });
      expect(data.error?.code).toBe(throws ? "tool.threw" : undefined);
      const events = await (await owner.follow(executionId)).rest();
      expect(events.map(({ event }) => event)).toEqual([
        "execution.queued",
        "execution.gap",
        throws ? "execution.failed" : "execution.succeeded",
      ]);
      const replay = await owner.post(pathOf(executionId, "/replay"));
      expect([replay.status, replay.body.code]).toEqual([409, "execution.arguments_erased"]);
      expect(await foundBy(mark)).toEqual([]);
    });
    await Promise.all(both);
    const byFilter = await owner.post(`${EXECUTIONS}/replay`, { status: "failed" });
    expect(byFilter.body.data.executions).toEqual([]);
  });

  test("[R41] a tool and its tenant say what is kept of what", async () => {
    const { owner, logIsKept, whenErased } = await newWorld();
    const mark = newMark();
    await createTool(owner, "forgetful", "console.log(args.mark); return args.mark;", {
      parameters: PARAMETERS,
      retention: { arguments: "none", events: 9 },
    });
    await owner.patch("/api/v1/tenant/settings", { retention: { arguments: 5, result: "none" } });
    const { body } = await owner.post("/api/v1/custom-tools/forgetful/execute", { arguments: { mark } });
    await owner.patch("/api/v1/tenant/settings", { retention: null });
    expect(body.data.result).toBe(mark);
    const { executionId } = body.data;
    await logIsKept(mark, 1);
    await whenErased(async () => (await owner.get(pathOf(executionId))).body.data.erased?.length === 2);
    const { data } = (await owner.get(pathOf(executionId))).body;
    expect(data).toMatchObject({ arguments: {}, result: null, erased: ["arguments", "result"] });
    expect(await placesWith(`"${mark}"`)).toEqual([]);
    const events = await (await owner.follow(executionId)).rest();
    expect(events.map(({ event }) => event)).toEqual([
      "execution.queued",
      "execution.started",
      "execution.log",
      "execution.succeeded",
    ]);
  });

  test("[R41] an item of a batch says it for itself, and a try of code that is not stored too", async () => {
    const { owner, logIsKept, nothingWith } = await newWorld();
    const [mark, kept] = [newMark(), newMark()];
    const call = { tool: "inner", arguments: { mark } };
    const batch = {
      executions: [
        { ...call, store: false },
        { ...call, arguments: { mark: kept } },
      ],
    };
    const accepted = (await owner.post(`${EXECUTIONS}/batch`, batch)).body.data.executions;
    const [first, second] = accepted.map(({ executionId }: { executionId: string }) => executionId);
    const tried = await owner.post("/api/v1/custom-tools/test", {
      name: "tried",
      code: `return { answer: args.mark + "${mark}" };`,
      parameters: PARAMETERS,
      testArguments: { mark },
      store: false,
    });
    expect(tried.body.data.result).toEqual({ answer: mark + mark });
    await logIsKept(kept, 1);
    await nothingWith(mark);
    const erased = { arguments: {}, result: null, erased: ["arguments", "result", "events"] };
    expect((await owner.get(pathOf(first))).body.data).toMatchObject(erased);
    expect((await owner.get(pathOf(tried.body.data.executionId))).body.data).toMatchObject(erased);
    const { data } = (await owner.get(pathOf(second))).body;
    expect(data).toMatchObject({ arguments: { mark: kept }, result: { inner: kept } });
    expect(data.erased).toBeUndefined();
    for (const store of [null, "no", 0]) {
      const refused = await owner.post("/api/v1/custom-tools/inner/execute", { store });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, "store"]);
    }
  });

  test("[R41] a deleted execution is nowhere, and counts in the usage", async () => {
    const { tenantId, owner, agent, run, foundBy, logIsKept, nothingWith, usage, audit } = await newWorld();
    const mark = newMark();
    const once = { "idempotency-key": mark.toUpperCase() };
    const { body } = await run(mark, {}, once);
    const { executionId } = body.data;
    await told(mark);
    await logIsKept(mark, 2);
    const [nested] = (await owner.get(`${EXECUTIONS}?tool=inner`)).body.data.executions;
    const places = (await placesWith(mark)).join();
    for (const place of ["executions", "execution_logs", "deliveries", `key bh:log:${tenantId}`])
      expect(places).toContain(place);
    await until(
      async () =>
        (await owner.get(pathOf(executionId, "/deliveries"))).body.data.deliveries[0].status === "delivered",
      { what: "the delivery is on record" },
    );
    const [used, count] = [
      await usage(),
      (await owner.get("/api/v1/custom-tools/spill")).body.data.usageCount,
    ];

    for (const id of [executionId, nested.id]) {
      expect((await agent.delete(pathOf(id))).status).toBe(403);
      expect((await owner.delete(pathOf(id))).body.data).toEqual({ deleted: true });
    }
    await nothingWith(mark);
    const pieces = "SELECT FROM log_pieces WHERE execution_id = ANY($1)";
    expect(await queryRows(product.databaseUrl, pieces, [[executionId, nested.id]])).toEqual([]);
    const asked = [
      owner.get(pathOf(executionId)),
      owner.get(pathOf(executionId, "/events")),
      owner.get(pathOf(executionId, "/attempts")),
      owner.get(pathOf(executionId, "/deliveries")),
      owner.post(pathOf(executionId, "/deliveries/1/redeliver")),
      owner.post(pathOf(executionId, "/replay")),
      owner.post(pathOf(executionId, "/cancel")),
      owner.delete(pathOf(executionId)),
    ];
    for (const answer of await Promise.all(asked))
      expect([answer.status, answer.body.code]).toEqual([404, "execution.not_found"]);
    const { executions } = (await owner.get(`${EXECUTIONS}?limit=200`)).body.data;
    expect(executions.filter(({ id }: { id: string }) => id === executionId)).toEqual([]);
    expect(await foundBy(mark)).toEqual([]);
    expect(await usage()).toEqual(used);
    expect((await owner.get("/api/v1/custom-tools/spill")).body.data.usageCount).toBe(count);
    expect(
      (await audit("execution.deleted")).map(({ subject }: { subject: { id: string } }) => subject.id),
    ).toEqual([nested.id, executionId]);
    const repeat = await run(mark, {}, once);
    expect([repeat.status, repeat.body.code]).toEqual([409, "idempotency.execution_deleted"]);
  });

  test("[R41] what goes on is cancelled before it is deleted, and another tenant's is not there", async () => {
    const { owner, run, nothingWith, audit } = await newWorld();
    const mark = newMark();
    const { body } = await run(mark, { mode: "async", delayMs: 60_000 });
    const { executionId } = body.data;
    const refused = await owner.delete(pathOf(executionId));
    expect([refused.status, refused.body.code]).toEqual([409, "execution.not_ended"]);
    expect(refused.body.detail).toContain(`POST ${pathOf(executionId, "/cancel")}`);
    await owner.post(pathOf(executionId, "/cancel"));
    const { owner: stranger } = await newTenant(product);
    expect((await stranger.delete(pathOf(executionId))).status).toBe(404);
    await told(mark);
    expect((await owner.delete(pathOf(executionId))).status).toBe(200);
    await nothingWith(mark);
    expect(
      (await audit("execution.cancelled")).map(({ subject }: { subject: { id: string } }) => subject.id),
    ).toContain(executionId);
  });

  test("an agent's key can't say that nothing is kept of its calls", async () => {
    const { agent } = await newWorld();
    const call = { arguments: {}, store: false };
    for (const answer of [
      await agent.post("/api/v1/custom-tools/inner/execute", call),
      await agent.post(`${EXECUTIONS}/batch`, {
        executions: [
          { tool: "inner", arguments: {} },
          { tool: "inner", ...call },
        ],
      }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, "auth.forbidden"]);
      expect(answer.body.detail).toContain("store");
    }
  });
}
