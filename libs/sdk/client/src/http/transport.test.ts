import { getEventListeners } from "node:events";
import { pipeline } from "node:stream";
import { expect, test } from "vitest";
import { Bulkhead } from "../bulkhead.ts";
import { BulkheadError } from "../errors.ts";
import { cut, cutBody, data, page, problem, serveScript, silence } from "../fixtures/scripted-server.ts";
import manifest from "../../package.json" with { type: "json" };
import { VERSION } from "./transport.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bh_1" });
function* endlessWords() {
  for (;;) yield `<p>Welcome ${"x".repeat(10_000)}`;
}

const AT_ONCE = { headers: { "retry-after": "0" } };
const TOOL = { name: "a", description: "a", parameters: {}, code: "return 1" };

test("a call sends its key and what it is, and gives the answer's data", async () => {
  await using server = await serveScript(data({ id: "tool_1" }, 201));
  const client = new Bulkhead({
    url: `${server.url}/base/api/v1/`,
    key: async () => "bh_2",
    group: "g",
    headers: { "x-own": "1" },
  });
  expect(await client.tools.create(TOOL)).toEqual({ id: "tool_1" });
  expect(server.asked).toEqual([
    {
      method: "POST",
      path: "/base/api/v1/custom-tools",
      body: TOOL,
      headers: expect.objectContaining({
        authorization: "Bearer bh_2",
        "content-type": "application/json",
        "user-agent": `bulkhead-client/${VERSION}`,
        "bulkhead-group": "g",
        "x-own": "1",
      }),
    },
  ]);
  expect(server.asked[0]?.headers).not.toHaveProperty("x-bulkhead-session");
});

test("the version that it tells is the package's", () => {
  expect(VERSION).toBe(manifest.version);
});

test("without a key a write says that a page meant it, since a cookie speaks", async () => {
  await using server = await serveScript(data({}));
  const client = new Bulkhead({ url: server.url });
  await client.tools.enable("a");
  await client.me();
  expect(server.asked.map(({ headers }) => headers["x-bulkhead-session"])).toEqual(["1", undefined]);
});

test("parts of a path and a query are written so that no other route answers", async () => {
  await using server = await serveScript(data({ executions: [], nextCursor: null }));
  const client = clientOf(server);
  await client.tools.get("a/../b?c");
  await client.executions.list({ status: ["failed", "lost"], minMs: 5, tool: undefined });
  expect(server.asked.map(({ path }) => path)).toEqual([
    "/api/v1/custom-tools/a%2F..%2Fb%3Fc",
    "/api/v1/executions?status=failed%2Clost&minMs=5",
  ]);
  for (const part of ["", ".", ".."])
    expect(() => client.tools.get(part)).toThrow("id must be a number, or a text other than");
});

test.each([
  ["seconds", "0"],
  ["a date", "Thu, 01 Jan 2026 00:00:00 GMT"],
])(
  "what is refused for now is asked for again after Retry-After in %s, whatever it does",
  async (_form, said) => {
    const busy = problem(429, "tenant.rate_limited", true, { headers: { "retry-after": said } });
    await using server = await serveScript(busy, data({ id: "tool_1" }, 201));
    expect(await clientOf(server).tools.create(TOOL)).toEqual({ id: "tool_1" });
    expect(server.asked).toHaveLength(2);
  },
);

test("a wait that is asked for and too long is the caller's", async () => {
  await using server = await serveScript(
    problem(429, "tenant.rate_limited", true, { headers: { "retry-after": "3600" } }),
  );
  await expect(clientOf(server).me()).rejects.toMatchObject({
    code: "tenant.rate_limited",
    retryAfterMs: 3_600_000,
  });
  expect(server.asked).toHaveLength(1);
});

test.each([
  ["the API is away", problem(503, "service.unavailable", true, AT_ONCE)],
  ["a proxy says that it is", page(502, "<h1>Bad gateway</h1>", { "retry-after": "0" })],
  ["the connection breaks", cut],
  ["the body is cut", cutBody],
])("%s: a read is asked for again, a write that may be done is not", async (_what, answer) => {
  await using server = await serveScript(answer, data({ id: "x" }));
  expect(await clientOf(server).tools.get("a")).toEqual({ id: "x" });
  await using other = await serveScript(answer, data({ id: "x" }));
  await expect(clientOf(other).tools.create(TOOL)).rejects.toMatchObject({
    name: "BulkheadError",
    retryable: true,
  });
  expect([server.asked.length, other.asked.length]).toEqual([2, 1]);
});

test("a call that takes an Idempotency-Key has one of its own, the same at each try", async () => {
  const away = problem(503, "service.unavailable", true, AT_ONCE);
  await using server = await serveScript(away, data({ executionId: "exe_1" }));
  const client = clientOf(server);
  await client.tools.execute("a", { arguments: {} });
  await client.tools.execute("a", { arguments: {} });
  await client.tools.execute("a", {}, { idempotencyKey: "mine" });
  const [first, again, other, own] = server.asked.map(({ headers }) => headers["idempotency-key"]);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([again === first, other === first, own]).toEqual([true, false, "mine"]);
});

test("a change under a condition is sent once: its own effect would refuse the second", async () => {
  await using server = await serveScript(cut, data({}));
  await expect(clientOf(server).tools.update("a", {}, { ifMatch: '"1"' })).rejects.toMatchObject({
    code: "client.unreachable",
    status: 0,
  });
  expect(server.asked.map(({ headers }) => headers["if-match"])).toEqual(['"1"']);
});

test("it stops trying after so many times, and rejects as the last try did", async () => {
  await using server = await serveScript(problem(503, "service.unavailable", true, AT_ONCE));
  await expect(clientOf(server).me({ retries: 1 })).rejects.toMatchObject({
    code: "service.unavailable",
    status: 503,
  });
  await expect(clientOf(server).me({ retries: 0 })).rejects.toMatchObject({ code: "service.unavailable" });
  expect(server.asked).toHaveLength(3);
});

test.each([
  ["no head comes", silence],
  [
    "the body stops",
    (response: Parameters<typeof silence>[0]) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    },
  ],
])("a time-out counts until the last byte: %s", async (_what, answer) => {
  await using server = await serveScript(answer);
  const late = clientOf(server).me({ requestTimeoutMs: 30, retries: 0 });
  await expect(late).rejects.toMatchObject({
    code: "client.timed_out",
    message: "GET /api/v1/me took longer than 30 ms.",
  });
});

test("a signal ends a request and a pause, with its own reason", async () => {
  await using server = await serveScript(
    silence,
    problem(429, "tenant.rate_limited", true, { headers: { "retry-after": "50" } }),
  );
  const client = clientOf(server);
  for (let n = 1; n <= 2; n += 1) {
    const controller = new AbortController();
    const call = client.me({
      signal: controller.signal,
      // It waits for the next try from here on.
      onResponse: () => setTimeout(() => controller.abort(new Error("enough")), 10),
    });
    const ended = expect(call).rejects.toThrow("enough");
    await expect.poll(() => server.asked.length).toBe(n);
    // The silent one gives no response to end at.
    if (n === 1) controller.abort(new Error("enough"));
    await ended;
  }
  await expect(client.me({ signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  expect(server.asked).toHaveLength(2);
});

test("nothing stays on a signal once a stream was read, was given up, or broke", async () => {
  const body = (response: Parameters<typeof silence>[0]) =>
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end("{}\n");
  const open = (response: Parameters<typeof silence>[0]) =>
    response.writeHead(200, { "content-type": "application/x-ndjson" }).write("{}\n");
  await using server = await serveScript(body, open, open);
  const { signal } = new AbortController();
  const client = clientOf(server);
  const streamed = () => client.tenants.export("ten_1", { signal });
  expect(await new Response(await streamed()).text()).toBe("{}\n");
  await (await streamed()).cancel();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const ending = new AbortController();
  const stream = await client.tenants.export("ten_1", { signal: ending.signal });
  expect(getEventListeners(ending.signal, "abort")).toHaveLength(1);
  ending.abort(new Error("enough"));
  await expect(new Response(stream).text()).rejects.toThrow();
  expect(getEventListeners(ending.signal, "abort")).toEqual([]);
});

test("what something else than the API answers is told in its words, and not read whole", async () => {
  const endless = (response: Parameters<typeof silence>[0]) => {
    response.writeHead(200, { "content-type": "text/html" });
    pipeline(endlessWords(), response, () => undefined);
  };
  await using server = await serveScript(
    page(200, "<html><body><h1>Sign in</h1>\n to go on</body></html>"),
    page(301, "", { location: "https://elsewhere.example/api" }),
    (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{no"),
    endless,
  );
  const client = clientOf(server);
  const faultOf = async () =>
    await client.me().then(String, ({ message, retryable }: BulkheadError) => [message, retryable]);
  expect(await faultOf()).toEqual([
    "Something else than the API answered with status 200. Sign in to go on",
    false,
  ]);
  expect(await faultOf()).toEqual([
    expect.stringContaining("It leads to https://elsewhere.example/api: give the client that address."),
    false,
  ]);
  expect(await faultOf()).toEqual(["What was answered is called JSON and is none.", false]);
  expect(await faultOf()).toEqual([expect.stringMatching(/status 200\. Welcome x{100,200}$/), false]);
});

test("a problem is an error with all that it says", async () => {
  const errors = [{ path: "code", message: "is missing" }];
  await using server = await serveScript(problem(400, "request.invalid", false, { errors }));
  const error: unknown = await clientOf(server)
    .tools.create(TOOL)
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(BulkheadError);
  const { code, status, retryable, requestId, message } = error as BulkheadError;
  expect({ code, status, retryable, requestId, message }).toEqual({
    code: "request.invalid",
    status: 400,
    retryable: false,
    requestId: "req_1",
    message: "No. Not so.",
  });
  expect((error as BulkheadError).errors).toEqual(errors);
});

test("a problem of something before the API is an error, too, whatever it leaves out", async () => {
  await using server = await serveScript((response) => {
    response.writeHead(403, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ code: "gateway.refused", title: "No.", errors: "many" }));
  });
  const error: unknown = await clientOf(server)
    .me()
    .catch((caught: unknown) => caught);
  const { code, requestId, errors } = error as BulkheadError;
  expect({ code, requestId, errors }).toEqual({ code: "gateway.refused", requestId: undefined, errors: [] });
});

test("a body of many megabytes comes whole, and so do bytes, text and nothing", async () => {
  const large = "é".repeat(4 * 1024 * 1024);
  await using server = await serveScript(
    data({ result: large }),
    (response) => void response.writeHead(206, { "content-type": "application/json" }).end("[1,2"),
    (response) =>
      void response.writeHead(200, { "content-type": "application/typescript" }).end("interface A {}"),
    (response) => void response.writeHead(204).end(),
  );
  const client = clientOf(server);
  expect((await client.executions.get("exe_1")).result).toBe(large);
  expect(await client.executions.resultBytes("exe_1", { from: 0, to: 3 })).toEqual(
    new Uint8Array([91, 49, 44, 50]),
  );
  expect(await client.tools.allTypes()).toBe("interface A {}");
  expect(await client.sessions.end()).toBeUndefined();
});

test.each([
  [{ url: "tools.example.com" }, "url must be a whole address"],
  [{ url: "file:///etc" }, "url must be a whole address"],
  [{ url: "http://a", requestTimeoutMs: Infinity }, "requestTimeoutMs must be more than 0"],
  [{ url: "http://a", retries: 1.5 }, "retries must be a whole number"],
])("a bad option is told at once: %j", (options, words) => {
  expect(() => new Bulkhead(options)).toThrow(words);
});
