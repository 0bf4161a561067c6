import type { EgressRequest } from "@bulkhead/core";
import { describe, expect, it } from "vitest";
import { REQUEST_HEADER_BYTES_MAX, REQUEST_HEADERS_MAX } from "./bounds.ts";
import { readOutgoing, redirectTo } from "./outgoing.ts";

const request = (change: Partial<EgressRequest> = {}): EgressRequest => ({
  url: "https://a.test/x",
  method: "GET",
  headers: [],
  body: null,
  bodyEncoding: "utf8",
  redirect: "follow",
  ...change,
});
const headersOf = (...headers: [string, string][]) => readOutgoing(request({ headers })).headers;

describe("what can't be sent is refused by name", () => {
  it.each<[string, Partial<EgressRequest>, RegExp]>([
    ["CONNECT", { method: "CONNECT" }, /method must be one of/],
    ["TRACE", { method: "trace" }, /method must be one of/],
    ["a method with a line break", { method: "GET\r\nX: y" }, /method must be one of/],
    ["a body with GET", { body: "x" }, /GET request has no body/],
    ["Host", { headers: [["Host", "evil.test"]] }, /header host is not a tool's to set/],
    ["Transfer-Encoding", { headers: [["Transfer-Encoding", "chunked"]] }, /header transfer-encoding/],
    ["Proxy-Authorization", { headers: [["Proxy-Authorization", "x"]] }, /header proxy-authorization/],
    ["Upgrade", { headers: [["upgrade", "websocket"]] }, /header upgrade/],
    ["Expect", { headers: [["expect", "100-continue"]] }, /header expect/],
    ["a line break in a value", { headers: [["x", "a\r\nHost: b"]] }, /header x holds a character/],
    ["a lone line feed in a value", { headers: [["x", "a\nb"]] }, /header x holds a character/],
    ["a zero byte in a value", { headers: [["x", "a\0b"]] }, /header x holds a character/],
    ["a value beyond Latin-1", { headers: [["x", "→"]] }, /header x holds a character/],
    ["a line break in a name", { headers: [["a\r\nb", "x"]] }, /header's name/],
    ["an empty name", { headers: [["", "x"]] }, /header's name/],
    [
      "too many",
      { headers: Array.from({ length: REQUEST_HEADERS_MAX + 1 }, () => ["x", "y"]) },
      /more than 64 headers/,
    ],
    ["too large", { headers: [["x", "y".repeat(REQUEST_HEADER_BYTES_MAX)]] }, /headers are larger/],
  ])("%s", (_, change, message) => {
    expect(() => readOutgoing(request(change))).toThrow(message);
  });
});

it("headers that belong to the connection are left out, all others are sent", () => {
  expect(
    headersOf(
      ["Connection", "close"],
      ["Content-Length", "5"],
      ["Accept-Encoding", "x"],
      ["X-Api-Key", " k "],
      ["Cookie", "a=b"],
    ),
  ).toEqual([
    ["x-api-key", "k"],
    ["cookie", "a=b"],
  ]);
});

it("a body arrives as the bytes it stands for", () => {
  const sent = (body: string, bodyEncoding: "utf8" | "base64") =>
    readOutgoing(request({ method: "post", body, bodyEncoding })).body;
  expect(sent("é", "utf8")).toEqual(Buffer.from([0xc3, 0xa9]));
  expect(sent("/wA=", "base64")).toEqual(Buffer.from([0xff, 0x00]));
});

describe("a redirect rewrites the request as the fetch standard says", () => {
  const table: [number, string, string, boolean][] = [
    [301, "POST", "GET", false],
    [302, "POST", "GET", false],
    [303, "POST", "GET", false],
    [307, "POST", "POST", true],
    [308, "POST", "POST", true],
    [301, "PUT", "PUT", true],
    [303, "PUT", "GET", false],
    [303, "DELETE", "GET", false],
    [303, "HEAD", "HEAD", false],
    [302, "GET", "GET", false],
  ];
  it.each(table)("%i %s becomes %s, with its body: %s", (status, method, becomes, keepsBody) => {
    const hasBody = method !== "GET" && method !== "HEAD";
    const sent = readOutgoing(
      request({
        method,
        body: hasBody ? "x" : null,
        headers: [
          ["content-type", "text/plain"],
          ["x-a", "1"],
        ],
      }),
    );
    const next = redirectTo(sent, status, "/next?a=b#c");
    expect(next.method).toBe(becomes);
    expect(next.body !== null).toBe(keepsBody);
    expect(next.headers.some(([name]) => name === "content-type")).toBe(becomes === method);
    expect(next.headers).toContainEqual(["x-a", "1"]);
    expect(next.target.url.href).toBe("https://a.test/next?a=b");
  });
});

describe("credentials stay with the origin they were meant for", () => {
  const keys = [
    "authorization",
    "cookie",
    "x-api-key",
    "apikey",
    "x-auth-token",
    "x-goog-api-key",
    "private-token",
  ];
  const plain = ["accept", "content-type", "x-request-id", "user-agent", "idempotency-key"];
  const left = (location: string): string[] => {
    const headers = [...keys, ...plain].map((name): [string, string] => [name, "v"]);
    return redirectTo(readOutgoing(request({ headers })), 307, location).headers.map(([name]) => name);
  };
  it.each([
    ["/same", [...keys, ...plain]],
    ["https://a.test:443/", [...keys, ...plain]],
  ])("%s keeps them", (to, names) => {
    expect(left(to)).toEqual(names);
  });
  it.each(["https://b.test/", "http://a.test/", "https://a.test:8443/", "//b.test/", "https://sub.a.test/"])(
    "%s does not get them",
    (to) => {
      expect(left(to)).toEqual(plain);
    },
  );
});

it.each(["ftp://a.test/", "https://u:p@a.test/", "https://a.test:25/", "javascript:1"])(
  "a redirect to %s is checked as a first request is",
  (location) => {
    expect(() => redirectTo(readOutgoing(request()), 302, location)).toThrow();
  },
);
