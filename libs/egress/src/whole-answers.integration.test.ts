import type { EgressRequest } from "@bulkhead/core";
import { afterEach, expect, it } from "vitest";
import { get, LIMITS, LocalOrigins, never } from "./local-origins.ts";
import { placeSecret, VALUE } from "./local-secrets.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

const KEY = placeSecret();
const KEY_HEADER: [string, string] = ["x-key", KEY.placeholder];
const refused = (what: string) => ({
  ok: false,
  code: "egress_denied",
  message: expect.stringMatching(
    new RegExp(`^127\\.0\\.0\\.1 may know the secret "api_key" of the service "weather".*${what}`),
  ),
});

/** An upstream that says what key it was sent, or the part of that which is asked for, as it would of a file. */
async function serveRanges(headers: Record<string, string> = {}, status = 206) {
  let asked = 0;
  const url = await origins.serve((request, response) => {
    asked++;
    const said = `you sent ${String(request.headers["x-key"] ?? VALUE)}`;
    const range = request.headers.range ?? request.headers["x-ms-range"];
    const [, from, to] = /(\d+)-(\d*)/.exec(String(range)) ?? [];
    if (from === undefined) {
      response.end(said);
      return;
    }
    const part = said.slice(Number(from), to ? Number(to) + 1 : undefined);
    const told = headers["content-type"]
      ? headers
      : { "content-range": `bytes ${from}-${to}/99`, ...headers };
    response.writeHead(status, told).end(part);
  });
  return { url, asked: () => asked };
}
const open = () => origins.openBroker("127.0.0.0/8").open(LIMITS, { secrets: [KEY] });
const fetchWith = (url: string, headers: EgressRequest["headers"]) =>
  open().fetch(get(url, { headers }), never);

it.each(["bytes=0-14", "bytes=15-", "Bytes=0-1", "bytes = 0-1", "items=1-2, bytes=0-3"])(
  "a host that may know a secret is not asked for a part of an answer: %s",
  async (range) => {
    const { url, asked } = await serveRanges();
    for (const headers of [[KEY_HEADER, ["Range", range]], [["range", range]]] satisfies [string, string][][])
      expect(await fetchWith(url, headers)).toMatchObject(refused("leave out the header range"));
    expect(asked()).toBe(0);
  },
);

it.each([
  ["what is said to be one", {}, 206],
  ["what is said to be one in another status", {}, 200],
  ["several of them", { "content-type": "multipart/byteranges; boundary=x" }, 206],
  ["one that does not say which", { "content-type": "text/plain" }, 206],
])(
  "a part of such a host's answer is not shown, however it was asked for: %s",
  async (_what, said, status) => {
    const { url } = await serveRanges(said, status);
    const session = open();
    for (const range of ["bytes=0-14", "bytes=15-40"]) {
      const answer = await session.fetch(get(url, { headers: [KEY_HEADER, ["x-ms-range", range]] }), never);
      expect(answer).toMatchObject(refused("don't ask for a range of bytes"));
    }
    expect(await session.fetch(get(url, { headers: [KEY_HEADER] }), never)).toMatchObject({
      ok: true,
      body: "you sent [REDACTED]",
    });
  },
);

it("a host that may know no secret is asked for ranges", async () => {
  const { url } = await serveRanges();
  const stranger = url.replace("127.0.0.1", "localhost");
  expect(await fetchWith(stranger, [["range", "bytes=0-2"]])).toMatchObject({ status: 206, body: "you" });
});

it("a redirect to a host that may know a secret carries no range there", async () => {
  const { url, asked } = await serveRanges();
  const from = await origins.serve((_, response) => response.writeHead(302, { location: url }).end());
  const answer = await fetchWith(from.replace("127.0.0.1", "localhost"), [["range", "bytes=0-14"]]);
  expect(answer).toMatchObject(refused("leave out the header range"));
  expect(asked()).toBe(0);
});

it("rows and pages are no parts of a value: ranges of other units pass", async () => {
  const { url } = await serveRanges({ "content-range": "0-2/99" });
  expect(await fetchWith(url, [KEY_HEADER, ["range", "0-2"]])).toMatchObject({ status: 206, body: "you" });
  const none = await origins.serve((_, response) =>
    response.writeHead(416, { "content-range": "bytes */0" }).end(),
  );
  expect(await fetchWith(none, [KEY_HEADER])).toMatchObject({ ok: true, status: 416 });
});
