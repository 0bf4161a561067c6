import { expect, onTestFinished, test } from "vitest";
import { Relay } from "./relay.ts";

type Message = { id?: string | number; method?: string; params?: { _meta?: Record<string, unknown> } };
interface Request {
  method: string;
  session: string | null;
  version: string | null;
  message: Message;
}
type Answer = (request: Request) => Response | Promise<Response>;

const json = (body: object, headers: Record<string, string> = {}, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const result = ({ message }: Request, value: object): Response =>
  json({ jsonrpc: "2.0", id: message.id, result: value });
const gone = (): Response =>
  json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message: "gone" } }, {}, 404);

const brokenOff = (): Response =>
  new Response(": alive\n\n", { headers: { "content-type": "text/event-stream" } });

/** A relay whose server is these answers to calls of tools, and whose client is a list of what it was told. */
function open(answer: Answer, brokenOpening?: number) {
  const seen: Request[] = [];
  const told: (Message & { result?: object; error?: { message: string } })[] = [];
  const warned: string[] = [];
  let sessions = 0;
  const serve = async (url: string | URL | globalThis.Request, init: RequestInit = {}): Promise<Response> => {
    const { headers } = new Request(url, init);
    const text = typeof init.body === "string" ? init.body : "{}";
    const request = {
      method: init.method ?? "GET",
      session: headers.get("mcp-session-id"),
      version: headers.get("mcp-protocol-version"),
      message: JSON.parse(text) as Message,
    };
    seen.push(request);
    expect(headers.get("authorization")).toBe("Bearer bh_key");
    if (request.method !== "POST") return new Response(null, { status: 405 });
    if (request.message.method === "initialize") {
      sessions += 1;
      if (sessions === brokenOpening) return brokenOff();
      const answered = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "s", version: "1" },
      };
      return json(
        { jsonrpc: "2.0", id: request.message.id, result: answered },
        { "mcp-session-id": `s${sessions}` },
      );
    }
    if (request.message.id === undefined) return new Response(null, { status: 202 });
    return answer(request);
  };
  const relay = new Relay({
    url: new URL("http://127.0.0.1/mcp"),
    headers: { authorization: "Bearer bh_key" },
    write: (message) => told.push(message),
    login: "npx bulkhead login",
    warn: (sentence) => warned.push(sentence),
    fetch: serve,
    pause: async () => {},
  });
  onTestFinished(() => relay.close());
  const say = (message: object): Promise<void> => relay.take(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const begin = async (): Promise<void> => {
    await relay.start();
    await say(INITIALIZE);
    await say({ method: "notifications/initialized" });
    told.length = 0;
  };
  const call = (id: number): Promise<void> => say({ id, method: "tools/call", params: { name: "adder" } });
  return { relay, seen, told, warned, say, begin, call };
}

const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};

const keyOf = ({ message }: Request): unknown => message.params?._meta?.["bulkhead/idempotencyKey"];

test("a call carries the session, its revision and a key under which it runs once", async () => {
  const { seen, told, begin, call } = open((request) => result(request, { content: [] }));
  await begin();
  await call(1);
  expect(told).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [] } }]);
  const sent = seen.at(-1);
  expect([sent?.session, sent?.version]).toEqual(["s1", "2025-11-25"]);
  expect(keyOf(sent as Request)).toMatch(/^[0-9a-f-]{36}$/);
});

test("what a pipe says at once is sent within the session, in its order", async () => {
  const { relay, seen, told, say, call } = open((request) => result(request, {}));
  await relay.start();
  const answered = Promise.all([say(INITIALIZE), say({ method: "notifications/initialized" }), call(1)]);
  // Its stdin has ended by now.
  await relay.answered();
  expect(told.map(({ id }) => id)).toEqual([0, 1]);
  await answered;
  const posted = seen.filter(({ method }) => method === "POST");
  expect(posted.map(({ message, session }) => [message.method, session])).toEqual([
    ["initialize", null],
    ["notifications/initialized", "s1"],
    ["tools/call", "s1"],
  ]);
});

test("a call that met a broken connection or a busy server is sent again under the same key", async () => {
  const answers = [new TypeError("fetch failed"), new Response("", { status: 503 })];
  const { seen, told, begin, call } = open((request) => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next ?? result(request, {});
  });
  await begin();
  await call(1);
  expect(told).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  const keys = seen.filter(({ message }) => message.method === "tools/call").map(keyOf);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});

test("an answer that breaks off is asked for again", async () => {
  let broken = true;
  const { told, begin, call } = open((request) => {
    if (!broken) return result(request, {});
    broken = false;
    return brokenOff();
  });
  await begin();
  await call(1);
  await expect.poll(() => told).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
});

test("a session that the server has no more is opened anew, unseen by the client", async () => {
  const { seen, told, begin, call } = open((request) =>
    request.session === "s1" ? gone() : result(request, {}),
  );
  await begin();
  await call(1);
  expect(told).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  const said = seen
    .filter(({ method }) => method === "POST")
    .map(({ message, session }) => [message.method, session]);
  expect(said.slice(2)).toEqual([
    ["tools/call", "s1"],
    ["initialize", null],
    ["notifications/initialized", "s2"],
    ["tools/call", "s2"],
  ]);
});

test("a new session whose opening breaks off is opened once more", async () => {
  const serve: Answer = (request) => (request.session === "s3" ? result(request, {}) : gone());
  const { told, begin, call } = open(serve, 2);
  await begin();
  await call(1);
  expect(told).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
});

test.each([
  [
    "the protocol's own fault",
    () => json({ jsonrpc: "2.0", id: null, error: { code: -32_602, message: "no such" } }, {}, 400),
    "no such",
  ],
  ["a key that is not valid", () => new Response("", { status: 401 }), "Run: npx bulkhead login"],
  ["a proxy's page", () => new Response("<html>", { status: 418 }), "The Bulkhead server answered 418."],
])("%s is told as the answer, and not tried again", async (_what, answer, words) => {
  const { seen, told, begin, call } = open(answer);
  await begin();
  await call(1);
  expect(told).toMatchObject([{ id: 1, error: { message: expect.stringContaining(words) } }]);
  expect(seen.filter(({ message }) => message.method === "tools/call")).toHaveLength(1);
});

test("a server that stays away is told after a bounded number of tries", async () => {
  const { seen, told, begin, call } = open(() => {
    throw new TypeError("fetch failed");
  });
  await begin();
  await call(1);
  expect(told).toMatchObject([{ id: 1, error: { message: expect.stringContaining("can't be reached") } }]);
  expect(seen.filter(({ message }) => message.method === "tools/call")).toHaveLength(8);
});

test("it tells when all that was asked is answered", async () => {
  let answer = (): void => {};
  const waiting = new Promise<void>((resolve) => (answer = resolve));
  const { relay, told, begin, call } = open(async (request) => {
    await waiting;
    return result(request, {});
  });
  await begin();
  void call(1);
  const answered = relay.answered().then(() => told.length);
  answer();
  expect(await answered).toBe(1);
});

test("a line that is no message is told and passed over", async () => {
  const { relay, told, warned, begin } = open(() => gone());
  await begin();
  await relay.take("{ not json");
  expect([told, warned]).toEqual([[], [expect.stringContaining("no message was passed over")]]);
});
