import { describe, expect, it } from "vitest";
import { isEmail, isJson, isUrl, isUuid } from "./validation.ts";

const label = "a".repeat(63);
const CASES: [(value: string) => boolean, valid: string[], invalid: string[]][] = [
  [
    isEmail,
    [
      "a@b.example",
      "first.last+tag@sub.domain.example",
      "x_y-z'q@a-b.example",
      "n@bücher.example",
      `${"l".repeat(64)}@a.example`,
      "a@b.xn--p1ai",
    ],
    [
      "",
      "@b.example",
      "a@",
      "a@b",
      "a b@c.example",
      "a@b@c.example",
      ".a@b.example",
      "a.@b.example",
      "a..b@c.example",
      "a@-b.example",
      "a@b..example",
      "a@b.example.",
      "a@b.1",
      "a@b.c",
      '"q"@b.example',
      "a@[127.0.0.1]",
      "a@b.example\n",
      `${"l".repeat(65)}@a.example`,
      `a@${`${label}.`.repeat(4)}example`,
      `a@${"b".repeat(64)}.example`,
    ],
  ],
  [
    isUrl,
    [
      "https://a.example",
      "HTTP://A.example/p?q=1#f",
      "http://localhost:8080/x",
      "https://u:p@a.example:65535",
      "https://bücher.example/ä",
      "https://a_b.example.",
      "http://127.0.0.1/",
      "http://[::1]:80/",
      "http://[2001:db8::ff00:42:8329]",
      "http://[::ffff:1.2.3.4]/",
      "https://a.example?x",
      "https://1a.example",
    ],
    [
      "",
      "a.example",
      "//a.example",
      "ftp://a.example",
      "javascript:alert(1)",
      "mailto:a@b.example",
      "http:/a.example",
      "http://",
      "https:///p",
      "http://a b.example",
      "https://a.example/a b",
      " https://a.example",
      "https://a.example\n",
      "https://a.example:65536",
      "https://a.example:x",
      "http://-a.example",
      "http://a..example",
      "http://256.1.1.1",
      "http://1.2.3",
      "http://01.2.3.4",
      "http://[::1",
      "http://[1::2::3]",
      "http://[1:2:3:4:5:6:7]",
      "http://[1:2:3:4:5:6:7:8:9]",
      "http://[::12345]",
      "http://[::1.2.3]",
      "http://a\\b",
      `http://${"b".repeat(64)}.example`,
    ],
  ],
  [
    isJson,
    ["{}", "[1]", "null", '"x"', " 1e3 ", '{"__proto__":1}'],
    ["", "{", "{a:1}", "undefined", "01", "'x'"],
  ],
  [
    isUuid,
    [
      "123e4567-e89b-42d3-a456-426614174000",
      "123E4567-E89B-12D3-B456-426614174000",
      "0190163d-8694-739b-aea5-966c26f8ad91",
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
    [
      "",
      "123e4567e89b42d3a456426614174000",
      "{123e4567-e89b-42d3-a456-426614174000}",
      "123e4567-e89b-02d3-a456-426614174000",
      "123e4567-e89b-92d3-a456-426614174000",
      "123e4567-e89b-42d3-c456-426614174000",
      "g23e4567-e89b-42d3-a456-426614174000",
      "123e4567-e89b-42d3-a456-426614174000\n",
    ],
  ],
];

describe.each(CASES)("%o", (check, valid, invalid) => {
  it.each(valid)("holds for %j", (value) => {
    expect(check(value)).toBe(true);
  });
  it.each(invalid)("does not hold for %j", (value) => {
    expect(check(value)).toBe(false);
  });
  it.each([null, undefined, 1, {}, [], ["{}"], () => "{}"])("is false, not an error, for %s", (value) => {
    expect(check(value as string)).toBe(false);
  });
});

it("hostile texts are judged in time that grows with their length only", () => {
  const parts = ["a", "a.", "a@", "-", "http://a", "a:", "[", "1:", "::", "."];
  for (const part of parts) {
    for (const text of [
      part.repeat(200_000),
      `http://${part.repeat(200_000)}`,
      `http://[${part.repeat(200_000)}]`,
    ]) {
      expect([isEmail(text), isUuid(text)]).toEqual([false, false]);
      expect(typeof isUrl(`${text} `)).toBe("boolean");
    }
  }
});
