import { beforeEach, expect, it, vi } from "vitest";

const bridge = vi.hoisted(() => ({
  post: vi.fn<(operation: string, id: number, text: string, more: string) => void>(),
  ask: () => "null",
  askWorker: () => "null",
}));
vi.mock("../bridge.ts", () => bridge);

beforeEach(() => {
  vi.resetModules();
  bridge.post.mockReset();
});
const load = async () => ({ ...(await import("./commands.ts")), ...(await import("../effects.ts")) });

it("sends the worker a command with its options, and apart from them what it reads", async () => {
  const { exec } = await load();
  void exec("wc -l", { cwd: "src", env: { A: "'1" }, stdin: "a\nb" });
  const [operation, , text = "", stdin] = bridge.post.mock.lastCall ?? [];
  const { family, operation: asked, argumentsJson } = JSON.parse(text);
  expect([operation, family, asked, stdin]).toEqual(["capability", "shell", "exec", "a\nb"]);
  expect(JSON.parse(argumentsJson)).toEqual({ command: "wc -l", cwd: "src", env: { A: "'1" } });
});

it("gives what the worker answers, with no option said", async () => {
  const { exec, onAnswered } = await load();
  const ran = exec("ls");
  const [, id = 0, text = ""] = bridge.post.mock.lastCall ?? [];
  expect(JSON.parse(JSON.parse(text).argumentsJson)).toEqual({ command: "ls" });
  onAnswered(id, "{}", JSON.stringify({ stdout: "a\n", exitCode: 0 }));
  expect(await ran).toEqual({ stdout: "a\n", exitCode: 0 });
});

it.each([
  [{}, undefined, "utils.exec: command must be a string"],
  ["ls", null, "utils.exec: options must be an object"],
  ["cat", { stdin: {} }, "utils.exec: stdin must be a string"],
])("rejects the command %j with %j, and asks nobody", async (command, options, message) => {
  const { exec } = await load();
  await expect(exec(command, options as {})).rejects.toThrow(new TypeError(message));
  expect(bridge.post).not.toHaveBeenCalled();
});
