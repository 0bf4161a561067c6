import type { PlacedSecret } from "@bulkhead/core";
import { describe, expect, it } from "vitest";
import { placeSecret, VALUE } from "./local-secrets.ts";
import { get } from "./local-origins.ts";
import { readOutgoing } from "./outgoing.ts";
import { parseTarget } from "./parse-target.ts";
import { RedirectSecrets } from "./redirect-secrets.ts";
import { SecretExchange } from "./secret-exchange.ts";

const HOSTS = ["api.example.com", "*.example.org"];
const KEY = placeSecret({ hosts: HOSTS });
const FROM = "https://api.example.com/from";
const encoded = encodeURIComponent(VALUE);
const loosely = VALUE.replaceAll(" ", "+").replaceAll("&", "%26");

/** A fetch that sent the secret in its query, or in a header. */
function sent({ placeholder, secret }: PlacedSecret, where: "query" | "header") {
  const exchange = new SecretExchange([{ placeholder, secret }], 1_000);
  const redirects = new RedirectSecrets(exchange);
  const basic = `Basic ${Buffer.from(`:${placeholder}`).toString("base64")}`;
  const inHeader = get(FROM, { headers: [["authorization", basic]] });
  const request = where === "query" ? get(`${FROM}?${placeholder}`) : inHeader;
  exchange.fill(readOutgoing(request), redirects.sentOpenly);
  return redirects;
}
/** The redirect's target, and whether the tool may see it. */
function follow(location: string, placed = KEY, where: "query" | "header" = "query") {
  const redirects = sent(placed, where);
  const url = redirects.empty(location, parseTarget(FROM));
  return { url, isUrlSecret: redirects.isUrlSecret };
}
const refusalOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe("a redirect to a host that may know the secret", () => {
  it.each([encoded, encoded.toLowerCase(), loosely, `%73${encoded.slice(1)}`])(
    "has the placeholder for a value in its query: %s",
    (written) => {
      const url = `https://api.example.com/to?k=${KEY.placeholder}&z=1`;
      expect(follow(`/to?k=${written}&z=1`)).toEqual({ url, isUrlSecret: false });
    },
  );

  it.each(["ab?cdEFgh12", "abEFgh#cd12", "ab\\cdEFgh12", "a+b&c d#e?fghi"])(
    "has it too for a value that holds what ends a query: %s",
    (value) => {
      const placed = placeSecret({ hosts: HOSTS, value });
      const url = `https://api.example.com/to?k=${placed.placeholder}`;
      expect(follow(`/to?k=${value}`, placed)).toEqual({ url, isUrlSecret: false });
    },
  );

  it.each(["ab?cdEFgh12", "abEFgh#cd12", "a\\bcdEFgh12", "pä?sswörd12", "abc/../defgh12", "plain-value"])(
    "may have it in the path, which the tool isn't shown: %s",
    (value) => {
      const placed = placeSecret({ hosts: HOSTS, value });
      expect(follow(`/to/${value}`, placed).isUrlSecret).toBe(true);
      expect(follow(`https://x.example.org/${value}`, placed).isUrlSecret).toBe(true);
    },
  );

  it("keeps words that only hold a short value", () => {
    const short = placeSecret({ value: "key", hosts: HOSTS, wholeWordsOnly: true });
    expect(follow("/?monkeys=1", short).url).toContain("?monkeys=1");
    expect(follow("/?a=key", short).url).toContain(`?a=${short.placeholder}`);
  });
});

describe("a redirect to a host that may not know the secret is refused", () => {
  it.each(["https://evil.test/", "http://evil.test/a", "//evil.test", "ab:c", "\\\\evil.test"])(
    "whatever it holds, where the secret was in the query: %s",
    (location) => {
      expect(refusalOf(() => follow(location))).toMatchObject({
        code: "egress_denied",
        message: expect.stringMatching(
          /^api\.example\.com answered with a redirect .* "api_key" .* sent in the URL or the body/,
        ),
      });
    },
  );

  it("at a later redirect of the same fetch", () => {
    const redirects = sent(KEY, "query");
    redirects.empty("/next", parseTarget(FROM));
    redirects.empty("https://x.example.org/", parseTarget(FROM));
    const at = parseTarget("https://x.example.org/");
    expect(() => redirects.empty("https://evil.test/", at)).toThrow(/is not followed/);
  });

  it("after one that wrote into a path what was sent in a header", () => {
    const redirects = sent(KEY, "header");
    redirects.empty(`/to/${encoded}`, parseTarget(FROM));
    expect(() => redirects.empty("https://evil.test/", parseTarget(FROM))).toThrow(/is not followed/);
  });

  it.each([
    ["ab?cdEFgh12", "https://evil.test/ab?cdEFgh12"],
    ["abEFgh#cd12", "https://evil.test/?k=abEFgh#cd12"],
    ["a\\bcdEFgh12", "https://evil.test/a\\bcdEFgh12"],
    ["pä?sswörd12", "https://evil.test/pä?sswörd12"],
    ["pä?sswörd12", "https://evil.test/%70%C3%a4%3Fs"],
    // One byte for a letter, taken as it came.
    ["pä?sswörd12", "https://evil.test/p%E4?sswörd12"],
    ["Secret-Name", "https://secret-name.evil.test/"],
    ["abcdefgh", "https://evil.test/?u=%2561%2562cd"],
    ["https://hooks.test/T0/B1", "https://evil.test/?u=hooks.test"],
    [VALUE, `https://evil.test/?stolen=${encoded}`],
    [VALUE, `https://evil.test/${loosely}`],
  ])("where a header carried %s and it leads to %s", (value, location) => {
    const placed = placeSecret({ hosts: HOSTS, value });
    const refusal = refusalOf(() => follow(location, placed, "header"));
    expect(refusal).toMatchObject({
      code: "egress_denied",
      message: expect.stringMatching(/holds the secret/),
    });
    expect((refusal as Error).message).not.toContain("evil");
  });
});

describe("a redirect is left alone", () => {
  it("where a header carried the secret and it holds nothing of it", () => {
    const elsewhere = "https://cdn.test/s3c/?u=https://api.example.com/";
    const url = placeSecret({ hosts: HOSTS, value: "https://hooks.test/T0/B1" });
    for (const placed of [KEY, url])
      expect(follow(elsewhere, placed, "header")).toEqual({ url: elsewhere, isUrlSecret: false });
  });

  it("at a host that can't know a secret: what becomes of its guesses tells nothing", () => {
    const redirects = sent(KEY, "query");
    const guess = `https://other.test/${encoded}?k=${encoded}`;
    expect(redirects.empty(guess, parseTarget("https://evil.test/"))).toBe(guess);
    expect(redirects.isUrlSecret).toBe(false);
  });

  it("where no secret was sent, or it is no URL", () => {
    const redirects = new RedirectSecrets(new SecretExchange([KEY], 1_000));
    expect(redirects.empty(`/to?k=${encoded}`, parseTarget(FROM))).toBe(`/to?k=${encoded}`);
    expect(follow("https://[").url).toBe("https://[");
  });
});
