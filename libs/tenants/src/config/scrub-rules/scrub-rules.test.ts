import { CONFIG_VALUE_BYTES_MAX, type ScrubberOpening } from "@bulkhead/core";
import { expect, test } from "vitest";
import { OWNER } from "../fixtures/config-world.ts";
import { createScrubRule, type ScrubRuleDeps } from "./scrub-rules.ts";
import { coverReason } from "./tenant-rules.ts";

/** A value that is accepted reaches the vault, which is down. */
const deps = {
  vault: { seal: () => Promise.reject(new Error("sealed")) },
} as unknown as ScrubRuleDeps;
const create = (value: string) => createScrubRule(deps, OWNER, { name: "rule", allowWeak: false, value });

test("a value is bounded in bytes, not in characters", async () => {
  const wide = "küß!".repeat(CONFIG_VALUE_BYTES_MAX / 4);
  await expect(create(wide)).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "value", message: expect.stringContaining(`${CONFIG_VALUE_BYTES_MAX} bytes`) }],
  });
  await expect(create("k3y!".repeat(CONFIG_VALUE_BYTES_MAX / 4).slice(1) + "x")).rejects.toThrow("sealed");
});

test("a reason is covered by the rules of its tenant, and none needs none", async () => {
  const rules = [
    { id: "scr_1", name: "word", sealed: "sealed", pattern: null, wholeWordsOnly: true },
    { id: "scr_2", name: "number", sealed: null, pattern: "N-[0-9]+", wholeWordsOnly: false },
  ];
  const opened: ScrubberOpening[] = [];
  const covering = {
    scrubRules: { list: async () => rules },
    vault: { open: async (sealed: string) => `un${sealed}` },
    scrubbers: {
      open: (opening: ScrubberOpening) => (opened.push(opening), { text: (text: string) => `<${text}>` }),
    },
  } as unknown as Parameters<typeof coverReason>[0];
  expect(await coverReason(covering, "ten_1", undefined)).toBeUndefined();
  expect(await coverReason(covering, "ten_1", "too much")).toBe("<too much>");
  expect(opened).toEqual([
    {
      needles: [{ value: "unsealed", wholeWordsOnly: true }],
      patterns: [{ name: expect.stringContaining("number"), source: "N-[0-9]+" }],
    },
  ]);
});
