import * as fc from "fast-check";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openAccessKeys } from "../vault/access-keys.ts";
import { closeBox } from "../vault/box.ts";
import { makeMasterKey, masterKeys } from "../vault/fixtures/master-keys.ts";
import { openSession, sealSession } from "./session-text.ts";

const master = makeMasterKey();
const keys = openAccessKeys(masterKeys(master));
const SESSION = { keyHash: randomBytes(32).toString("hex"), goodUntil: new Date(1_900_000_000_000) };

test("a session opens as it was sealed, and shows nothing of it", () => {
  const texts = [sealSession(keys, SESSION), sealSession(keys, SESSION)];
  expect(new Set(texts).size).toBe(2);
  for (const text of texts) {
    expect(openSession(keys, text)).toEqual(SESSION);
    expect(text).not.toContain(SESSION.keyHash);
    expect(text).toMatch(/^[A-Za-z0-9_.-]{1,300}$/);
  }
});

test("a session of which any character is another does not open", () => {
  const text = sealSession(keys, SESSION);
  for (let at = 0; at < text.length; at += 1)
    for (const other of "AZaz09-_.=+/ é".split("").filter((char) => char !== text[at]))
      expect(openSession(keys, text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
});

test("a session that is cut or put together from two does not open", () => {
  const [one, other] = [sealSession(keys, SESSION), sealSession(keys, SESSION)];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: one.length - 1 }), (cut) => {
      const made = [one.slice(0, cut), one.slice(cut), other.slice(0, cut) + one.slice(cut)];
      for (const text of made.filter((whole) => whole !== one && whole !== other))
        expect(openSession(keys, text)).toBeNull();
    }),
  );
});

test("whatever else is sent does not open, and breaks nothing", () => {
  const parts = fc.oneof(fc.string(), fc.constantFrom("1", keys.current.id, "AAAA", ""));
  const texts = fc.oneof(
    fc.string(),
    fc.array(parts, { maxLength: 5 }).map((some) => some.join(".")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(openSession(keys, text)).toBeNull();
    }),
  );
});

test("a box of the same key for something else is no session", () => {
  const plain = Buffer.from(JSON.stringify([SESSION.keyHash, SESSION.goodUntil.getTime()]));
  const { id, sealing } = keys.current;
  for (const bound of [["session", "2", id], ["session", "1", "ffffffff"], ["token", "1", id], []])
    expect(openSession(keys, `1.${id}.${closeBox(sealing, plain, bound)}`)).toBeNull();
});

test("a session outlives its master key for as long as that is among the former ones", () => {
  const text = sealSession(keys, SESSION);
  const next = makeMasterKey();
  expect(openSession(openAccessKeys(masterKeys(next, master)), text)).toEqual(SESSION);
  expect(openSession(openAccessKeys(masterKeys(next)), text)).toBeNull();
});
