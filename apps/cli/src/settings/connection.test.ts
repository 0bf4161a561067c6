import { expect, test } from "vitest";
import { chooseConnection, isHeardByOthers, serverUrl, type Chosen } from "./connection.ts";

const config = {
  current: "default",
  profiles: {
    default: { url: "https://a.example", key: "bh_a" },
    staging: { url: "https://b.example", key: "bh_b" },
  },
};
const choose = (chosen: Partial<Chosen>) => chooseConnection({ env: {}, config, ...chosen });
const ENV = { BULKHEAD_URL: "https://env.example", BULKHEAD_KEY: "bh_env" };

test("the profile that was logged in to last counts where nothing else is said", () => {
  expect(choose({})).toEqual({ url: "https://a.example", key: "bh_a", profile: "default" });
});

test("the environment goes before it, and a profile that was named before both", () => {
  expect(choose({ env: ENV })).toEqual({ url: "https://env.example", key: "bh_env" });
  expect(choose({ env: ENV, profile: "staging" })).toMatchObject({ url: "https://b.example", key: "bh_b" });
});

test("an address that was typed goes before all others", () => {
  expect(choose({ env: ENV, url: "https://typed.example" })).toMatchObject({ url: "https://typed.example" });
});

test("a kept key is never sent to another server than the one that it was kept for", () => {
  for (const chosen of [{ url: "https://evil.example" }, { env: { BULKHEAD_URL: "https://evil.example" } }])
    expect(() => choose(chosen)).toThrow("There is no key for https://evil.example.");
  expect(choose({ url: "https://a.example/" })).toMatchObject({ key: "bh_a" });
});

test.each([
  ["an unknown profile", { profile: "nobody" }, /no profile "nobody"/],
  ["a word that every object has", { profile: "constructor" }, /no profile "constructor"/],
  ["no server at all", { config: { profiles: {} } }, /No server is known/],
])("%s is a fault that says how to log in", (_what, chosen, words) => {
  expect(() => choose(chosen)).toThrow(words);
});

test("a key that no header can carry is a fault that tells nothing of it", () => {
  for (const key of ["bh_a\nbh_b", "bh a", "bh_ä"])
    expect(() => choose({ env: { ...ENV, BULKHEAD_KEY: key } })).toThrow(
      /^BULKHEAD_KEY is no key: a key is one word/,
    );
  expect(choose({ env: { ...ENV, BULKHEAD_KEY: "bh_env\n" } })).toMatchObject({ key: "bh_env" });
});

test.each([
  ["https://a.example/", "https://a.example"],
  ["https://a.example/tools/api/v1/", "https://a.example/tools"],
  ["a.example", "https://a.example"],
  ["localhost:3000", "http://localhost:3000"],
  ["127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["127.0.0.1.evil.example", "https://127.0.0.1.evil.example"],
])("the address %s is %s", (said, url) => {
  expect(serverUrl(said, "--url")).toBe(url);
});

test.each(["", "ftp://a.example", "https://user:pass@a.example", "http://"])("%j is no address", (said) => {
  expect(() => serverUrl(said, "--url")).toThrow(/^--url/);
});

test("plain http is heard by others unless it stays on the machine", () => {
  const heard = ["http://a.example", "http://127.0.0.1:3000", "http://[::1]:3000", "https://a.example"].map(
    isHeardByOthers,
  );
  expect(heard).toEqual([true, false, false, false]);
});
