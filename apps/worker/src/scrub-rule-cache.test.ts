import type { ScrubRuleStore, Signal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubRuleCache } from "./scrub-rule-cache.ts";

function open() {
  const asked: string[] = [];
  const listeners: ((signal: Signal) => void)[] = [];
  const scrubRules: Pick<ScrubRuleStore, "list"> = {
    list: (tenantId) => Promise.resolve((asked.push(tenantId), [])),
  };
  const bus = {
    connected: true,
    subscribe: (listener: (signal: Signal) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const tell = (id: string) => listeners.forEach((hear) => hear({ type: "forget", kind: "tenant", id }));
  return { cache: openScrubRuleCache({ scrubRules, bus }), asked, tell, bus };
}

test("that a tenant has no rules is asked once", async () => {
  const { cache, asked } = open();
  expect(await cache.list("ten_a")).toEqual([]);
  await cache.list("ten_a");
  await cache.list("ten_b");
  expect(asked).toEqual(["ten_a", "ten_b"]);
});

test("a tenant's rules are asked for again once they were changed", async () => {
  const { cache, asked, tell } = open();
  await cache.list("ten_a");
  tell("ten_b");
  await cache.list("ten_a");
  tell("ten_a");
  await cache.list("ten_a");
  expect(asked).toEqual(["ten_a", "ten_a"]);
});

test("nothing is believed while words of a change may be missed", async () => {
  const { cache, asked, bus } = open();
  await cache.list("ten_a");
  bus.connected = false;
  await cache.list("ten_a");
  expect(asked).toEqual(["ten_a", "ten_a"]);
});
