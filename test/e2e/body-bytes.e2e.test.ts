import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const EXECUTE = "/api/v1/custom-tools/echo/execute";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "echo", "return args.text;");
});

const send = async (body: Buffer) => {
  const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
  const answer = await fetch(product.url + EXECUTE, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

const bodyOf = (text: string, encoding: BufferEncoding) =>
  Buffer.from(JSON.stringify({ arguments: { text } }), encoding);

test("a body that is no UTF-8 is refused, and not read as something else", async () => {
  const { status, body } = await send(bodyOf("Zürich", "latin1"));
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: "request.malformed_json",
    detail: expect.stringContaining("not valid UTF-8"),
    errors: [{ path: "", message: "is not valid UTF-8" }],
  });
});

test.each([
  ["of more than ASCII", "Zürich"],
  ["of what a decoder puts for what it can't read", "\ufffd"],
  ["that comes in many pieces", "🛟".repeat(50_000)],
])("a body in UTF-8 %s is read as it is", async (_which, text) => {
  expect(await send(bodyOf(text, "utf8"))).toMatchObject({ status: 200, body: { data: { result: text } } });
});
