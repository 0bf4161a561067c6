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
const load = async () => ({ ...(await import("./data.ts")), ...(await import("../effects.ts")) });
type Data = ReturnType<Awaited<ReturnType<typeof load>>["data"]>;

it.each([
  ["get", (data: Data) => data.get("a"), { id: "a" }],
  [
    "put",
    (data: Data) => data.put("a", { n: null }, { ifVersion: 2 }),
    { id: "a", value: { n: null }, ifVersion: 2 },
  ],
  ["put", (data: Data) => data.put(1, null), { id: "1", value: null }],
  ["increment", (data: Data) => data.increment("a"), { id: "a", by: 1 }],
  ["increment", (data: Data) => data.increment("a", -2, { path: "n" }), { id: "a", by: -2, path: "n" }],
  ["query", (data: Data) => data.query(), {}],
  ["query", (data: Data) => data.query({ where: { n: 1 }, limit: 2 }), { where: { n: 1 }, limit: 2 }],
  ["count", (data: Data) => data.count({ where: { n: 1 } }), { where: { n: 1 } }],
  ["remove", (data: Data) => data.remove("a", { ifVersion: 1 }), { id: "a", ifVersion: 1 }],
  // What says it is of another collection is not heard.
  ["get", (data: Data) => data.query({ collection: "theirs" }), {}],
] as [string, (data: Data) => Promise<unknown>, object][])(
  "%s asks the worker for it: %#",
  async (_, call, args) => {
    const { data } = await load();
    void call(data("mine"));
    const [way, , head] = bridge.post.mock.lastCall ?? ["", 0, "{}"];
    const { kind, family, operation, argumentsJson } = JSON.parse(head);
    expect([way, kind, family, typeof operation]).toEqual(["capability", "capability", "data", "string"]);
    expect(JSON.parse(argumentsJson)).toEqual({ collection: "mine", ...args });
  },
);

it("answers what a caller asked for, and rejects with the refusal's code and words", async () => {
  const { data, onAnswered, onRefused } = await load();
  const mine = data("mine");
  const got = mine.get("a");
  onAnswered(1, "{}", '{"document":{"id":"a","value":[1]}}');
  expect(await got).toEqual({ id: "a", value: [1] });
  const none = mine.get("b");
  onAnswered(2, "{}", '{"document":null}');
  expect(await none).toBeNull();
  const count = mine.count();
  onAnswered(3, "{}", '{"count":3}');
  expect(await count).toBe(3);
  const refused = mine.put("a", 1);
  onRefused(4, "conflict", "It has another version.");
  await expect(refused).rejects.toMatchObject({ name: "Error", code: "conflict" });
});

it.each([
  ["an id that is none", (data: Data) => data.get({}), "utils.data.get: id must be a string"],
  ["no value", (data: Data) => data.put("a", undefined), "utils.data.put: value must be a JSON value"],
  ["a function", (data: Data) => data.put("a", () => 1), "utils.data.put: value must be a JSON value"],
  [
    "what is no number",
    (data: Data) => data.increment("a", "1"),
    "utils.data.increment: by must be a number",
  ],
  ["options that are none", (data: Data) => data.query(1), "utils.data.query: options must be an object"],
] as [string, (data: Data) => Promise<unknown>, string][])(
  "rejects %s, and asks nobody",
  async (_, call, message) => {
    const { data } = await load();
    await expect(call(data("mine"))).rejects.toThrow(new TypeError(message));
    expect(bridge.post).not.toHaveBeenCalled();
  },
);

it("refuses a collection that is no text at once", async () => {
  const { data } = await load();
  expect(() => data({})).toThrow(new TypeError("utils.data: collection must be a string"));
});
