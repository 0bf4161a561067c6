import { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { fakeScrubbers, toNeedle } from "../fixtures/fake-scrubbers.ts";
import { coverWords } from "./cover-words.ts";
import type { SecretDeps } from "./open-secrets.ts";

const depsOf = (open: () => Promise<unknown>) =>
  ({
    configs: { open },
    scrubbers: fakeScrubbers(),
    scrubRules: { open: () => Promise.resolve({ needles: [toNeedle("ruled")], patterns: [] }) },
  }) as unknown as SecretDeps;

test("secrets of the services and of rules are covered in words of strangers", async () => {
  const entries = [
    {
      label: "one",
      isDefault: true,
      values: {},
      secrets: [{ value: "s3cret", wholeWordsOnly: false, revealed: false, hosts: [] }],
    },
  ];
  const cover = await coverWords(
    depsOf(() => Promise.resolve([{ name: "github", entries }])),
    "ten_a",
    ["github"],
  );
  expect(cover.text("s3cret and ruled")).toBe("[REDACTED] and [REDACTED]");
  expect(cover.json('{"a":"s3cret"}')).toBe('{"a":"[REDACTED]"}');
});

test("where a secret can't be opened nothing is covered", async () => {
  const deps = depsOf(() => Promise.reject(new Fault("vault.unreadable")));
  await expect(coverWords(deps, "ten_a", ["github"])).rejects.toMatchObject({ code: "vault.unreadable" });
});
