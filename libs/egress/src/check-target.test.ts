import { describe, expect, it } from "vitest";
import { checkTarget } from "./check-target.ts";
import { compileEgressAllow, parseEgressAllow } from "./egress-allow.ts";
import { parseTarget } from "./parse-target.ts";
import { Refusal } from "./refusal.ts";

const NAMES: Record<string, string[]> = {
  "public.test": ["8.8.8.8", "2606:4700::1111"],
  "private.test": ["10.0.0.7"],
  "mixed.test": ["8.8.8.8", "127.0.0.1"],
  "meta.test": ["169.254.169.254"],
  "garbage.test": ["8.8.8.8", "fe80::1%eth0"],
  "db.internal": ["10.0.0.8"],
  "six.test": ["::ffff:10.0.0.7"],
};

async function check(
  url: string,
  allowText = "",
): Promise<{ to?: string[]; code?: string; message?: string; asked: string[] }> {
  const parsed = parseEgressAllow(allowText);
  const asked: string[] = [];
  const lookup = async (name: string): Promise<string[]> => {
    asked.push(name);
    const found = NAMES[name];
    if (!found) throw new Error(`ENOTFOUND ${name}`);
    return found;
  };
  try {
    const allow = compileEgressAllow(parsed.ok ? parsed.rules : []);
    const to = await checkTarget({ allow, lookup }, parseTarget(url));
    return { to: to.map(({ text }) => text), asked };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, message: error.message, asked };
  }
}

describe("open to tools", () => {
  it.each<[string, string, string[]]>([
    ["https://public.test/", "", ["8.8.8.8", "2606:4700::1111"]],
    ["https://public.test:8443/", "", ["8.8.8.8", "2606:4700::1111"]],
    ["https://8.8.8.8/", "", ["8.8.8.8"]],
    ["https://[2606:4700::1111]/", "", ["2606:4700::1111"]],
    ["https://134744072/", "", ["8.8.8.8"]],
    ["http://public.test/", "public.test", ["8.8.8.8", "2606:4700::1111"]],
    ["http://private.test:8080/", "private.test:8080", ["10.0.0.7"]],
    ["http://private.test/", "10.0.0.0/8", ["10.0.0.7"]],
    ["http://127.0.0.1:4010/", "127.0.0.0/8", ["127.0.0.1"]],
    ["http://[::1]:4010/", "::1", ["::1"]],
    ["http://localhost:4010/", "127.0.0.0/8", ["127.0.0.1"]],
    ["http://db.internal/", "db.internal", ["10.0.0.8"]],
    ["http://169.254.169.254/", "169.254.169.254", ["169.254.169.254"]],
  ])("%s with %j", async (url, allow, to) => {
    expect((await check(url, allow)).to).toEqual(to);
  });
});

describe("refused, with the way to allow it", () => {
  it.each<[string, string, RegExp]>([
    [
      "https://127.0.0.1/",
      "",
      /127\.0\.0\.1 is a loopback address; an operator can allow it with EGRESS_ALLOW/,
    ],
    ["https://10.0.0.1/", "", /is a private address; an operator/],
    ["https://2130706433/", "", /127\.0\.0\.1 is a loopback/],
    ["https://0x7f.1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://0177.0.0.1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://127.1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://１２７.0.0.1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://①②⑦.0.0.1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://127。0。0。1/", "", /127\.0\.0\.1 is a loopback/],
    ["https://0x7F000001/", "", /127\.0\.0\.1 is a loopback/],
    ["https://017700000001/", "", /127\.0\.0\.1 is a loopback/],
    ["https://0300.0250.1/", "", /192\.168\.0\.1 is a private/],
    ["https://127.0.0.1\\@public.test/", "", /127\.0\.0\.1 is a loopback/],
    ["https://127.0.0.1./", "", /127\.0\.0\.1 is a loopback/],
    ["https://LOCALHOST/", "", /localhost is an internal name/],
    ["https://[::127.0.0.1]/", "", /not the address of a public host/],
    ["https://[64:ff9b::127.0.0.1]/", "", /is a loopback/],
    ["https://[64:ff9b::a9fe:a9fe]/", "", /metadata/],
    ["https://[64:ff9b:1::808:808]/", "", /not the address of a public host/],
    ["https://[2002:7f00:1::]/", "", /not the address of a public host/],
    ["https://[2001:0:7f00:1::]/", "", /not the address of a public host/],
    ["https://[fe80::1]/", "", /link-local|not the address of a public host/],
    ["https://[::1]/", "", /::1 is a loopback/],
    ["https://[::ffff:127.0.0.1]/", "", /is a loopback/],
    ["https://[::ffff:a9fe:a9fe]/", "", /metadata/],
    ["https://169.254.169.254/latest/meta-data", "", /metadata address/],
    ["https://[fd00:ec2::254]/", "", /metadata address/],
    ["https://0.0.0.0/", "", /not the address of a public host/],
    ["https://mixed.test/", "", /mixed\.test has no public address/],
    ["https://garbage.test/", "", /no public address/],
    ["https://six.test/", "", /no public address/],
    ["https://private.test/", "", /private\.test has no public address; an operator/],
    ["http://private.test:81/", "private.test:80", /use https/],
    ["https://private.test/", "10.0.0.1", /no public address/],
    ["http://public.test/", "", /use https/],
    ["http://8.8.8.8/", "", /use https/],
    ["http://public.test/", "10.0.0.0/8", /use https/],
    ["http://meta.test/", "meta.test", /does not point to an ordinary address/],
    ["http://meta.test/", "169.254.0.0/16", /no public address/],
    ["https://localhost/", "10.0.0.0/8", /localhost is this machine/],
    ["https://a.localhost/", "", /internal name/],
  ])("%s with %j", async (url, allow, message) => {
    const { code, message: text } = await check(url, allow);
    expect(code).toBe("egress_denied");
    expect(text).toMatch(message);
    expect(text).toMatch(/EGRESS_ALLOW/);
  });
});

it("the address of an internal name is never told", async () => {
  for (const name of ["private", "mixed", "meta", "six"])
    expect((await check(`https://${name}.test/`)).message).not.toMatch(/\d+\.\d+|::/);
});

it.each(["db.internal", "metadata.google.internal", "redis", "localhost", "printer.local", "nas.home.arpa"])(
  "%s is refused without asking whether it exists",
  async (name) => {
    expect(await check(`https://${name}/`)).toMatchObject({ code: "egress_denied", asked: [] });
  },
);

it("a name is looked up once", async () => {
  expect((await check("https://public.test/")).asked).toEqual(["public.test"]);
});

it("a name that isn't found is a failure of the request, not a refusal", async () => {
  expect(await check("https://nowhere.test/")).toMatchObject({
    code: "failed",
    message: "the name nowhere.test could not be resolved",
  });
});

describe("not a place at all", () => {
  it.each<[string, RegExp]>([
    ["", /not valid/],
    ["example.org", /not valid/],
    ["https://", /not valid/],
    ["https://[fe80::1%25eth0]/", /not valid/],
    ["https://127.0.0.256/", /not valid/],
    [`https://a.test/${"a".repeat(9_000)}`, /longer than/],
    [`https://a.test/${"é".repeat(2_000)}`, /longer than/],
    ["ftp://a.test/", /not ftp:/],
    ["file:///etc/passwd", /not file:/],
    ["data:text/plain,hi", /not data:/],
    ["https://user:secret@a.test/", /credentials/],
    ["https://user@a.test/", /credentials/],
    ["https://a.test@127.0.0.1/", /credentials/],
    ["https://[::1%25lo]/", /not valid/],
    ["https://a.test./", /ends with a dot/],
    ["https://localhost./", /ends with a dot/],
    ["https://a.test:25/", /port 25/],
    ["https://a.test:0/", /port 0/],
  ])("%s", (url, message) => {
    const code = /not valid|longer than/.test(message.source) ? "invalid_request" : "egress_denied";
    expect(() => parseTarget(url)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
