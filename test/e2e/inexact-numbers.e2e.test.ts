import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

const BIG = "2512292042121000001";
const TOOLS = "/api/v1/custom-tools";
const upstream = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(`{"id":${BIG},"n":1}`),
);

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "echo", "return args;");
  await once(upstream.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => void upstream.close());

const send = (path: string, body: string, headers: Record<string, string> = {}, method = "POST") =>
  owner.raw(method, path, body, { "content-type": "application/json", ...headers });

test.each([
  ["a call", `${TOOLS}/echo/execute`, `{"arguments":{"id":${BIG}}}`, "arguments.id"],
  [
    "a dry run",
    `${TOOLS}/test`,
    `{"name":"a","code":"return 1","testArguments":{"id":${BIG}}}`,
    "testArguments.id",
  ],
  [
    "a script",
    "/api/v1/meta-tools/run_code",
    `{"code":"return 1","arguments":{"a":[${BIG}]}}`,
    "arguments.a.0",
  ],
  [
    "a schedule",
    "/api/v1/schedules",
    `{"tool":"echo","everyMs":60000,"arguments":{"id":${BIG}}}`,
    "arguments.id",
  ],
  ["evidence", `${TOOLS}/echo/versions/1/evidence`, `{"arguments":{"id":${BIG}}}`, "arguments.id"],
])("%s whose arguments would be rounded is refused with the place", async (_what, path, body, place) => {
  const answer = await send(path, body);
  expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([
    400,
    "execution.arguments_inexact",
    place,
  ]);
  expect(answer.body.detail).toContain("as a string");
});

test("of a batch, the call with such arguments alone is refused", async () => {
  const calls = `[{"tool":"echo","arguments":{"n":1}},{"tool":"echo","arguments":{"id":${BIG}}}]`;
  const { status, body } = await send("/api/v1/executions/batch", `{"executions":${calls}}`);
  expect(status).toBe(202);
  expect(body.data.executions).toEqual([
    { executionId: expect.any(String), status: expect.any(String) },
    { error: expect.objectContaining({ code: "execution.arguments_inexact" }) },
  ]);
});

test("a key under which such a call was refused is free for the call as it should be", async () => {
  const key = { "idempotency-key": "one" };
  expect((await send(`${TOOLS}/echo/execute`, `{"arguments":{"id":${BIG}}}`, key)).status).toBe(400);
  const { body } = await send(`${TOOLS}/echo/execute`, `{"arguments":{"id":"${BIG}"}}`, key);
  expect(body.data.result).toEqual({ id: BIG });
});

test("a schema may name any bound, and other fields tell what they would lose", async () => {
  const schema = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}';
  const tool = (more: string) =>
    send(TOOLS, `{"name":"bounded","description":"d","code":"return 1","parameters":${schema}${more}}`);
  const refused = await tool(`,"metadata":{"row":${BIG}}`);
  expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([
    400,
    "request.invalid",
    "metadata.row",
  ]);
  expect((await tool("")).status).toBe(201);
});

/** What a run of the code logged, and how it ended. */
async function run(name: string, code: string) {
  await createTool(owner, name, code, { permissions: ["network"] });
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const stream = await owner.stream(`${TOOLS}/${name}/execute`, { mode: "stream", arguments: { url } });
  const events = await stream.rest();
  const logs = events.filter(({ event }) => event === "execution.log");
  return { lines: logs.map(({ data }) => data["text"]), ended: events.at(-1)?.data["execution"] };
}

test("what is fetched comes as strings where asked, and is told once a run where not", async () => {
  const exact = await run(
    "exact",
    `const asked = { bigNumbers: "string" };
    return [await api.rest({ url: args.url, ...asked }), await (await fetch(args.url)).json(asked)];`,
  );
  expect(exact).toMatchObject({
    lines: [],
    ended: {
      result: [
        { id: BIG, n: 1 },
        { id: BIG, n: 1 },
      ],
    },
  });
  const rounded = await run(
    "rounded",
    `const all = [await api.rest({ url: args.url }), await (await fetch(args.url)).json()];
    return all.map(({ id }) => typeof id);`,
  );
  expect(rounded).toMatchObject({
    lines: [expect.stringMatching(/"id".*\{ bigNumbers: "string" \}/)],
    ended: { result: ["number", "number"] },
  });
});

test("a result with such a number is told of with its place", async () => {
  const { lines, ended } = await run(
    "made",
    "return { rows: [{ id: 2 ** 60 }], text: '[1234567890123456789]' };",
  );
  expect(lines).toEqual([
    'The result\'s "id" is an integer beyond 9007199254740991, where digits are lost: make it a string.',
  ]);
  expect(ended).toMatchObject({ result: { rows: [{ id: 2 ** 60 }] } });
});

test("a tool is called by a tool by the same rule", async () => {
  const { ended } = await run(
    "caller",
    "return utils.callTool('echo', { a: [2 ** 60] }).catch(({ code, message }) => ({ code, message }));",
  );
  expect(ended).toMatchObject({
    result: {
      code: "invalid_request",
      message: expect.stringContaining("a.0 is a number that would be rounded"),
    },
  });
});
