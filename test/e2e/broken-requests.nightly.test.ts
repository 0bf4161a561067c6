import { connect } from "node:net";
import { startProduct, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

// One of its own: what is no request must reach the API as it is, and no balancer lets it pass.
let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product?.stop());

/** All that the product says to these bytes on a connection of their own; `then` is sent once something was said. */
async function saidTo(bytes: string, then?: string): Promise<string> {
  const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
  // It may be closed while the last bytes are still under way; what was said before counts.
  socket.on("error", () => undefined);
  socket.write(bytes);
  let said = "";
  socket.setEncoding("utf8").on("data", (part: string) => void (said += part));
  if (then !== undefined) socket.once("data", () => socket.write(then));
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return said;
}

async function answerTo(bytes: string): Promise<{ head: string; problem: unknown }> {
  const [head = "", body = ""] = (await saidTo(bytes)).split("\r\n\r\n");
  return { head, problem: JSON.parse(body) };
}

test.each([
  ["no HTTP", "BOGUS / HTTP/9\r\n\r\n", 400, "request.invalid"],
  [
    "headers of 40 kB",
    `GET / HTTP/1.1\r\nx: ${"x".repeat(40_000)}\r\n\r\n`,
    431,
    "request.headers_too_large",
  ],
])("%s is answered as a problem", async (_name, bytes, status, code) => {
  const { head, problem } = await answerTo(bytes);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head.toLowerCase()).toContain("content-type: application/problem+json");
  expect(problem).toMatchObject({
    status,
    code,
    success: false,
    meta: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
});

test.each([
  ["no host", "Connection: close", "host", 400, "request.invalid"],
  ["two hosts", "Host: a\r\nHost: b\r\nConnection: close", "host", 400, "request.invalid"],
  [
    "an expectation that nobody knows",
    "Host: a\r\nExpect: foo\r\nConnection: close",
    "expect",
    417,
    "request.expectation_failed",
  ],
  [
    "a transfer coding that nobody knows",
    "Host: a\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close",
    "transfer-encoding",
    501,
    "request.transfer_coding_unknown",
  ],
])(
  "a head with %s is answered as a problem that names the header",
  async (_name, headers, path, status, code) => {
    const { head, problem } = await answerTo(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain("application/problem+json");
    expect(problem).toMatchObject({ code, errors: [{ path }] });
  },
);

test("what is broken behind a request takes no part in that one's answer", async () => {
  const said = await saidTo("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n");
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test("what is broken behind a stream is not written into it", async () => {
  const head = `GET /api/v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${product.demoKey}\r\n\r\n`;
  const said = await saidTo(head, "GARBAGE\r\n\r\n");
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
