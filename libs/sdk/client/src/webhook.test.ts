import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { verifyWebhook } from "./webhook.ts";

const SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString("base64")}`;
const BODY = JSON.stringify({
  type: "execution.succeeded",
  timestamp: "t",
  data: { id: "exe_1", result: "é" },
});

function signed({ secret = SECRET, body = BODY, ageSeconds = 0 } = {}) {
  const at = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.${at}.${body}`).digest("base64");
  return { "webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": `v1,${signature}` };
}

const EVENT = {
  id: "msg_1",
  type: "execution.succeeded",
  timestamp: "t",
  data: { id: "exe_1", result: "é" },
};

test.each([
  ["a web request", new Request("http://a", { method: "POST", headers: signed(), body: BODY })],
  ["headers of Node and a text", { headers: signed(), body: BODY }],
  [
    "headers in other letters, and bytes",
    { headers: { ...titled(signed()), Other: ["a", "b"] }, body: Buffer.from(BODY) },
  ],
])("a webhook's event is given: %s", async (_form, request) => {
  expect(await verifyWebhook(request, SECRET)).toEqual(EVENT);
});

test("while a secret is replaced, one signature of one secret will do", async () => {
  const headers = signed();
  const both = {
    ...headers,
    "webhook-signature": `v1a,x ${signed({ secret: OTHER })["webhook-signature"]} ${headers["webhook-signature"]}`,
  };
  expect(await verifyWebhook({ headers: both, body: BODY }, SECRET)).toEqual(EVENT);
  expect(await verifyWebhook({ headers, body: BODY }, [OTHER, SECRET])).toEqual(EVENT);
});

test.each([
  ["another secret", signed({ secret: OTHER }), BODY],
  ["another body", signed(), BODY.replace("exe_1", "exe_2")],
  ["another id", { ...signed(), "webhook-id": "msg_2" }, BODY],
  ["no signature", { ...signed(), "webhook-signature": undefined }, BODY],
  ["a signature that is no base64", { ...signed(), "webhook-signature": "v1,*" }, BODY],
  ["a time that is none", { ...signed(), "webhook-timestamp": "1e9" }, BODY],
])("%s is refused", async (_what, headers, body) => {
  await expect(verifyWebhook({ headers, body }, SECRET)).rejects.toMatchObject({ code: "webhook.unsigned" });
});

test("one that is signed for another time is refused", async () => {
  for (const ageSeconds of [400, -400])
    await expect(
      verifyWebhook({ headers: signed({ ageSeconds }), body: BODY }, SECRET),
    ).rejects.toMatchObject({
      code: "webhook.outside_window",
    });
  const wide = { windowSeconds: 1_000 };
  expect(await verifyWebhook({ headers: signed({ ageSeconds: 400 }), body: BODY }, SECRET, wide)).toEqual(
    EVENT,
  );
});

test("a secret that is none is the caller's mistake", async () => {
  for (const secret of ["whsec_", "abc", "whsec_***"])
    await expect(verifyWebhook({ headers: signed(), body: BODY }, secret)).rejects.toThrow(
      "must be whsec_ and base64",
    );
});

function titled(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
