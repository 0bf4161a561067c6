import type { Effect, EffectAnswer, HmacRequest } from "@bulkhead/core";
import { isNightly, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, toolRun } from "./testing/tool-runs.ts";
import { Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());
const NEVER = new AbortController().signal;

/** Runs it with a worker that answers every signature with the same text. */
async function sign(code: string): Promise<{ value: unknown; asked: HmacRequest[]; heard: Heard }> {
  const asked: HmacRequest[] = [];
  const heard = new Heard((effect: Effect): EffectAnswer => {
    if (effect.kind !== "hmac") return { ok: false, code: "failed", message: "only signatures here" };
    asked.push(effect.request);
    if (effect.request.service === "unknown")
      return { ok: false, code: "invalid_request", message: "utils.hmac: no such service" };
    return { ok: true, head: "{}", body: "5ig", bodyEncoding: "utf8" };
  });
  const verdict = await pool.run(toolRun(code, {}, { bytesOut: 0 }), heard, NEVER);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return { value: verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined, asked, heard };
}

describe("utils.hmac", () => {
  const PLAIN = { service: "a", entry: null, field: null, algorithm: "sha256", encoding: "hex" };

  it("has the worker sign a text, also where the tool has no network and may send nothing", async () => {
    const { value, asked, heard } = await sign("return utils.hmac('a', 'größe')");
    expect(value).toBe("5ig");
    expect(asked).toEqual([{ ...PLAIN, data: "größe", dataEncoding: "utf8" }]);
    expect(heard.said).toEqual(["started", "hmac"]);
  });

  it("signs bytes, nothing, and what options say", async () => {
    const { asked } = await sign(`
      await utils.hmac('a', new Uint8Array([255, 0]));
      await utils.hmac('a', '');
      await utils.hmac('a', 7, { algorithm: 'sha512', encoding: 'base64url', entry: 'e', field: 'f' });`);
    expect(asked).toEqual([
      { ...PLAIN, data: "/wA=", dataEncoding: "base64" },
      { ...PLAIN, data: "", dataEncoding: "utf8" },
      {
        service: "a",
        entry: "e",
        field: "f",
        algorithm: "sha512",
        encoding: "base64url",
        data: "7",
        dataEncoding: "utf8",
      },
    ]);
  });

  it.each<[string, string, unknown]>([
    ["no key", "utils.hmac('unknown', 'x')", ["TypeError", "invalid_request", "utils.hmac: no such service"]],
    [
      "an algorithm it doesn't have",
      "utils.hmac('a', 'x', { algorithm: 'md5' })",
      ["RangeError", null, "utils.hmac: algorithm must be one of sha256, sha1, sha512"],
    ],
    ["no data", "utils.hmac('a')", ["TypeError", null, "utils.hmac: data must be a string"]],
    [
      "too much data",
      "utils.hmac('a', 'x'.repeat(262145))",
      ["TypeError", "invalid_request", "utils.hmac signs 262144 bytes at most: sign a digest of the data"],
    ],
  ])("rejects with %s", async (_, call, told) => {
    const code = `try { await ${call} } catch (e) { return [e.name, e.code ?? null, e.message] }`;
    expect((await sign(code)).value).toEqual(told);
  });

  it.runIf(isNightly)("signs a thousand times in one run and no more", async () => {
    const code = `for (let i = 0; i < 1000; i++) await utils.hmac('a', 'x');
      try { await utils.hmac('a', 'x') } catch (e) { return [e.code, e.message] }`;
    const { value, asked } = await sign(code);
    expect(value).toEqual(["invalid_request", "utils.hmac signs 1000 times in one run at most."]);
    expect(asked).toHaveLength(1_000);
  });
});

describe("auth of api.rest and api.graphql", () => {
  const CONFIG = {
    services: { mail: { entries: [{ label: "main", isDefault: true, data: { api_key: "bhs_key" } }] } },
  };
  const send = async (call: string) => {
    const upstream = new Upstream(['{"data":1}']);
    const configJson = JSON.stringify(CONFIG);
    const verdict = await pool.run(
      toolRun(`return ${call}`, { network: true, configJson }),
      upstream.heard,
      NEVER,
    );
    return { verdict, headers: upstream.asked[0]?.headers };
  };
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

  it.each<[string, [string, string]]>([
    ["api.rest({ url: 'https://a.example', auth: 'mail' })", ["authorization", "Bearer bhs_key"]],
    [
      "api.rest({ url: 'https://a.example', auth: { service: 'mail', scheme: 'basic', user: 'me' } })",
      ["authorization", basic("me:bhs_key")],
    ],
    [
      "api.rest({ url: 'https://a.example', auth: { service: 'mail', scheme: 'header', header: 'X-Token' } })",
      ["x-token", "bhs_key"],
    ],
    [
      "api.rest({ url: 'https://a.example', headers: { Authorization: 'x' }, auth: 'mail' })",
      ["authorization", "Bearer bhs_key"],
    ],
    [
      "api.graphql({ url: 'https://a.example', query: '{a}', auth: 'mail' })",
      ["authorization", "Bearer bhs_key"],
    ],
  ])("%s sends what stands for the key", async (call, header) => {
    const { verdict, headers } = await send(call);
    expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
    expect(headers).toContainEqual(header);
    expect(headers?.filter(([name]) => name === "authorization").length).toBeLessThanOrEqual(1);
  });

  it("sends nothing without the key, and says why", async () => {
    const { verdict, headers } = await send("api.rest({ url: 'https://a.example', auth: 'other' })");
    expect(headers).toBeUndefined();
    expect(verdict).toMatchObject({
      outcome: "threw",
      message: expect.stringContaining('the service "other" has no value for "api_key"'),
    });
  });
});
