import { expect, onTestFinished, test, vi } from "vitest";
import { Bulkhead } from "./bulkhead.ts";
import { ToolFailed } from "./errors.ts";
import { cut, data, event, events, problem, serveScript, silence } from "./fixtures/scripted-server.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bh_1" });
const END = { executionId: "exe_1", tool: "adder", status: "succeeded", result: 3, isError: false };
const EXECUTION = { id: "exe_1", toolName: "adder", status: "succeeded", result: 3, isError: false };

test("a run gives the result", async () => {
  await using server = await serveScript(data(END));
  const client = new Bulkhead<{ adder: { arguments: { a: number }; result: number } }>({
    url: server.url,
    key: "bh_1",
  });
  const sum: number = await client.tools.run(
    "adder",
    { a: 1 },
    { timeoutMs: 5_000, context: { userId: "u" } },
  );
  expect(sum).toBe(3);
  expect(server.asked[0]).toMatchObject({
    path: "/api/v1/custom-tools/adder/execute",
    body: { arguments: { a: 1 }, mode: "sync", timeoutMs: 5_000, context: { userId: "u" } },
  });
});

test("a tool that fails is ToolFailed, with how its execution ended", async () => {
  const error = { code: "tool.threw", message: "No such city.", refusal: "not_found" };
  await using server = await serveScript(
    data({ ...END, status: "failed", result: null, isError: true, error }),
  );
  const failed: unknown = await clientOf(server)
    .tools.run("adder", {})
    .catch((caught: unknown) => caught);
  expect(failed).toBeInstanceOf(ToolFailed);
  expect(failed).toMatchObject({
    name: "ToolFailed",
    code: "tool.threw",
    message: "No such city.",
    refusal: "not_found",
    executionId: "exe_1",
    tool: "adder",
    executionStatus: "failed",
    retryable: false,
  });
});

test("a request that breaks, waits too long, or ends before the run, goes on waiting for the same run", async () => {
  await using server = await serveScript(
    cut,
    silence,
    problem(503, "execution.wait_ended", false),
    data(END),
  );
  expect(await clientOf(server).tools.run("adder", { a: 1 }, { requestTimeoutMs: 100 })).toBe(3);
  expect(server.asked).toHaveLength(4);
  expect(new Set(server.asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("a run that says no time is waited for as long as a tool may run", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await serveScript(silence, data(END));
  const run = clientOf(server).tools.run("slow", {}, { requestTimeoutMs: 100 });
  await vi.waitFor(() => expect(server.asked).toHaveLength(1), { interval: 1 });
  vi.setSystemTime(Date.now() + 300_000);
  expect(await run).toBe(3);
});

test("a call that is refused is no failed run", async () => {
  await using server = await serveScript(problem(404, "tool.not_found", false));
  const refused = clientOf(server).tools.run("adder", {});
  await expect(refused).rejects.toMatchObject({ name: "BulkheadError", code: "tool.not_found" });
});

test("a call that a person has to allow is followed until it has ended", async () => {
  const waiting = { executionId: "exe_1", status: "awaiting_approval", links: {} };
  await using server = await serveScript(
    data(waiting, 202),
    data({ ...EXECUTION, status: "awaiting_approval" }),
    events(
      event("1-1", "queued") +
        event("1-9", "denied", { execution: { ...EXECUTION, status: "denied", isError: true } }),
    ),
  );
  const run = clientOf(server).tools.run("adder", {});
  await expect(run).rejects.toMatchObject({ code: "execution.denied", executionStatus: "denied" });
  expect(server.asked.map(({ path }) => path).slice(1)).toEqual([
    "/api/v1/executions/exe_1",
    "/api/v1/executions/exe_1/events",
  ]);
});

test("waiting asks first, reads an end that is too large for an event, and has patience where streams have no room", async () => {
  await using ended = await serveScript(data(EXECUTION));
  expect(await clientOf(ended).executions.wait("exe_1")).toEqual(EXECUTION);
  expect(ended.asked).toHaveLength(1);
  const running = data({ ...EXECUTION, status: "running" });
  await using server = await serveScript(
    running,
    problem(429, "events.too_many_streams", true, { headers: { "retry-after": "0" } }),
    running,
    events(event("1-9", "succeeded")),
    data(EXECUTION),
  );
  expect(await clientOf(server).executions.wait("exe_1", { retries: 0 })).toEqual(EXECUTION);
  expect(server.asked).toHaveLength(5);
});

test("waiting goes on looking while it may not ask for a stream yet", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const running = data({ ...EXECUTION, status: "running" });
  await using server = await serveScript(
    running,
    problem(429, "events.too_many_streams", true, { headers: { "retry-after": "15" } }),
    running,
    data(EXECUTION),
  );
  const waited = clientOf(server).executions.wait("exe_1");
  for (const count of [2, 3, 4]) {
    await vi.waitFor(() => expect(server.asked).toHaveLength(count), { interval: 1 });
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(await waited).toEqual(EXECUTION);
  expect(server.asked.map(({ path }) => path.endsWith("/events"))).toEqual([false, true, false, false]);
});
