import { describe, expect, test } from "vitest";
import { mirrorVault } from "./fixtures/deliveries.ts";
import { readCallback } from "./read-callback.ts";
import { writeSigningSecret } from "./signing-secret.ts";

const deps = {
  vault: mirrorVault,
  egressPolicy: { refusalOf: (url: string) => (url.includes("10.0.0.1") ? "it is private" : null) },
};
const read = (url: string, secret?: string) => readCallback(deps, "ten_1", { url, secret });
const secretOfBytes = (bytes: number): string => writeSigningSecret(new Uint8Array(bytes).fill(7));

test("a URL is kept in the notation in which it will be called", async () => {
  expect(await read("https://Hooks.Example.com:443/a b#part")).toEqual({
    url: "https://hooks.example.com/a%20b",
    sealedSecret: null,
  });
});

test.each([
  ["not a URL", "nonsense", /must be a URL/],
  ["one that is too long", `https://example.com/${"x".repeat(2_100)}`, /2048 characters/],
  ["one that gets too long", `https://example.com/${"ö".repeat(1_000)}`, /2048 characters/],
  ["one with credentials", "https://me:word@example.com/", /user name/],
  ["a place that is not open", "https://10.0.0.1/", /it is private/],
])("%s is refused as callback.url", async (_what, url, why) => {
  await expect(read(url)).rejects.toMatchObject({
    code: "request.invalid",
    detail: expect.stringMatching(why),
    errors: [{ path: "callback.url", message: expect.stringMatching(why) }],
  });
});

describe("a caller's secret", () => {
  test.each([24, 32, 64])("of %i bytes is sealed for the tenant", async (bytes) => {
    const secret = secretOfBytes(bytes);
    const { sealedSecret } = await read("https://example.com/", secret);
    expect(
      await mirrorVault.open(sealedSecret ?? "", { tenantId: "ten_1", purpose: "callback.secret" }),
    ).toBe(secret);
    expect(sealedSecret).not.toBe(secret);
  });

  test.each([
    ["too few bytes", secretOfBytes(23)],
    ["too many bytes", secretOfBytes(65)],
    ["another prefix", "sk_hunter2hunter2hunter2hunter2hunter2"],
    ["no base64", "whsec_hunter2!hunter2!hunter2!hunter2!hunter2!"],
    ["nothing", ""],
  ])("with %s is refused as callback.secret, and not repeated", async (_what, secret) => {
    const fault = await read("https://example.com/", secret).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "request.invalid", errors: [{ path: "callback.secret" }] });
    expect(JSON.stringify(fault)).not.toContain("hunter2");
  });

  test("may come without its padding", async () => {
    const secret = secretOfBytes(32).replace(/=+$/, "");
    expect((await read("https://example.com/", secret)).sealedSecret).not.toBeNull();
  });
});
