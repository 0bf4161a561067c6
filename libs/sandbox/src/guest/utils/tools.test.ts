import { beforeEach, expect, it, vi } from "vitest";

const bridge = vi.hoisted(() => ({
  post: vi.fn<(operation: string, id: number, text: string, more: string) => void>(),
  ask: () => "null",
  askWorker: vi.fn<(id: number, head: string) => string>(),
}));
vi.mock("../bridge.ts", () => bridge);

beforeEach(() => {
  vi.resetModules();
  bridge.post.mockReset();
  bridge.askWorker.mockReset();
});
const load = async () => ({ ...(await import("./tools.ts")), ...(await import("../effects.ts")) });

it.each([
  ["nothing", undefined, "{}"],
  ["an object", { a: [1] }, '{"a":[1]}'],
  ["what is no JSON", () => 1, "null"],
])("callTool sends %s as its arguments, and resolves with the parsed answer", async (_, args, json) => {
  const { callTool, onAnswered } = await load();
  const called = args === undefined ? callTool("other") : callTool("other", args);
  expect(bridge.post).toHaveBeenCalledExactlyOnceWith("call", 1, '{"kind":"call_tool","name":"other"}', json);
  onAnswered(1, "{}", '{"ok":true}');
  expect(await called).toEqual({ ok: true });
});

it("callTool rejects with the refusal's code, and with what keeps the arguments from being JSON", async () => {
  const { callTool, onRefused } = await load();
  const called = callTool("other");
  onRefused(1, "tool_failed", "it failed");
  await expect(called).rejects.toMatchObject({ name: "Error", code: "tool_failed", message: "it failed" });
  await expect(callTool("other", { n: 1n })).rejects.toThrow(TypeError);
});

it.each([
  ["left out", [], "name must be a string"],
  ["null", [null], "name must be a string"],
  ["an object", [{ name: "other" }], "name must be a string"],
  ["empty", [""], "name must not be empty"],
])("callTool rejects, and asks nobody, where the name is %s", async (_, given, message) => {
  const { callTool } = await load();
  const called = callTool(...(given as [unknown]));
  await expect(called).rejects.toThrow(new TypeError(`utils.callTool: ${message}`));
  expect(bridge.post).not.toHaveBeenCalled();
});

it("listTools asks once and answers a copy each time", async () => {
  const { listTools } = await load();
  bridge.askWorker.mockReturnValue('{"ok":true,"body":"[{\\"name\\":\\"a\\"}]"}');
  expect(listTools()).toEqual([{ name: "a" }]);
  expect(listTools()).not.toBe(listTools());
  expect(bridge.askWorker).toHaveBeenCalledExactlyOnceWith(1, '{"kind":"list_tools"}');
});

it.each([
  ["what it was refused with", '{"ok":false,"code":"failed","message":"not now"}', "failed"],
  ["that the run has ended", "null", "aborted"],
])("listTools throws %s", async (_, answer, code) => {
  const { listTools } = await load();
  bridge.askWorker.mockReturnValue(answer);
  expect(() => listTools()).toThrow(expect.objectContaining({ code }));
});
