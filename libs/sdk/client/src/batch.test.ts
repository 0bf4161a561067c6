import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { BatchProgress } from "./batch.ts";
import { Bulkhead } from "./bulkhead.ts";
import { data, problem, serveScript, type Answer } from "./fixtures/scripted-server.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bh_1" });
const callsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ tool: "a", arguments: { n } }));
const idOf = ({ arguments: { n } }: { arguments: { n: number } }) => ({
  executionId: `exe_${n}`,
  status: "queued",
});

const accept: Answer = async (response, asked) => {
  await setTimeout(5);
  await data({ executions: asked.body.executions.map(idOf) }, 202)(response, asked);
};

test("any number of calls goes in by a thousand, with one answer each in order", async () => {
  let open = 0;
  let openMax = 0;
  await using server = await serveScript(async (response, asked) => {
    openMax = Math.max(openMax, ++open);
    await accept(response, asked);
    open -= 1;
  });
  const progress: BatchProgress[] = [];
  const answers = await clientOf(server).tools.batch(callsOf(3_500), {
    concurrency: 3,
    onProgress: (told) => progress.push(told),
  });
  expect(answers.map((answer) => ("error" in answer ? null : answer.executionId))).toEqual(
    callsOf(3_500).map((_, n) => `exe_${n}`),
  );
  expect(server.asked.map(({ body }) => body.executions.length).sort((a, b) => a - b)).toEqual([
    500, 1_000, 1_000, 1_000,
  ]);
  expect(openMax).toBeLessThanOrEqual(3);
  expect(progress).toHaveLength(4);
  expect(progress.at(-1)).toEqual({ accepted: 3_500, refused: 0, total: 3_500 });
  expect(new Set(server.asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(4);
  expect(await clientOf(server).tools.batch([])).toEqual([]);
});

test("calls that are too many bytes for one body are split too", async () => {
  await using server = await serveScript(accept);
  const calls = callsOf(3).map((call) => ({
    ...call,
    context: {},
    arguments: { ...call.arguments, text: "é".repeat(600_000) },
  }));
  await clientOf(server).tools.batch(calls);
  expect(server.asked).toHaveLength(3);
});

test("where some calls find no room the request is sent again with its key; what is refused for good stays so", async () => {
  const full = { error: { code: "tenant.backlog_full", title: "", detail: "", retryable: true } };
  const wrong = { error: { code: "tool.not_found", title: "", detail: "", retryable: false } };
  const accepted = { executionId: "exe_0", status: "queued" };
  await using server = await serveScript(
    data({ executions: [accepted, full, wrong] }, 202),
    data({ executions: [accepted, { executionId: "exe_1", status: "queued" }, wrong] }, 202),
  );
  const progress: BatchProgress[] = [];
  const answers = await clientOf(server).tools.batch(callsOf(3), {
    onProgress: (told) => progress.push(told),
  });
  expect(answers).toEqual([accepted, { executionId: "exe_1", status: "queued" }, wrong]);
  expect(progress).toEqual([{ accepted: 2, refused: 1, total: 3 }]);
  const [first, second] = server.asked;
  expect(second).toEqual({
    ...first,
    headers: expect.objectContaining({ "idempotency-key": first?.headers["idempotency-key"] }),
  });
});

test("a request that fails ends the batch", async () => {
  await using server = await serveScript(problem(403, "auth.forbidden", false));
  await expect(clientOf(server).tools.batch(callsOf(10_000))).rejects.toMatchObject({
    code: "auth.forbidden",
  });
  expect(server.asked.length).toBeLessThanOrEqual(2);
  await expect(clientOf(server).tools.batch([], { concurrency: 0 })).rejects.toThrow("concurrency must be");
});
