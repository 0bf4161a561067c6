import type { EgressRequest, PlacedSecret } from "@bulkhead/core";
import { describe, expect, it } from "vitest";
import { REQUEST_HEADER_BYTES_MAX, URL_CHARS_MAX } from "./bounds.ts";
import { placeSecret, VALUE } from "./local-secrets.ts";
import { readOutgoing } from "./outgoing.ts";
import { SecretExchange } from "./secret-exchange.ts";

const KEY = placeSecret({ hosts: ["api.example.com", "*.example.org"] });
const IN_BODY = placeSecret({ hosts: ["api.example.com"], field: "token", inBody: true });
const BYTES_OUT_MAX = 5_000;
const encoded = encodeURIComponent(VALUE);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function exchange(change: Partial<EgressRequest>, ...placed: PlacedSecret[]) {
  const request: EgressRequest = {
    url: "https://api.example.com/",
    method: "GET",
    headers: [],
    body: null,
    bodyEncoding: "utf8",
    redirect: "follow",
    ...change,
  };
  const outgoing = readOutgoing(request);
  const { target, headers, body } = new SecretExchange([KEY, IN_BODY, ...placed], BYTES_OUT_MAX).fill(
    outgoing,
    new Set(),
  );
  // Filling in leaves the tool's request unchanged: a redirect starts from it.
  expect(outgoing).toEqual(readOutgoing(request));
  return { url: target.url.href, headers, body: body?.toString("latin1") };
}
const headerOf = (value: string, ...placed: PlacedSecret[]) =>
  exchange({ headers: [["X-A", value]] }, ...placed).headers[0]?.[1];
const send = (type: string, body: string, ...placed: PlacedSecret[]) =>
  exchange({ method: "POST", headers: [["content-type", type]], body }, ...placed).body;

describe("a placeholder is exchanged", () => {
  it.each([
    ["Bearer {}", `Bearer ${VALUE}`],
    ["{};v={}", `${VALUE};v=${VALUE}`],
    ["Basic {}", `Basic ${VALUE}`],
    [`Basic ${base64("user:")}`, `Basic ${base64("user:")}`],
    ["nothing", "nothing"],
  ])("in a header: %s", (given, sent) => {
    expect(headerOf(given.replaceAll("{}", KEY.placeholder))).toBe(sent);
  });

  it.each([
    ["user:{}", `user:${VALUE}`],
    ["{}:", `${VALUE}:`],
    ["größe:{}", `größe:${VALUE}`],
  ])("within Basic: %s", (pair, sent) => {
    const value = `basic ${base64(pair.replaceAll("{}", KEY.placeholder))}`;
    expect(headerOf(value)).toBe(`basic ${base64(sent)}`);
  });

  it.each([
    ["key={}", `key=${encoded}`],
    ["a=b&key={}&z=%20", `a=b&key=${encoded}&z=%20`],
    ["{}", encoded],
    ["u=https%3A%2F%2Fa%3Fk%3D{}", `u=https%3A%2F%2Fa%3Fk%3D${encoded}`],
  ])("in a query: %s", (query, sent) => {
    const url = `https://x.example.org/p?${query.replaceAll("{}", KEY.placeholder)}#h`;
    expect(exchange({ url }).url).toBe(`https://x.example.org/p?${sent}`);
  });

  it.each([
    ["application/json", '{"a":"{}"}', JSON.stringify({ a: 'q"ä\n' })],
    ["application/vnd.api+json; charset=utf-8", '{"a":"{}"}', JSON.stringify({ a: 'q"ä\n' })],
    ["application/x-www-form-urlencoded;charset=UTF-8", "a={}&b", "a=q%22%C3%A4%0A&b"],
    ["text/plain", "<{}>", '<q"ä\n>'],
    ["multipart/form-data; boundary=x", "--x\r\n{}", '--x\r\nq"ä\n'],
  ])("in a body of %s, where its service wants it", (type, given, sent) => {
    const secret = placeSecret({ value: 'q"ä\n', hosts: ["api.example.com"], inBody: true });
    expect(send(type, given.replaceAll("{}", secret.placeholder), secret)).toBe(
      Buffer.from(sent).toString("latin1"),
    );
  });

  it("among bytes that are no text", () => {
    const body = Buffer.concat([
      Buffer.from([0xff, 0]),
      Buffer.from(IN_BODY.placeholder),
      Buffer.from([0xfe]),
    ]);
    const sent = exchange({ method: "PUT", body: body.toString("base64"), bodyEncoding: "base64" }).body;
    expect(sent).toBe(`\xff\0${VALUE}\xfe`);
  });
});

describe("what only looks like a placeholder is text", () => {
  const other = placeSecret().placeholder;
  it.each([other, "bhs_", KEY.placeholder.slice(0, -1)])("%s", (text) => {
    expect(headerOf(`Bearer ${text}`)).toBe(`Bearer ${text}`);
    expect(exchange({ url: `https://b.test/${text}?k=${text}` }).url).toContain(`/${text}?k=${text}`);
    expect(send("text/plain", text)).toBe(text);
  });
});

describe("a request is refused that holds a placeholder", () => {
  const may = placeSecret({ hosts: ["api.example.com"] });
  const nowhere = placeSecret({ hosts: [] });
  const broken = placeSecret({ value: "abc\n", hosts: ["*.example.com"] });
  const beyond = placeSecret({ value: "schlüssel", hosts: ["*.example.com"] });
  const all = [may, nowhere, broken, beyond];
  const post = (body: string): Partial<EgressRequest> => ({ method: "POST", body });
  it.each<[string, Partial<EgressRequest>, string, RegExp]>([
    [
      "for another host",
      { url: "https://evil.test/", headers: [["x", may.placeholder]] },
      "egress_denied",
      /"api_key" of the service "weather" .* may not go to evil.test \(port 443\): it may go to api.example.com\. Allow the host/,
    ],
    [
      "for another host, in its query",
      { url: `https://evil.test/?${may.placeholder}` },
      "egress_denied",
      /evil.test/,
    ],
    [
      "for another host, within Basic",
      { url: "https://evil.test/", headers: [["x", `Basic ${base64(may.placeholder)}`]] },
      "egress_denied",
      /evil.test/,
    ],
    [
      "for another host, in its body",
      { url: "https://evil.test/", ...post(may.placeholder) },
      "egress_denied",
      /evil.test/,
    ],
    [
      "for a name below the host",
      { url: `https://x.api.example.com/?${may.placeholder}` },
      "egress_denied",
      /x.api/,
    ],
    [
      "of a service without hosts",
      { headers: [["x", nowhere.placeholder]] },
      "egress_denied",
      /no host is allowed for it yet. Allow the host in allowedHosts of that service .*config-services\/weather/,
    ],
    [
      "in the path",
      { url: `https://api.example.com/${placeSecret().placeholder}/bot${may.placeholder}` },
      "egress_denied",
      /the host or the path/,
    ],
    [
      "in the host",
      { url: `https://${may.placeholder}.example.com/` },
      "egress_denied",
      /the host or the path/,
    ],
    ["in a body that is not to have it", post(may.placeholder), "egress_denied", /set exchangeInBody/],
    [
      "whose value a header can't hold",
      { headers: [["x", `Bearer ${broken.placeholder}`]] },
      "invalid_request",
      /can't be sent in the header x: it holds a line break/,
    ],
    [
      "whose value not every server reads",
      { headers: [["x", beyond.placeholder]] },
      "invalid_request",
      /header x/,
    ],
  ])("%s", (_, change, code, message) => {
    let refusal: unknown;
    try {
      exchange(change, ...all);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) });
    for (const { secret } of all) expect((refusal as Error).message).not.toContain(secret.value);
  });

  it("whose value makes headers, URL or body too large", () => {
    const large = placeSecret({ value: "v".repeat(1_000), hosts: ["api.example.com"], inBody: true });
    const times = (count: number): string => large.placeholder.repeat(count);
    expect(() => headerOf(times(REQUEST_HEADER_BYTES_MAX / 1_000 + 1), large)).toThrow(/headers are larger/);
    const url = `https://api.example.com/?${times(URL_CHARS_MAX / 1_000 + 1)}`;
    expect(() => exchange({ url }, large)).toThrow(/URL is longer than/);
    expect(send("text/plain", times(5), large)).toHaveLength(BYTES_OUT_MAX);
    expect(() => send("text/plain", `${times(5)}x`, large)).toThrow(/over 5000 bytes with its secrets/);
  });
});
