import Anthropic from "@anthropic-ai/sdk";
import { bulkheadTools, isCallProgress } from "@bulkhead/ai-sdk";
import { Bulkhead } from "@bulkhead/client";
import { sharedProduct, until } from "@bulkhead/testing";
import { generateText, isStepCount, type ModelMessage } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../examples/ai-sdk.ts";
import { askAnthropic } from "../examples/anthropic.ts";
import { askOpenAi } from "../examples/openai.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { openScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";

const product = await sharedProduct();
let agent: Bulkhead;
let owner: Bulkhead;
let model: ScriptedModel;

const clientOf = ({ url, key }: Client) => new Bulkhead({ url, key: key ?? "" });

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = clientOf(tenant.owner);
  agent = clientOf(await newClient(product, tenant.id, "agent"));
  model = await openScriptedModel();
  const parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  await createTool(tenant.owner, "double", "return args.a * 2;", { parameters, approval: "preApproved" });
  await createTool(tenant.owner, "remove_row", "return `row ${args.a} is gone`;", {
    parameters,
    approval: "ask",
  });
  const endless = "emit('begun'); await new Promise((resolve) => setTimeout(resolve, 25_000));";
  await createTool(tenant.owner, "endless", endless, { approval: "preApproved" });
});

afterAll(() => model.close());

type Says = string | { call: string; input: object };

let calls = 0;

/** A model that says these in turn. Its calls have ids of their own. */
const scripted = (...says: Says[]) =>
  new MockLanguageModelV3({
    doGenerate: says.map((one) => ({
      content: [
        typeof one === "string"
          ? { type: "text", text: one }
          : {
              type: "tool-call",
              toolCallId: `call_${(calls += 1)}`,
              toolName: one.call,
              input: JSON.stringify(one.input),
            },
      ],
      finishReason: { unified: typeof one === "string" ? "stop" : "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    })),
  });

const runsOf = async (tool: string) => (await owner.executions.list({ tool })).executions;

test("a loop finds a tool and calls it; a person allows the call in Bulkhead's inbox, and it finishes", async () => {
  product.showLogsIfTestFails();
  const tools = await bulkheadTools({ client: agent, view: "search" });
  const loop = generateText({
    model: scripted(
      { call: "search_tools", input: { query: "remove row" } },
      { call: "call_tool", input: { name: "remove_row", arguments: { a: "7" } } },
      { call: "call_tool", input: { name: "remove_row", arguments: { a: 7 } } },
      "Row 7 is gone.",
    ),
    tools,
    prompt: "Remove row 7.",
    stopWhen: isStepCount(5),
  });
  const waiting = await until(async () => (await owner.approvals.list()).approvals[0] ?? null, {
    what: "the call that waits",
  });
  expect(waiting).toMatchObject({ toolName: "remove_row", arguments: { a: 7 } });
  await owner.approvals.decide(waiting.id, "allowOnce");
  const { text, steps } = await loop;
  expect(text).toBe("Row 7 is gone.");
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(outputs).toEqual([
    {
      tools: expect.arrayContaining([
        expect.objectContaining({ name: "remove_row", requiresConfirmation: true }),
      ]),
    },
    expect.objectContaining({ code: "tool.arguments_invalid" }),
    "row 7 is gone",
  ]);
});

test("with a person's key the loop stops for whoever sits at it, and goes on once with the answer", async () => {
  const before = (await runsOf("remove_row")).length;
  const asked: unknown[] = [];
  const allow = async (...call: unknown[]): Promise<boolean> => asked.push(call) === 1;
  const messages: ModelMessage[] = [{ role: "user", content: "Remove rows 8 and 9." }];
  const remove = (a: number): Says => ({ call: "remove_row", input: { a } });
  const chat = scripted(remove(8), remove(9), "Row 8 is gone; row 9 may not be removed.");
  expect(await ask({ client: owner, model: chat, messages, allow })).toContain("may not be removed");
  expect(asked).toEqual([
    ["remove_row", { a: 8 }],
    ["remove_row", { a: 9 }],
  ]);
  expect(await runsOf("remove_row")).toHaveLength(before + 1);
  expect(JSON.stringify(messages)).toContain("row 8 is gone");
});

test("the same call is run once, and an abort cancels it", async () => {
  const { endless } = await bulkheadTools({ client: agent, names: ["endless"] });
  const controller = new AbortController();
  const call = async () => {
    const options = { toolCallId: "call_once", messages: [], context: {}, abortSignal: controller.signal };
    const outputs = endless?.execute?.({} as never, options as never) as AsyncIterable<unknown>;
    for await (const output of outputs)
      if (isCallProgress(output) && output.value === "begun") controller.abort(new Error("enough"));
  };
  const ends = await Promise.allSettled([call(), call()]);
  expect(ends).toMatchObject([{ reason: { message: "enough" } }, { reason: { message: "enough" } }]);
  const runs = await runsOf("endless");
  expect(runs).toHaveLength(1);
  expect(await owner.executions.wait(runs[0]?.id ?? "")).toMatchObject({
    status: "cancelled",
    context: { callId: "call_once" },
  });
});

test("the loop over OpenAI's API calls tools, and tells the model what was wrong", async () => {
  const call = (id: string, args: string) => ({
    tool_calls: [{ id, type: "function", function: { name: "double", arguments: args } }],
  });
  const says = [
    call("call_a", '{"a": "x"}'),
    call("call_b", '{"a": 21'),
    call("call_c", '{"a": 21}'),
    { content: "It is 42." },
  ];
  const answers = says.map((message) => ({
    choices: [{ message: { role: "assistant", content: null, ...message } }],
  }));
  model.does((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers.shift()));
  });
  const openai = new OpenAI({ baseURL: model.url, apiKey: "sk" });
  const answer = await askOpenAi({ client: agent, openai, model: "any", question: "Twice 21?" });
  expect(answer).toBe("It is 42.");
  const results = model.asked.at(-1)?.messages.filter(({ role }) => role === "tool");
  expect(results).toMatchObject([
    { tool_call_id: "call_a", content: expect.stringMatching(/^tool\.arguments_invalid: .*\ba\b/s) },
    { tool_call_id: "call_b", content: expect.stringContaining("no JSON") },
    { tool_call_id: "call_c", content: "42" },
  ]);
});

test("the loop over Anthropic's API calls tools, and tells the model what was wrong", async () => {
  const call = (id: string, a: unknown) => ({ type: "tool_use", id, name: "double", input: { a } });
  const answers = [[call("toolu_a", "x")], [call("toolu_b", 21)], [{ type: "text", text: "It is 42." }]];
  model.does((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ type: "message", role: "assistant", content: answers.shift() }));
  });
  const anthropic = new Anthropic({ baseURL: model.url.replace("/v1", ""), apiKey: "sk" });
  const answer = await askAnthropic({ client: agent, anthropic, model: "any", question: "Twice 21?" });
  expect(answer).toBe("It is 42.");
  const results = model.asked.at(-1)?.messages.flatMap(({ content }) => content);
  expect(results).toMatchObject([
    "Twice 21?",
    { type: "tool_use" },
    { type: "tool_result", tool_use_id: "toolu_a", is_error: true },
    { type: "tool_use" },
    { type: "tool_result", tool_use_id: "toolu_b", is_error: false, content: "42" },
  ]);
});
