import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let ours: { id: string; owner: Client };
const ECHO = "return { args };";
const NOT_FOUND = { error: { code: "tool.not_found" } };
const SLEEP = "await new Promise((resolve) => setTimeout(resolve, args.ms)); return args.ms;";

beforeAll(async () => {
  ours = await newTenant(product);
  await createTool(ours.owner, "echo", ECHO);
  await createTool(ours.owner, "sleep", SLEEP);
});

const execute = (client: Client, tool: string, body: object, headers: Record<string, string> = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, body, headers);

describe("Idempotency-Key", () => {
  test("[R15] a repeat gets the first answer, in every mode, also while it still runs, and nothing runs twice", async () => {
    const { owner } = ours;
    const key = { "idempotency-key": "order-1" };
    const body = { arguments: { ms: 1_500 } };
    const [first, second] = await Promise.all([
      execute(owner, "sleep", body, key),
      execute(owner, "sleep", body, key),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data.executionId).toBe(first.body.data.executionId);
    expect(second.body.data.result).toBe(1_500);
    // Who came first can't be told from outside.
    const told = [first, second].map(({ headers }) => headers.get("idempotent-replayed"));
    expect(new Set(told)).toEqual(new Set(["true", null]));
    const later = await execute(owner, "sleep", body, key);
    expect(later.headers.get("idempotent-replayed")).toBe("true");
    expect(later.body.data).toMatchObject({ executionId: first.body.data.executionId, result: 1_500 });
    const listed = await owner.get("/api/v1/executions?tool=sleep&limit=200");
    const found = await Promise.all(
      listed.body.data.executions.map(({ id }: { id: string }) => owner.get(`/api/v1/executions/${id}`)),
    );
    expect(found.filter(({ body: { data } }) => data.arguments.ms === 1_500)).toHaveLength(1);
  });

  test("forty calls at once with one key are one execution", async () => {
    const key = { "idempotency-key": "order-40" };
    const body = { arguments: { n: 40 }, mode: "async" };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => execute(ours.owner, "echo", body, key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map((answer) => answer.body.data.executionId)).size).toBe(1);
  });

  test("the order of the body's keys plays no part", async () => {
    const key = { "idempotency-key": "order-2" };
    const one = await execute(ours.owner, "echo", { arguments: { a: 1, b: 2 } }, key);
    const other = await execute(ours.owner, "echo", { arguments: { b: 2, a: 1 } }, key);
    expect(other.body.data.executionId).toBe(one.body.data.executionId);
  });

  test("the same key with another body is a conflict, and another tenant's key is another key", async () => {
    const key = { "idempotency-key": "order-3" };
    await execute(ours.owner, "echo", { arguments: { a: 1 } }, key);
    const other = await execute(ours.owner, "echo", { arguments: { a: 2 } }, key);
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: "idempotency.conflict", retryable: false });
    const theirs = await newTenant(product);
    await createTool(theirs.owner, "echo", ECHO);
    expect((await execute(theirs.owner, "echo", { arguments: { a: 2 } }, key)).status).toBe(200);
  });

  test("a repeat gets the first answer also when its tool is gone", async () => {
    const key = { "idempotency-key": "order-5" };
    const tool = await createTool(ours.owner, "short_lived", ECHO);
    const one = await execute(ours.owner, "short_lived", { arguments: { a: 1 } }, key);
    await ours.owner.delete(`/api/v1/custom-tools/${tool.id}`);
    const other = await execute(ours.owner, "short_lived", { arguments: { a: 1 } }, key);
    expect(other.body.data).toMatchObject({
      executionId: one.body.data.executionId,
      result: { args: { a: 1 } },
    });
  });

  test("a key stands for one request, a batch or a call, whatever became of its parts", async () => {
    const { owner } = ours;
    const batch = (executions: object[], key: string) =>
      owner.post("/api/v1/executions/batch", { executions }, { "idempotency-key": key });
    const calls = [{ tool: "nobody_has_it" }, { tool: "echo", arguments: { n: 1 } }];
    const first = await batch(calls, "batch-1");
    expect(first.body.data.executions).toMatchObject([NOT_FOUND, { status: "queued" }]);
    // Its first place holds nothing: another body is another request all the same.
    const other = await batch([{ tool: "echo", arguments: { n: 2 } }], "batch-1");
    expect([other.status, other.body.code]).toEqual([409, "idempotency.conflict"]);
    expect((await execute(owner, "echo", { arguments: {} }, { "idempotency-key": "batch-1" })).status).toBe(
      409,
    );
    const repeat = await batch(calls, "batch-1");
    const { executionId } = first.body.data.executions[1];
    expect(repeat.body.data.executions).toMatchObject([NOT_FOUND, { executionId }]);
    const told = [first, repeat].map(({ headers }) => headers.get("idempotent-replayed"));
    expect(told).toEqual([null, "true"]);
    expect((await execute(owner, "echo", { arguments: {} }, { "idempotency-key": "single-1" })).status).toBe(
      200,
    );
    expect((await batch(calls, "single-1")).status).toBe(409);
    expect((await batch([{ tool: "nobody_has_it" }], "free-1")).status).toBe(202);
    expect((await batch(calls, "free-1")).status).toBe(202);
  });

  test("a key that breaks the rule is a 400 that names the header", async () => {
    const refused = await execute(ours.owner, "echo", {}, { "idempotency-key": "x".repeat(201) });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe("idempotency-key");
  });
});
