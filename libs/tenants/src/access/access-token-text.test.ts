import * as fc from "fast-check";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { ACCESS_OPERATIONS, SCOPE_EXECUTIONS_MAX, SCOPE_TOOLS_MAX } from "@bulkhead/core";
import { openAccessKeys } from "../vault/access-keys.ts";
import { makeMasterKey, masterKeys } from "../vault/fixtures/master-keys.ts";
import { readAccessToken, writeAccessToken, type TokenClaims } from "./access-token-text.ts";

const master = makeMasterKey();
const keys = openAccessKeys(masterKeys(master));

const id = (prefix: string, digits: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef".split("")), { minLength: digits, maxLength: digits })
    .map((chars) => prefix + chars.join(""));
const claims: fc.Arbitrary<TokenClaims> = fc.record(
  {
    id: id("tok_", 16),
    tenantId: id("ten_", 16),
    keyId: id("key_", 16),
    goodUntil: fc.date({ noInvalidDate: true }),
    operations: fc.subarray([...ACCESS_OPERATIONS], { minLength: 1 }),
    tools: fc.array(id("tool_", 16), { minLength: 1, maxLength: 5 }),
    executions: fc.array(id("exe_", 32), { minLength: 1, maxLength: 5 }),
  },
  { requiredKeys: ["id", "tenantId", "keyId", "goodUntil", "operations"] },
);
const SAMPLE: TokenClaims = {
  id: "tok_0123456789abcdef",
  tenantId: "ten_0123456789abcdef",
  keyId: "key_0123456789abcdef",
  goodUntil: new Date(1_900_000_000_000),
  operations: ["execute"],
  tools: ["a_tool"],
};

test("a token says what was written into it", () => {
  fc.assert(
    fc.property(claims, (said) => {
      expect(readAccessToken(keys, writeAccessToken(keys, said))).toEqual(said);
    }),
  );
});

test("a token of which any character is another says nothing", () => {
  const token = writeAccessToken(keys, SAMPLE);
  const others = "AZaz09-_.=+/ \u0000é".split("");
  for (let at = 0; at < token.length; at += 1)
    for (const other of others.filter((char) => char !== token[at])) {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(readAccessToken(keys, changed), changed).toBeNull();
    }
});

test("a token that is cut, doubled or put together from two says nothing", () => {
  fc.assert(
    fc.property(claims, fc.nat(), fc.nat(), (said, cut, from) => {
      const [token, other] = [writeAccessToken(keys, SAMPLE), writeAccessToken(keys, said)];
      const parts = [token.slice(0, cut % token.length), token.slice(1 + (from % token.length))];
      const mixed = token.split(".").map((part, n) => (n === from % 4 ? other.split(".")[n] : part));
      const made = [...parts, token + token, `${token}.`, `.${token}`, mixed.join(".")];
      for (const text of made.filter((one) => one !== token && one !== other))
        expect(readAccessToken(keys, text)).toBeNull();
    }),
  );
});

test("whatever else is sent says nothing, and breaks nothing", () => {
  const parts = fc.oneof(fc.string(), fc.constantFrom("bht_1", keys.current.id, "e30", ""));
  const texts = fc.oneof(
    fc.string(),
    fc.array(parts, { maxLength: 6 }).map((some) => some.join(".")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(readAccessToken(keys, text)).toBeNull();
    }),
  );
});

test("no signature of another kind is taken: none, another hash, another version, another key of the same master", () => {
  const [prefix, keyId, said] = writeAccessToken(keys, SAMPLE).split(".");
  const signed = `${prefix}.${keyId}.${said}`;
  const by = (hash: string, text: string, key = keys.current.signing) =>
    createHmac(hash, key).update(text).digest("base64url");
  const jwt = Buffer.from('{"alg":"none"}').toString("base64url");
  const forged = [
    `${signed}.`,
    signed,
    `${signed}.${by("sha1", signed)}`,
    `${signed}.${by("sha512", signed)}`,
    `${signed}.${by("sha256", String(said))}`,
    `${signed}.${by("sha256", signed, keys.current.sealing)}`,
    `bht_2.${keyId}.${said}.${by("sha256", `bht_2.${keyId}.${said}`)}`,
    `bht_${jwt}.${said}.`,
    `${prefix}.${jwt}.${said}.${by("sha256", signed)}`,
  ];
  for (const text of forged) expect(readAccessToken(keys, text), text).toBeNull();
});

test("a token outlives its master key for as long as that is among the former ones", () => {
  const token = writeAccessToken(keys, SAMPLE);
  const next = makeMasterKey();
  expect(readAccessToken(openAccessKeys(masterKeys(next, master)), token)).toEqual(SAMPLE);
  expect(readAccessToken(openAccessKeys(masterKeys(next)), token)).toBeNull();
  expect(readAccessToken(openAccessKeys(masterKeys(master)), token)).toEqual(SAMPLE);
});

test("the longest scope makes a token that is read", () => {
  const tools = Array.from({ length: SCOPE_TOOLS_MAX }, (_, n) => `${n}`.padEnd(64, "x"));
  const executions = Array.from({ length: SCOPE_EXECUTIONS_MAX }, (_, n) => `exe_${n}`.padEnd(36, "0"));
  const longest = { ...SAMPLE, operations: ACCESS_OPERATIONS, tools, executions };
  const token = writeAccessToken(keys, longest);
  expect(readAccessToken(keys, token)).toEqual(longest);
  expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
});
