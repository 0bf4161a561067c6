import { expect, test } from "vitest";
import { until } from "./until.ts";

test("it returns the first truthy value", async () => {
  let asked = 0;
  expect(await until(() => (asked += 1) > 2 && asked, { what: "asked three times" })).toBe(3);
});

test("a fact that throws counts as not yet, and the last error is told when the time is up", async () => {
  let asked = 0;
  const fact = (): boolean => {
    asked += 1;
    if (asked === 1) throw new Error("not there");
    return true;
  };
  expect(await until(fact, { what: "there" })).toBe(true);
  const never = until(() => Promise.reject(new Error("refused")), { timeoutMs: 0, what: "it answers" });
  await expect(never).rejects.toThrow(/within 0 ms .*it answers \(last error: Error: refused\)/u);
});

test("a fact that stays false is told with the last value seen", async () => {
  await expect(until(() => 0, { timeoutMs: 0, what: "the counter is up" })).rejects.toThrow(
    /the counter is up \(last seen: 0\)/u,
  );
});
