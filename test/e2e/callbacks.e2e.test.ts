import { randomBytes } from "node:crypto";
import { sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { isSigned, openReceiver, type Received, type Receiver } from "../support/receiver.ts";
import { closeWatchedEvents, takeEvents, watchEvents } from "../support/tenant-events.ts";

const product = await sharedProduct();
let receiver: Receiver;
let id: string;
let owner: Client;
let secret: string;
closeWatchedEvents();

const TOOL = `
  if (args.throws) throw new Error("it broke");
  await new Promise((resolve) => setTimeout(resolve, args.ms ?? 0));
  return args.text === undefined ? { done: true } : args.text.repeat(args.times);`;

beforeAll(async () => {
  receiver = await openReceiver((path, before) => {
    if (path.startsWith("/dead")) return null;
    if (path.startsWith("/flaky")) return before === 0 ? 500 : 200;
    return path.startsWith("/gone") ? 410 : 204;
  });
  ({ id, owner } = await newTenant(product));
  await createTool(owner, "told", TOOL);
  secret = (await owner.get("/api/v1/webhook-secret")).body.data.secret;
});

afterAll(() => receiver?.close());

/** Runs the tool and answers the execution's id; its end is to be told at this path of the receiver. */
async function call(path: string, body: object = {}, client = owner, callback: object = {}): Promise<string> {
  const answer = await client.post("/api/v1/custom-tools/told/execute", {
    mode: "async",
    callback: { url: receiver.url + path, ...callback },
    ...body,
  });
  if (answer.status !== 202) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.executionId;
}

const arrived = (path: string, count = 1): Promise<Received[]> =>
  until(() => (receiver.at(path).length >= count ? receiver.at(path) : null), {
    timeoutMs: 30_000,
    what: `${count} webhooks at ${path}`,
  });

const deliveriesOf = async (executionId: string, client = owner) =>
  (await client.get(`/api/v1/executions/${executionId}/deliveries`)).body.data.deliveries;

/** What was ended from outside is billed a moment later: the webhook may be told before. */
const unbilled = ({ usage: _usage, endedBy: _endedBy, ...rest }: Record<string, unknown>) => rest;

const settled = (executionId: string, count = 1) =>
  until(
    async () => {
      const deliveries = await deliveriesOf(executionId);
      const isOver = deliveries.every(({ status }: { status: string }) => status !== "pending");
      return deliveries.length === count && isOver ? deliveries : null;
    },
    { timeoutMs: 30_000, what: `${count} deliveries of ${executionId} are over` },
  );

describe("the end of an execution", () => {
  test.each<[string, object, (executionId: string) => Promise<unknown>]>([
    ["succeeded", {}, async () => undefined],
    ["failed", { arguments: { throws: true } }, async () => undefined],
    ["timed_out", { arguments: { ms: 60_000 }, timeoutMs: 300 }, async () => undefined],
    [
      "cancelled",
      { arguments: { ms: 60_000 } },
      (executionId) => owner.post(`/api/v1/executions/${executionId}/cancel`),
    ],
  ])("is told once when it %s: signed, and as the API shows it", async (status, body, end) => {
    const executionId = await call(`/${status}`, body);
    await end(executionId);
    const [first] = await arrived(`/${status}`);
    const [delivery] = await settled(executionId);
    expect(delivery).toMatchObject({ n: 1, url: `${receiver.url}/${status}`, status: "delivered" });
    expect(delivery.attempts).toEqual([{ at: expect.any(String), status: 204, ms: expect.any(Number) }]);
    expect(receiver.at(`/${status}`)).toHaveLength(1);
    const shown = (await owner.get(`/api/v1/executions/${executionId}`)).body.data;
    expect(first?.body).toMatchObject({ type: `execution.${status}`, timestamp: shown.finishedAt });
    expect(unbilled(first?.body.data)).toEqual(unbilled(shown));
    expect(first?.headers["webhook-id"]).toBe(`dlv_${executionId.slice(4)}_1`);
    expect(Math.abs(Number(first?.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(300);
    expect(first && isSigned(first, secret)).toBe(true);
    expect(first && isSigned({ ...first, text: `${first.text} ` }, secret)).toBe(false);
  });

  test("is signed with the caller's own secret where there is one, and with no other", async () => {
    const own = `whsec_${randomBytes(32).toString("base64")}`;
    await call("/own", {}, owner, { secret: own });
    const [first] = await arrived("/own");
    expect(first && isSigned(first, own)).toBe(true);
    expect(first && isSigned(first, secret)).toBe(false);
  });

  test("is told for each of a batch", async () => {
    const { status, body } = await owner.post("/api/v1/executions/batch", {
      executions: [1, 2].map((n) => ({ tool: "told", callback: { url: `${receiver.url}/batch-${n}` } })),
    });
    expect(status).toBe(202);
    const told = [...(await arrived("/batch-1")), ...(await arrived("/batch-2"))];
    expect(told.map((one) => one.body.data.id)).toEqual(
      body.data.executions.map(({ executionId }: { executionId: string }) => executionId),
    );
  });

  test("with a result that is too large for it comes without, and with a link", async () => {
    const executionId = await call("/large", { arguments: { text: "x".repeat(1_000), times: 500 } });
    const [first] = await arrived("/large");
    expect(first?.text.length).toBeLessThan(10_000);
    const { data } = first?.body ?? {};
    expect(data.error).toBeUndefined();
    expect(data).toMatchObject({ id: executionId, status: "succeeded", result: null, omitted: ["result"] });
    expect((await owner.get(data.links.self)).body.data.result).toHaveLength(500_000);
  });

  test("[L9] is told again after an answer that is no success, under the same webhook-id", async () => {
    const executionId = await call("/flaky");
    const [first, second] = await arrived("/flaky", 2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.text).toBe(first?.text);
    expect(second && isSigned(second, secret)).toBe(true);
    const [delivery] = await settled(executionId);
    expect(delivery).toMatchObject({ status: "delivered", attempts: [{ status: 500 }, { status: 200 }] });
  });

  test("is told no more to who answers 410", async () => {
    const reader = await watchEvents(owner, undefined, "delivery.tried");
    const executionId = await call("/gone");
    const [delivery] = await settled(executionId);
    expect(delivery).toMatchObject({ status: "failed", attempts: [{ status: 410 }] });
    const [told] = await takeEvents(reader, 1);
    expect(told?.data).toMatchObject({ executionId, delivery: 1, status: "failed" });
    expect(delivery.nextAttemptAt).toBeUndefined();
  });

  test("[R22] is delivered again for whoever asks, as a delivery of its own with the same event", async () => {
    const executionId = await call("/again");
    await settled(executionId);
    const path = `/api/v1/executions/${executionId}/deliveries`;
    const asked = await owner.post(`${path}/1/redeliver`);
    expect(asked.status).toBe(202);
    expect(asked.body.data).toMatchObject({ n: 2, status: "pending", attempts: [] });
    const [noted] = (await owner.get("/api/v1/audit?action=delivery.redelivered")).body.data.entries;
    expect(noted).toMatchObject({
      requestId: asked.body.meta.requestId,
      subject: { id: executionId },
      details: { delivery: 1, madeDelivery: 2 },
    });
    const [first, second] = await arrived("/again", 2);
    expect(second?.text).toBe(first?.text);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second && isSigned(second, secret)).toBe(true);
    await settled(executionId, 2);
    expect(await owner.post(`${path}/9/redeliver`)).toMatchObject({
      status: 404,
      body: { code: "delivery.not_found" },
    });
    expect((await owner.post(`${path}/x/redeliver`)).status).toBe(400);
  });

  test("is told while another tenant's endpoint answers nobody", async () => {
    const other = await newTenant(product);
    await createTool(other.owner, "told", TOOL);
    for (let count = 0; count < 30; count += 1) await call("/dead", {}, other.owner);
    await until(() => receiver.held() > 0, { what: "the dead endpoint is called" });
    const heldBefore = receiver.held();
    await call("/alive");
    await arrived("/alive");
    expect(heldBefore).toBeGreaterThan(0);
    expect(receiver.held()).toBeGreaterThan(0);
    expect(receiver.held()).toBeLessThan(30);
  });
});

describe("a callback", () => {
  test.each([
    ["a private address", "http://10.0.0.1/hook", "callback.url"],
    ["a metadata address", "https://169.254.169.254/", "callback.url"],
    ["plain http to the world", "http://8.8.8.8/", "callback.url"],
    ["another scheme", "ftp://example.com/", "callback.url"],
    ["credentials", "https://me:word@example.com/", "callback.url"],
    ["no URL", "nonsense", "callback.url"],
  ])("with %s is refused by its place, and nothing runs", async (_what, url, path) => {
    const before = (await owner.get("/api/v1/executions?limit=1")).body.data.executions[0]?.id;
    const { status, body } = await owner.post("/api/v1/custom-tools/told/execute", { callback: { url } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path }]);
    expect((await owner.get("/api/v1/executions?limit=1")).body.data.executions[0]?.id).toBe(before);
  });

  test("with a secret that is none is refused, and the secret not repeated", async () => {
    const callback = { url: `${receiver.url}/never`, secret: "hunter2" };
    const { status, body } = await owner.post("/api/v1/custom-tools/told/execute", { callback });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: "callback.secret" }]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });
});

describe("the tenant's secret", () => {
  test("is the owner's to see and to change; the one before signs too", async () => {
    const { body } = await owner.get("/api/v1/webhook-secret");
    expect(body.data).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      generation: 1,
      retiring: [],
    });
    const rotated = (await owner.post("/api/v1/webhook-secret/rotate")).body.data;
    expect(rotated).toMatchObject({
      generation: 2,
      retiring: [{ generation: 1, signsUntil: expect.any(String) }],
    });
    expect(rotated.secret).not.toBe(secret);
    await call("/rotated");
    const [first] = await arrived("/rotated");
    expect(first && [isSigned(first, secret), isSigned(first, rotated.secret)]).toEqual([true, true]);
    expect(String(first?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    for (const role of ["developer", "agent", "viewer"]) {
      const client = await newClient(product, id, role);
      expect((await client.get("/api/v1/webhook-secret")).status).toBe(403);
      expect((await client.post("/api/v1/webhook-secret/rotate")).status).toBe(403);
    }
  });

  test("is another for each tenant, whose deliveries nobody else sees", async () => {
    const other = await newTenant(product);
    expect((await other.owner.get("/api/v1/webhook-secret")).body.data.secret).not.toBe(secret);
    const executionId = await call("/ours");
    await settled(executionId);
    for (const known of [executionId, `exe_${"0".repeat(32)}`]) {
      const listed = await other.owner.get(`/api/v1/executions/${known}/deliveries`);
      const asked = await other.owner.post(`/api/v1/executions/${known}/deliveries/1/redeliver`);
      expect([listed.status, listed.body.code]).toEqual([404, "execution.not_found"]);
      expect([asked.status, asked.body.code]).toEqual([404, "execution.not_found"]);
    }
  });
});
