import { expect, test } from "vitest";
import { Bulkhead } from "./bulkhead.ts";
import { data, event, events, problem, serveScript } from "./fixtures/scripted-server.ts";
import { ExecutionStore } from "./watched-execution.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bht_1" });
const signal = new AbortController().signal;

test("an execution is known by its events, and each change is told", async () => {
  const execution = { id: "exe_1", status: "succeeded", result: { sum: 3 } };
  await using server = await serveScript(
    events(
      event("0-1", "queued") +
        event("0-2", "awaiting_approval", { approvalId: "apr_1", expiresAt: "" }) +
        event("1-1", "queued") +
        event("1-2", "started") +
        event("1-3", "log", { level: "info", text: "one" }) +
        event("1-4", "progress", { value: { part: 1 } }) +
        event("1-5", "succeeded", { execution }),
    ),
  );
  const store = new ExecutionStore();
  const states: [string, string | null][] = [];
  const leave = store.subscribe(() => states.push([store.read().status, store.read().approvalId]));
  await store.watch(clientOf(server), "exe_1", signal);
  leave();
  expect(states).toEqual([
    ["queued", null],
    ["awaiting_approval", "apr_1"],
    ["queued", null],
    ["running", null],
    ["running", null],
    ["running", null],
    ["succeeded", null],
  ]);
  expect(store.read()).toMatchObject({
    logs: [{ id: "1-3", level: "info", text: "one" }],
    progress: [{ id: "1-4", value: { part: 1 } }],
    execution,
    result: { sum: 3 },
    error: null,
  });
});

test("an end that is too large for an event is read; a failure says why", async () => {
  const error = { code: "tool.threw", message: "No." };
  await using server = await serveScript(
    events(event("1-2", "failed")),
    data({ id: "exe_1", status: "failed", result: null, error }),
  );
  const store = new ExecutionStore();
  await store.watch(clientOf(server), "exe_1", signal);
  expect(store.read()).toMatchObject({ status: "failed", result: null, error, execution: { id: "exe_1" } });
});

test("what can't be followed is an error, and leaving is none", async () => {
  await using server = await serveScript(
    problem(403, "access_token.out_of_scope", false),
    events("", "open"),
  );
  const store = new ExecutionStore();
  await store.watch(clientOf(server), "exe_1", signal);
  expect(store.read()).toMatchObject({ status: "connecting", error: { code: "access_token.out_of_scope" } });
  const leaving = new AbortController();
  const watching = store.watch(clientOf(server), "exe_1", leaving.signal);
  leaving.abort();
  await watching;
  expect(store.read()).toMatchObject({ status: "connecting", error: null });
});
