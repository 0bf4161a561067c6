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
const load = async () => ({ ...(await import("./files.ts")), ...(await import("../effects.ts")) });

/** What was sent last: the way, the operation with its arguments, and the content. */
function sent(): [way: string, operation: string, args: unknown, content: string] {
  const [way, , head, content] = bridge.post.mock.lastCall ?? ["", 0, "{}", ""];
  const { kind, family, operation, argumentsJson } = JSON.parse(head);
  expect([kind, family]).toEqual(["capability", "files"]);
  return [way, operation, JSON.parse(argumentsJson), content];
}

type Fs = Awaited<ReturnType<typeof load>>["fs"];

it.each([
  ["read", (fs: Fs) => fs.read("a.md", { startLine: 2 }), { startLine: 2, path: "a.md", encoding: "utf8" }],
  ["write", (fs: Fs) => fs.write("a.md", "x", { ifMatch: "e" }), { ifMatch: "e", path: "a.md" }, "x"],
  ["append", (fs: Fs) => fs.append("a.md", "x"), { path: "a.md" }, "x"],
  [
    "edit",
    (fs: Fs) => fs.edit("a.md", [{ oldText: "a", newText: "b" }]),
    { path: "a.md", edits: [{ oldText: "a", newText: "b" }] },
  ],
  ["list", (fs: Fs) => fs.list(), { path: "" }],
  ["glob", (fs: Fs) => fs.glob("**/*.md", { limit: 3 }), { limit: 3, pattern: "**/*.md" }],
  ["search", (fs: Fs) => fs.search("a+", { path: "notes" }), { path: "notes", pattern: "a+" }],
  ["stat", (fs: Fs) => fs.stat("a.md"), { path: "a.md" }],
  ["exists", (fs: Fs) => fs.exists("a.md"), { path: "a.md" }],
  ["move", (fs: Fs) => fs.move("a.md", "b.md"), { from: "a.md", to: "b.md" }],
  ["remove", (fs: Fs) => fs.remove("a", { recursive: true }), { recursive: true, path: "a" }],
] as [string, (fs: Fs) => Promise<unknown>, object, string?][])(
  "%s asks the worker for it",
  async (operation, call, args, content = "") => {
    const { fs } = await load();
    void call(fs);
    expect(sent()).toEqual(["capability", operation, args, content]);
  },
);

it("sends bytes as they were when it was called", async () => {
  const { fs } = await load();
  const bytes = new Uint8Array([0, 255]);
  void fs.write("a.bin", bytes);
  bytes[0] = 1;
  expect(sent()).toEqual(["capability64", "write", { path: "a.bin" }, "AP8="]);
});

it("reads a text as a text, and bytes as bytes however they come", async () => {
  const { fs, onAnswered, onAnswered64 } = await load();
  const text = fs.read("a.md");
  onAnswered(1, '{"size":2}', "hi");
  expect(await text).toBe("hi");
  const bytes = fs.read("a.bin", { encoding: "bytes" });
  onAnswered64(2, "{}", "AP8=");
  expect(await bytes).toEqual(new Uint8Array([0, 255]));
  const short = fs.read("a.txt", { encoding: "bytes" });
  onAnswered(3, "{}", "");
  expect(await short).toEqual(new Uint8Array());
});

it("rejects with an Error that has the refusal's code and words", async () => {
  const { fs, onRefused } = await load();
  const reading = fs.read("a.md");
  onRefused(1, "not_found", "There is no file a.md.");
  await expect(reading).rejects.toMatchObject({
    name: "Error",
    code: "not_found",
    message: "There is no file a.md.",
  });
});

it.each([
  ["a path that is none", (fs: Fs) => fs.read({}), "utils.fs.read: path must be a string"],
  ["content that is neither", (fs: Fs) => fs.write("a", {}), "utils.fs.write: content must be a string"],
  ["options that are none", (fs: Fs) => fs.list("", 1), "utils.fs.list: options must be an object"],
] as [string, (fs: Fs) => Promise<unknown>, string][])(
  "rejects %s, and asks nobody",
  async (_, call, message) => {
    const { fs } = await load();
    await expect(call(fs)).rejects.toThrow(new TypeError(message));
    expect(bridge.post).not.toHaveBeenCalled();
  },
);
