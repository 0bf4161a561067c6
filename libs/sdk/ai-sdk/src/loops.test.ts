import * as v7 from "ai";
import * as v7test from "ai/test";
import * as v6 from "ai6";
import * as v6test from "ai6/test";
import { expect, test } from "vitest";
import { bulkheadTools } from "./bulkhead-tools.ts";
import { accepted, data, events, fakeApi, problem, succeeded, tool } from "./fixtures/fake-api.ts";
import { answerOf, type Says } from "./fixtures/scripted-model.ts";
import { toModelOutput } from "./model-output.ts";
import { toolApprovalOf } from "./tool-approval.ts";

// What version 7 makes is what version 6 takes: its types only don't know that.
const LOOPS = [
  { version: 7, generateText: v7.generateText, MockModel: v7test.MockLanguageModelV3 },
  {
    version: 6,
    generateText: v6.generateText as never as typeof v7.generateText,
    MockModel: v6test.MockLanguageModelV3,
  },
];

const remover = {
  "GET /custom-tools/active/definitions": data({ tools: [tool("remover", true)] }),
  "GET /me": data({ key: { role: "owner" } }),
  "POST /custom-tools/remover/execute": accepted,
  "GET /executions/exe_1/events": succeeded("removed"),
};
const CALL: Says = { call: "remover", input: { a: 1 } };

test.each(LOOPS)(
  "version $version stops for an approval, and goes on once with it",
  async ({ generateText, MockModel }) => {
    const { client, asked } = fakeApi(remover);
    const tools = await bulkheadTools({ client });
    const loop = (messages: v7.ModelMessage[], ...says: Says[]) => {
      const model = new MockModel({ doGenerate: says.map(answerOf) });
      return generateText({
        model: model as v7test.MockLanguageModelV3,
        tools,
        messages,
        stopWhen: v7.isStepCount(5),
      });
    };
    const question: v7.ModelMessage = { role: "user", content: "Remove 1." };
    const stopped = await loop([question], CALL);
    const request = stopped.content.find((part) => part.type === "tool-approval-request");
    expect(request?.toolCall).toMatchObject({ toolName: "remover", input: { a: 1 } });
    const executions = () => asked.filter(({ what }) => what.startsWith("POST /custom-tools"));
    expect(executions()).toEqual([]);

    const response = {
      type: "tool-approval-response" as const,
      approvalId: request?.approvalId ?? "",
      approved: true,
    };
    const answered: v7.ModelMessage[] = [
      question,
      ...stopped.response.messages,
      { role: "tool", content: [response] },
    ];
    const ends = await Promise.all([loop(answered, "Done."), loop(answered, "Done.")]);
    expect(ends.map(({ text }) => text)).toEqual(["Done.", "Done."]);
    const [first, second] = executions().map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  },
);

test.each(LOOPS)(
  "version $version shows a model failures as errors, and images as files",
  async ({ version, generateText, MockModel }) => {
    const image = { $bulkhead: "content", content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
    const seen = async (execute: typeof accepted) => {
      const { client } = fakeApi({
        ...remover,
        "GET /me": data({ key: { role: "agent" } }),
        "POST /custom-tools/remover/execute": execute,
        "GET /executions/exe_1/events": succeeded(image),
      });
      const model = new MockModel({ doGenerate: [CALL, "Done."].map(answerOf) });
      const { remover: made } = await bulkheadTools({ client });
      const ofVersion = {
        ...made,
        // Here the tools see version 7 alone.
        toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output, version === 7),
      } as v7.ToolSet[string];
      const stopWhen = v7.isStepCount(5);
      const scripted = model as v7test.MockLanguageModelV3;
      await generateText({ model: scripted, tools: { remover: ofVersion }, prompt: "Go.", stopWhen });
      return model.doGenerateCalls[1]?.prompt.at(-1)?.content;
    };
    const [result] = (await seen(accepted)) as { output: { value: object[] } }[];
    expect(result?.output.value).toEqual([expect.objectContaining({ data: "aGk=", mediaType: "image/png" })]);
    expect(await seen(problem(403, "tool.blocked"))).toMatchObject([
      { output: { type: "error-text", value: "tool.blocked: Not so." } },
    ]);
  },
);

test("version 7's own option asks as the tools do, with a reason", async () => {
  const { client } = fakeApi(remover);
  const tools = await bulkheadTools({ client });
  const toolApproval = toolApprovalOf({
    ...tools,
    plain: v7.dynamicTool({ inputSchema: v7.jsonSchema({}), execute: () => 1 }),
  });
  expect(Object.keys(toolApproval)).toEqual(["remover"]);
  const model = new v7test.MockLanguageModelV3({ doGenerate: [CALL].map(answerOf) });
  const { content } = await v7.generateText({ model, tools, toolApproval, prompt: "Remove 1." });
  expect(content.find((part) => part.type === "tool-approval-request")).toMatchObject({
    reason: "Calls of remover have to be allowed.",
  });
});

test("whoever watches a stream sees how a call goes on before its result", async () => {
  const { client } = fakeApi({
    ...remover,
    "GET /me": data({ key: { role: "agent" } }),
    "GET /executions/exe_1/events": events(
      ["awaiting_approval", { approvalId: "apr_1", expiresAt: "2026-01-02" }],
      ["succeeded", { execution: { id: "exe_1", status: "succeeded", isError: false, result: "removed" } }],
    ),
  });
  const { content, finishReason, usage } = answerOf(CALL);
  const stream = v7.simulateReadableStream({
    chunks: [...content, { type: "finish" as const, finishReason, usage }] as never[],
  });
  const model = new v7test.MockLanguageModelV3({ doStream: { stream } });
  const result = v7.streamText({ model, tools: await bulkheadTools({ client }), prompt: "Remove 1." });
  const seen: unknown[] = [];
  for await (const part of result.fullStream)
    if (part.type === "tool-result") seen.push([part.preliminary ?? false, part.output]);
  expect(seen).toMatchObject([
    [true, { status: "awaiting_approval", approvalId: "apr_1" }],
    [true, "removed"],
    [false, "removed"],
  ]);
});
