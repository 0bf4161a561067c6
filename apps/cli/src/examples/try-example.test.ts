import { BulkheadError } from "@bulkhead/client";
import { expect, test } from "vitest";
import { exampleOf, fakeService, fakeTool, type FakeService } from "./fixtures/service.ts";
import { failureLines } from "./shown-example.ts";
import { tryExample } from "./try-example.ts";

const { signal } = new AbortController();
const deps = ({ client }: FakeService, isLive = false) => ({
  client,
  checkSchema: async () => [],
  root: "/nowhere",
  loaded: { files: [] },
  isLive,
});

test("a try gets the tool's own fields and the example's answers, and nothing of it goes outside", async () => {
  const service = fakeService(() => ({ status: "succeeded", result: { n: 1 } }));
  const tool = fakeTool("adder", {
    alias: "add-er",
    approval: "ask",
    metadata: { a: 1 },
    limits: { cpuMs: 5 },
  });
  const answers = [{ method: "GET", url: "https://a.example/", status: 200 }];
  const passed = await tryExample(deps(service), tool, exampleOf("a", { fetch: answers, result: { n: 1 } }), {
    signal,
  });
  expect(passed).toMatchObject({ outcome: "passed", result: { n: 1 }, differences: [], error: null });
  await tryExample(deps(service), tool, exampleOf("b", { arguments: { n: 1 } }), { signal });
  await tryExample(deps(service, true), tool, exampleOf("c", { fetch: answers }), { signal });
  const body = { name: "adder", code: "return 1;", limits: { cpuMs: 5 }, mode: "async" };
  expect(service.tried).toEqual([
    { ...body, testArguments: {}, recorded: { fetch: answers, calls: [], commands: [] } },
    { ...body, testArguments: { n: 1 }, recorded: { fetch: [], calls: [], commands: [] } },
    { ...body, testArguments: {} },
  ]);
});

test("what differs is told by path, and an error with the developer's place and what was said", async () => {
  const differs = fakeService(() => ({ status: "succeeded", result: { n: 2, more: 1 } }));
  const failed = await tryExample(deps(differs), fakeTool("adder"), exampleOf("a", { result: { n: 1 } }), {
    signal,
  });
  expect(failureLines(failed)).toEqual([
    "result.n",
    "  expected 1",
    "  got      2",
    "result.more",
    "  expected nothing",
    "  got      1",
    "log:",
    "  log of exe_0",
  ]);
  const error = { code: "tool.threw", message: "Error: no (tool.js:3:7)" };
  const throws = fakeService(() => ({ status: "failed", error }));
  const threw = await tryExample(deps(throws), fakeTool("adder"), exampleOf("a", {}), { signal });
  expect(threw).toMatchObject({
    outcome: "failed",
    error: { code: "tool.threw", message: "Error: no (adder/tool.js:3:7)" },
    place: { file: "adder/tool.js", line: 3, column: 7 },
  });
  const expected = exampleOf("a", { result: { $error: "tool.threw" } });
  expect((await tryExample(deps(throws), fakeTool("adder"), expected, { signal })).outcome).toBe("passed");
});

test("a refusal is the example's failure, or what it expects; what is no matter of the tool is thrown", async () => {
  const refusal = (status: number, code: string) =>
    fakeService(() => new BulkheadError({ code, status, message: "no", problem: { title: "No." } as never }));
  const wrong = refusal(400, "tool.arguments_invalid");
  const failed = await tryExample(deps(wrong), fakeTool("adder"), exampleOf("a", {}), { signal });
  expect(failed).toMatchObject({
    outcome: "failed",
    error: { code: "tool.arguments_invalid", message: "No." },
  });
  const expected = exampleOf("a", { result: { $error: "tool.arguments_invalid" } });
  expect((await tryExample(deps(wrong), fakeTool("adder"), expected, { signal })).outcome).toBe("passed");
  await expect(
    tryExample(deps(refusal(403, "auth.forbidden")), fakeTool("adder"), exampleOf("a", {}), { signal }),
  ).rejects.toMatchObject({ code: "auth.forbidden" });
});

test("a run that is left is cancelled, and an example that can't be read is never tried", async () => {
  const service = fakeService(() => "hang");
  const leaving = new AbortController();
  const tell = () => leaving.abort("left");
  const options = { signal: leaving.signal, tell };
  await expect(tryExample(deps(service), fakeTool("adder"), exampleOf("a", {}), options)).rejects.toBe(
    "left",
  );
  expect(service.cancelled).toEqual(["exe_0"]);
  const unread = await tryExample(deps(service), fakeTool("adder"), exampleOf("b", null), { signal });
  expect([unread.outcome, failureLines(unread)]).toEqual([
    "failed",
    ["the example can't be read: is no JSON"],
  ]);
  expect(service.tried).toHaveLength(1);
});
