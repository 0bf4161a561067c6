import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Bulkhead, isEnd, ToolFailed, verifyWebhook, type ToolResult } from "@bulkhead/client";
import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, newTenant } from "../support/client.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";

interface Tools {
  adder: { arguments: { a: number; b?: number }; result: number };
  refuser: { arguments: { city: string }; result: never };
}

const product = await sharedProduct();
let receiver: Receiver;
let tenantId: string;
let key: string;
let client: Bulkhead<Tools>;

const NUMBERS = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a"],
};

beforeAll(async () => {
  receiver = await openReceiver(() => 204);
  const tenant = await newTenant(product);
  tenantId = tenant.id;
  key = tenant.owner.key ?? "";
  client = new Bulkhead<Tools>({ url: product.url, key });
  await client.tools.create({
    name: "adder",
    description: "Adds.",
    parameters: NUMBERS,
    code: "console.log('adding'); emit(args.a); return args.a + (args.b ?? 0);",
  });
  await client.tools.create({
    name: "refuser",
    description: "Throws.",
    parameters: { type: "object", properties: { city: { type: "string" } } },
    code: "throw new Error('No such city: ' + args.city);",
  });
});

afterAll(() => receiver?.close());

test("a tool is run, and its failure says what it said", async () => {
  expect(await client.tools.run("adder", { a: 1, b: 2 })).toBe(3);
  const failed: unknown = await client.tools
    .run("refuser", { city: "Rome" })
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ToolFailed);
  expect(failed).toMatchObject({ code: "tool.threw", tool: "refuser", executionStatus: "failed" });
  expect((failed as ToolFailed).message).toContain("No such city: Rome");
  const refused = client.tools.run("adder", { a: "1" } as never);
  await expect(refused).rejects.toMatchObject({
    code: "tool.arguments_invalid",
    errors: [{ path: expect.any(String) }],
  });
});

test("a run whose answer is lost on the way is waited for again, and ran once", async () => {
  let losses = 1;
  const losing: typeof fetch = async (...asked) => {
    const response = await fetch(...asked);
    if (losses-- > 0) throw new TypeError("the connection broke", { cause: await response.text() });
    return response;
  };
  const unlucky = new Bulkhead<Tools>({ url: product.url, key, fetch: losing });
  const conversationId = "answered twice";
  expect(await unlucky.tools.run("adder", { a: 5 }, { context: { conversationId } })).toBe(5);
  const { executions } = await client.executions.list({ conversationId });
  expect(executions.map(({ status }) => status)).toEqual(["succeeded"]);
});

test("a run is streamed to its end over a broken connection, each event once", async () => {
  let connections = 0;
  const cutting: typeof fetch = async (...asked) => {
    const response = await fetch(...asked);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream") || connections++ > 0)
      return response;
    return new Response(response.body?.pipeThrough(firstBytes(400)), response);
  };
  const unlucky = new Bulkhead<Tools>({ url: product.url, key, fetch: cutting });
  const told = await Array.fromAsync(unlucky.tools.stream("adder", { a: 7 }));
  expect(told.map(({ event }) => event)).toEqual([
    "execution.queued",
    "execution.started",
    "execution.log",
    "execution.progress",
    "execution.succeeded",
  ]);
  expect(told.find((event) => isEnd(event))?.data.execution?.result).toBe(7);
  expect(connections).toBe(2);
});

/** Lets so many bytes through, and ends there. */
const firstBytes = (count: number): TransformStream<Uint8Array, Uint8Array> => {
  let left = count;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
};

test("a batch is handed in, waited for, and found again page by page", async () => {
  const calls = Array.from({ length: 25 }, (_, a) => ({
    tool: a === 3 ? "nobody" : "adder",
    arguments: { a },
    context: { conversationId: "batch" },
  }));
  const answers = await client.tools.batch(calls);
  const ids = answers.flatMap((answer) => ("error" in answer ? [] : [answer.executionId]));
  expect(answers[3]).toMatchObject({ error: { code: "tool.not_found" } });
  expect(ids).toHaveLength(24);
  const ends = await Promise.all(ids.map((id) => client.executions.wait(id)));
  expect(ends.map(({ result }) => result)).toEqual(calls.map((_, a) => a).filter((a) => a !== 3));
  const list = client.executions.list({ conversationId: "batch", limit: 10 });
  expect((await list).executions).toHaveLength(10);
  const found = await Array.fromAsync(list, ({ id }) => id);
  expect(found.sort()).toEqual(ids.sort());
});

test("a webhook is known to be Bulkhead's", async () => {
  const callback = { url: `${receiver.url}/told` };
  expect(await client.tools.run("adder", { a: 9 }, { callback })).toBe(9);
  const [webhook] = await until(() => (receiver.at("/told").length > 0 ? receiver.at("/told") : null), {
    timeoutMs: 30_000,
    what: "the webhook",
  });
  const { secret } = await client.webhookSecret.get();
  const request = { headers: webhook?.headers ?? {}, body: webhook?.text ?? "" };
  expect(await verifyWebhook(request, secret)).toMatchObject({
    type: "execution.succeeded",
    data: { result: 9 },
  });
  const { secret: another } = await client.webhookSecret.rotate();
  await expect(verifyWebhook(request, another)).rejects.toMatchObject({ code: "webhook.unsigned" });
});

test("a token runs and follows what it names, and nothing else", async () => {
  const { token } = await client.accessToken({ tools: ["adder"], expiresInSeconds: 60 });
  const browser = new Bulkhead<Tools>({ url: product.url, key: () => token });
  expect(await browser.tools.run("adder", { a: 2 })).toBe(2);
  await expect(browser.tools.run("refuser", { city: "Rome" })).rejects.toMatchObject({
    code: "tool.not_found",
  });
  await expect(browser.tools.list()).rejects.toMatchObject({
    code: "access_token.out_of_scope",
    status: 403,
  });
});

test("what an agent runs is waited for while a person decides", async () => {
  const { key: agentKey } = await newClient(product, tenantId, "agent");
  const agent = new Bulkhead<Tools>({ url: product.url, key: agentKey ?? "" });
  const answer = async (conversationId: string, decision: "allowOnce" | "deny") => {
    const running = agent.tools.run("adder", { a: 4 }, { context: { conversationId } });
    const approval = await until(
      async () =>
        (await Array.fromAsync(client.approvals.list())).find(
          ({ context }) => context["conversationId"] === conversationId,
        ),
      { what: "the call to wait" },
    );
    // The run may hear of the decision before whoever made it.
    const [result] = await Promise.all([running, client.approvals.decide(approval.id, decision)]);
    return result;
  };
  expect(await answer("allowed", "allowOnce")).toBe(4);
  await expect(answer("denied", "deny")).rejects.toMatchObject({
    name: "ToolFailed",
    code: "approval.denied",
  });
});

test("answers that are no JSON come as what they are: text, bytes, a stream", async () => {
  expect(await client.tools.types("adder")).toContain("interface BulkheadTools");
  const zip = await client.tools.export({ format: "zip" });
  const again = await client.tools.import(new Uint8Array(zip), { existing: "update" });
  expect(again).toMatchObject({ unchanged: 2, created: 0 });
  const folders = await Array.fromAsync(client.tools.export(), ([name]) => name);
  expect(folders.sort()).toEqual(["adder", "refuser"]);
  const { executionId } = (await client.tools.execute("adder", { arguments: { a: 12 } })) as ToolResult;
  expect(await client.executions.resultBytes(executionId)).toEqual(new Uint8Array([49, 50]));
  const stream = await client.tenants.export(tenantId);
  const reader = stream.getReader();
  expect((await reader.read()).value?.subarray(0, 2)).toEqual(new Uint8Array([80, 75]));
  await reader.cancel();
});

test.runIf(isNightly)("the README's lines for a backend do what they say", async () => {
  const root = join(import.meta.dirname, "..", "..");
  const readme = await readFile(join(root, "README.md"), "utf8");
  const section = (title: string): string => readme.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  await client.tools.create(JSON.parse(/<<'JSON'\n(.*)\nJSON/s.exec(section("Write a tool"))?.[1] ?? ""));
  const program = /```ts\n(.*?)```/s.exec(section("From your backend"))?.[1] ?? "";
  const agent = await newClient(product, tenantId, "agent");
  await agent.post("/api/v1/custom-tools/word_frequency/execute", {
    arguments: { text: "let me" },
    mode: "async",
  });
  const project = await mkdtemp(join(tmpdir(), "bulkhead-backend-"));
  try {
    await mkdir(join(project, "node_modules", "@bulkhead"), { recursive: true });
    await symlink(join(root, "libs", "sdk", "client"), join(project, "node_modules", "@bulkhead", "client"));
    await writeFile(join(project, "backend.mjs"), program.replace("http://127.0.0.1:3000", product.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["backend.mjs"], {
      cwd: project,
      env: { KEY: key },
    });
    expect(stdout.split("\n")).toEqual([
      "{ to: 2, be: 2, or: 1, not: 1 }",
      "{ word: 'to', count: 1 }",
      "{ word: 'be', count: 1 }",
      "word_frequency { text: 'let me' }",
      "false tool.arguments_invalid",
      "",
    ]);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
