import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { bulkheadTools } from "./bulkhead-tools.ts";
import {
  accepted,
  data,
  events,
  failed,
  fakeApi,
  inLoop,
  problem,
  succeeded,
  tool,
} from "./fixtures/fake-api.ts";

const DEFINITIONS = "GET /custom-tools/active/definitions";
const EXECUTE = "POST /custom-tools/adder/execute";
const EVENTS = "GET /executions/exe_1/events";
const adder = data({ tools: [tool("adder"), tool("remover", true)], count: 2 });
const metaTools = data({
  tools: ["create_tool", "search_tools", "describe_tools", "call_tool"].map((name) => tool(name)),
});

/** All that a call yields. */
async function outputsOf(tools: ToolSet, name: string, input: unknown, signal?: AbortSignal) {
  const outputs: unknown[] = [];
  const ran = tools[name]?.execute?.(input as never, inLoop("call_1", signal) as never);
  for await (const output of ran as AsyncIterable<unknown>) outputs.push(output);
  return outputs;
}

/** What the model gets of the last output of a call. */
async function told(tools: ToolSet, name: string, input: unknown) {
  const output = (await outputsOf(tools, name, input)).at(-1);
  return tools[name]?.toModelOutput?.({
    toolCallId: "call_1",
    input: input as never,
    output: output as never,
  });
}

test("a call is made for its agent and its conversation, once, and ends with the result as it is", async () => {
  const { client, asked } = fakeApi({
    [DEFINITIONS]: adder,
    [EXECUTE]: accepted,
    [EVENTS]: events(
      ["queued"],
      ["awaiting_approval", { approvalId: "apr_1", expiresAt: "2026-01-02" }],
      ["queued"],
      ["started"],
      ["log", { level: "info", text: "half" }],
      ["progress", { value: 50 }],
      ["succeeded", { execution: { id: "exe_1", status: "succeeded", isError: false, result: { sum: 3 } } }],
    ),
  });
  const context = { conversationId: "c1", userId: "u1", provider: "p" };
  const tools = await bulkheadTools({ client, agentId: "writer", context, timeoutMs: 5_000 });
  const outputs = await outputsOf(tools, "adder", { a: 1 });
  const going = { $bulkhead: "progress", executionId: "exe_1" };
  const log = { level: "info", text: "half" };
  expect(outputs).toEqual([
    { ...going, status: "queued" },
    {
      ...going,
      status: "awaiting_approval",
      message: "A person has to allow this call until 2026-01-02.",
      approvalId: "apr_1",
      expiresAt: "2026-01-02",
    },
    { ...going, status: "queued" },
    { ...going, status: "running" },
    { ...going, status: "running", log },
    { ...going, status: "running", log, value: 50 },
    { sum: 3 },
  ]);
  expect(asked[0]).toMatchObject({ what: `${DEFINITIONS}?format=mcp&agentId=writer&userId=u1` });
  expect(asked[0]?.headers.get("bulkhead-provider")).toBe("p");
  const call = asked.find(({ what }) => what === EXECUTE);
  expect(call?.body).toEqual({
    arguments: { a: 1 },
    context: { ...context, agentId: "writer", callId: "call_1" },
    timeoutMs: 5_000,
    mode: "async",
  });
  expect(call?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{64}$/);
});

test("with a person's key the loop asks before a call that the rules don't let through; with an agent's Bulkhead does", async () => {
  const owner = { [DEFINITIONS]: adder, "GET /me": data({ key: { role: "owner" } }) };
  const asks = async (replies: Parameters<typeof fakeApi>[0], asksInLoop?: boolean) => {
    const tools = await bulkheadTools({ client: fakeApi(replies).client, asksInLoop });
    return [tools["adder"]?.needsApproval, tools["remover"]?.needsApproval];
  };
  expect(await asks(owner)).toEqual([false, true]);
  expect(await asks({ [DEFINITIONS]: adder })).toEqual([false, false]);
  expect(await asks({ [DEFINITIONS]: adder }, true)).toEqual([false, true]);
});

test("what a model can mend comes back as text, with the place of each fault", async () => {
  const errors = [{ path: "arguments.a", message: "must be a number" }];
  const set = (reply: ReturnType<typeof data>, of = accepted) =>
    bulkheadTools({ client: fakeApi({ [DEFINITIONS]: adder, [EXECUTE]: of, [EVENTS]: reply }).client });
  const invalid = problem(400, "tool.arguments_invalid", { errors });
  expect(await told(await set(accepted, invalid), "adder", { a: "1" })).toEqual({
    type: "error-text",
    value: "tool.arguments_invalid: Not so.\narguments.a: must be a number",
  });
  const threw = failed({ code: "tool.threw", message: "No such city.", retryAfterMs: 1_500 });
  expect(await told(await set(threw), "adder", {})).toEqual({
    type: "error-text",
    value: "tool.threw: No such city.\nTry again in 2 seconds, not before.",
  });
});

test("what is the operator's to mend rejects", async () => {
  const { client } = fakeApi({ [DEFINITIONS]: adder, [EXECUTE]: problem(401, "auth.invalid_key") });
  const tools = await bulkheadTools({ client });
  await expect(outputsOf(tools, "adder", {})).rejects.toMatchObject({ code: "auth.invalid_key" });
});

test("where there is no room for a stream, or the end is too large for an event, the execution is asked for", async () => {
  const end = data({ id: "exe_1", status: "succeeded", isError: false, result: "long" });
  const full = problem(429, "events.too_many_streams", { retryable: true });
  for (const stream of [full, events(["succeeded"])]) {
    const replies = {
      [DEFINITIONS]: adder,
      [EXECUTE]: accepted,
      [EVENTS]: stream,
      "GET /executions/exe_1": end,
    };
    const outputs = await outputsOf(await bulkheadTools({ client: fakeApi(replies).client }), "adder", {});
    expect(outputs).toEqual(["long"]);
  }
});

test("an abort cancels the execution, also one that is only being made", async () => {
  for (const when of ["while it is made", "while it runs"]) {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { client, asked } = fakeApi({
      [DEFINITIONS]: adder,
      [EXECUTE]: (one) => {
        if (when === "while it is made") controller.abort(reason);
        return accepted(one);
      },
      [EVENTS]: () => {
        controller.abort(reason);
        throw reason;
      },
      "POST /executions/exe_1/cancel": problem(409, "execution.already_ended"),
    });
    const tools = await bulkheadTools({ client });
    await expect(outputsOf(tools, "adder", {}, controller.signal)).rejects.toBe(reason);
    expect(asked.at(-1)?.what).toBe("POST /executions/exe_1/cancel");
  }
});

test("an execution that can't be cancelled is told of", async () => {
  const controller = new AbortController();
  const { client } = fakeApi({
    [DEFINITIONS]: adder,
    [EXECUTE]: (one) => {
      controller.abort();
      return accepted(one);
    },
    "POST /executions/exe_1/cancel": problem(403, "auth.forbidden"),
  });
  const aborted = outputsOf(await bulkheadTools({ client }), "adder", {}, controller.signal);
  await expect(aborted).rejects.toThrow("exe_1 could not be cancelled");
});

test("a set has the tools that are named, and a name that is none is refused", async () => {
  const { client } = fakeApi({ [DEFINITIONS]: adder });
  expect(Object.keys(await bulkheadTools({ client, names: ["remover"] }))).toEqual(["remover"]);
  const wrong = bulkheadTools({ client, names: ["adder", "gone"] });
  await expect(wrong).rejects.toThrow("There is no active tool of the name gone");
  await expect(bulkheadTools({ client, names: ["adder"], view: "search" })).rejects.toThrow("view");
  await expect(bulkheadTools({ client, view: "code" as never })).rejects.toThrow("not code");
});

test("more than 40 tools are found by search, and are never left out in silence", async () => {
  const tools = Array.from({ length: 41 }, (_, n) => tool(`t${n}`));
  const many = { [DEFINITIONS]: data({ tools }), "GET /meta-tools/definitions": metaTools };
  const found = await bulkheadTools({ client: fakeApi(many).client });
  expect(Object.keys(found)).toEqual(["search_tools", "describe_tools", "call_tool"]);
  const all = { [DEFINITIONS]: data({ tools: tools.slice(1) }) };
  expect(Object.keys(await bulkheadTools({ client: fakeApi(all).client }))).toHaveLength(40);
  expect(Object.keys(await bulkheadTools({ client: fakeApi(many).client, view: "all" }))).toHaveLength(41);
  const cut = fakeApi({ [DEFINITIONS]: data({ tools, omitted: 2 }) });
  await expect(bulkheadTools({ client: cut.client, view: "all" })).rejects.toThrow("2 tools don't fit");
});

test("in the view search a model finds tools and calls them, and says nothing about who it is", async () => {
  const { client, asked } = fakeApi({
    "GET /meta-tools/definitions": metaTools,
    "GET /me": data({ key: { role: "developer" } }),
    "POST /meta-tools/search_tools": data({ tools: [{ name: "adder" }] }),
    "POST /meta-tools/describe_tools": data({ tools: [{ name: "adder", requiresConfirmation: true }] }),
    [EXECUTE]: accepted,
    [EVENTS]: succeeded(3),
  });
  const tools = await bulkheadTools({ client, agentId: "writer", view: "search" });
  const input = { query: "add", limit: null, context: { agentId: "boss" } };
  const found = await tools["search_tools"]?.execute?.(input as never, inLoop("call_1") as never);
  expect(found).toEqual({ tools: [{ name: "adder" }] });
  expect(asked.at(-1)?.body).toEqual({ query: "add", context: { agentId: "writer" } });
  const call = { name: "adder", arguments: { a: 1 } };
  const needs = tools["call_tool"]?.needsApproval as (input: unknown) => Promise<boolean>;
  expect([await needs(call), await needs({ name: 3 })]).toEqual([true, false]);
  expect((await outputsOf(tools, "call_tool", call)).at(-1)).toBe(3);
  expect(await told(tools, "call_tool", { arguments: {} })).toMatchObject({
    type: "error-text",
    value: expect.stringContaining("name must be the name of a tool"),
  });
});
