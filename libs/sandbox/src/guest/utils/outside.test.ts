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
const load = async () => ({ ...(await import("./outside.ts")), ...(await import("../effects.ts")) });

/** What was sent last. */
function sent(): [family: string, operation: string, args: unknown] {
  const { family, operation, argumentsJson } = JSON.parse(bridge.post.mock.lastCall?.[2] ?? "{}");
  return [family, operation, JSON.parse(argumentsJson)];
}

type Outside = Awaited<ReturnType<typeof load>>;

it.each([
  [
    "a query with its values apart",
    ({ db }: Outside) => db("shop").query("SELECT $1", ["a'; DROP", 1, null]),
    ["db", "query", { database: "shop", sql: "SELECT $1", params: ["a'; DROP", 1, null] }],
  ],
  [
    "a query without values",
    ({ db }: Outside) => db("shop").query("SELECT 1"),
    ["db", "query", { database: "shop", sql: "SELECT 1", params: [] }],
  ],
  [
    "a mail as it is",
    ({ email }: Outside) => email.send({ to: "ann@example.com", text: "x" }),
    ["email", "send", { to: "ann@example.com", text: "x" }],
  ],
] as [string, (outside: Outside) => Promise<unknown>, unknown[]][])(
  "sends the worker %s",
  async (_, call, asked) => {
    const outside = await load();
    void call(outside);
    expect(sent()).toEqual(asked);
  },
);

it.each([
  [
    "a statement that is none",
    ({ db }: Outside) => db("a").query({}),
    "utils.db.query: sql must be a string",
  ],
  [
    "values that are no list",
    ({ db }: Outside) => db("a").query("a", "b"),
    "utils.db.query: params must be an array",
  ],
  [
    "a mail that is none",
    ({ email }: Outside) => email.send(null),
    "utils.email.send: the mail must be an object",
  ],
  ["a list of mails", ({ email }: Outside) => email.send([]), "utils.email.send: the mail must be an object"],
] as [string, (outside: Outside) => Promise<unknown>, string][])(
  "rejects %s, and asks nobody",
  async (_, call, message) => {
    const outside = await load();
    await expect(call(outside)).rejects.toThrow(new TypeError(message));
    expect(bridge.post).not.toHaveBeenCalled();
  },
);

it("throws at once for a name that is none", async () => {
  const { db } = await load();
  expect(() => db({})).toThrow(new TypeError("utils.db: name must be a string"));
});
