import { beforeEach, expect, test } from "vitest";
import type { Tool } from "@bulkhead/client";
import { BLANK, BLANK_COMMAND, type Draft } from "./draft.ts";
import { forgetDraft, keepDraft, type KeptDraft, laterDraft, readDraft } from "./kept-draft.ts";

const held = new Map<string, string>();
const store = {
  readOwn: (key: string) => held.get(key) ?? null,
  keepOwn: (key: string, value: string) => held.set(key, value).size > 0,
  forgetOwn: (key: string) => void held.delete(key),
};
const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const kept = (more: Partial<KeptDraft> = {}): KeptDraft => ({
  draft: { ...BLANK, code: "return 1;" },
  base: BLANK,
  version: null,
  at: NOW,
  ...more,
});

beforeEach(() => held.clear());

test("each tool has its own draft, and a new one has one", () => {
  keepDraft(store, null, kept());
  keepDraft(store, "tool_1", kept({ version: 3 }));
  expect(readDraft(store, null, NOW)).toEqual(kept());
  expect(readDraft(store, "tool_1", NOW)?.version).toBe(3);
  forgetDraft(store, "tool_1");
  expect([readDraft(store, "tool_1", NOW), readDraft(store, null, NOW)]).toEqual([null, kept()]);
});

test("a draft is offered for thirty days", () => {
  keepDraft(store, null, kept({ at: NOW - 29 * DAY_MS }));
  expect(readDraft(store, null, NOW)).not.toBe(null);
  expect(readDraft(store, null, NOW + 2 * DAY_MS)).toBe(null);
});

test("of variables the names are kept, and that a value would be lost is told", () => {
  const draft = { ...BLANK_COMMAND, command: "date", env: { KEY: "a-secret-value", MODE: null } };
  expect(keepDraft(store, null, kept({ draft, base: BLANK_COMMAND }))).toBe(false);
  expect(JSON.stringify([...held])).not.toContain("a-secret-value");
  expect(readDraft(store, null, NOW)?.draft.env).toEqual({ KEY: null, MODE: null });
  expect(keepDraft(store, null, kept({ draft: { ...draft, env: { KEY: null } } }))).toBe(true);
});

test("one that is too large is not kept, nor what it grew out of", () => {
  keepDraft(store, null, kept());
  expect(keepDraft(store, null, kept({ draft: { ...BLANK, code: "x".repeat(1_000_000) } }))).toBe(false);
  expect(held.size).toBe(0);
});

test.each([
  ["texts in the place of a list", { draft: { ...BLANK, permissions: "network" } }],
  ["nothing in the place of a service", { draft: { ...BLANK, requiredConfigServices: [null] } }],
  ["a list in the place of an object", { base: { ...BLANK, limits: [] } }],
  ["a number in the place of a variable's value", { draft: { ...BLANK_COMMAND, env: { A: 1 } } }],
  ["a number in the place of a text", { draft: { ...BLANK, title: 3 } }],
  ["a moment that no date tells", { at: 1e300 }],
])("a draft with %s can't be shown, and counts as none", (_what, more) => {
  held.set("draft.new", JSON.stringify({ ...kept(), ...more }));
  expect(readDraft(store, null, NOW)).toBe(null);
});

test.each(["", "{", "3", "{}", '{"draft":{},"base":{},"at":1}', '{"draft":{"name":1}}'])(
  "%j in the store counts as no draft",
  (text) => {
    held.set("draft.new", text);
    expect(readDraft(store, null, NOW)).toBe(null);
  },
);

test("what is written while a new tool is being made is a draft of that tool", () => {
  const sent: Draft = { ...BLANK, name: " greet", code: "return 1;" };
  const tool = { ...sent, name: "greet", title: "Greet", version: 1 } as Tool;
  expect(laterDraft(tool, sent, { ...sent }, NOW)).toBe(null);
  const later = laterDraft(tool, sent, { ...sent, code: "return 12;" }, NOW);
  expect(later?.draft).toEqual({ ...BLANK, name: "greet", title: "Greet", code: "return 12;" });
  expect(later).toMatchObject({ base: { code: "return 1;" }, version: 1, at: NOW });
});
