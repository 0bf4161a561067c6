import { REDACTED } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { afterAll, expect, test } from "vitest";
import { DocumentThreads } from "./document-threads.ts";
import { needle } from "./fixtures/arbitraries.ts";
import { openScrubbers } from "./open-scrubbers.ts";

const threads = new DocumentThreads();
afterAll(() => threads.close());

const OPENING = {
  needles: [needle("s3cr3t-Value/1")],
  patterns: [{ name: "rule:orders", source: "ORD-[0-9]{6}" }],
};
const open = () => openScrubbers({ threads }).open(OPENING);
const SAID = {
  a: "is s3cr3t-Value/1",
  password: "hunter2",
  order: "ORD-123456",
  "s3cr3t-Value/1": [1, null],
};

test("a thread covers a document as this one does, and counts the same", async () => {
  const json = JSON.stringify(Array.from({ length: 1_000 }, () => SAID));
  const [scrubber, here] = [open(), openScrubbers().open(OPENING)];
  const covered = await scrubber.document("ten_a", json);
  expect(covered?.json).toBe(here.json(json));
  expect(covered?.json).not.toContain("s3cr3t");
  expect([...(covered?.counts ?? [])]).toEqual([...here.counts]);
  expect([...scrubber.counts]).toEqual([...here.counts]);
});

test("what was added since is covered too, and what holds no secret is the same text", async () => {
  const scrubber = open();
  const json = JSON.stringify({ says: "later-Value-42" });
  expect(await scrubber.document("ten_a", json)).toEqual({ json, counts: new Map() });
  scrubber.add([needle("later-Value-42")]);
  expect((await scrubber.document("ten_a", json))?.json).toBe(`{"says":"${REDACTED}"}`);
});

test.each([
  ["what is no JSON", '{"a":'],
  ["what nests too deep", "[".repeat(200) + "]".repeat(200)],
])("%s is null", async (_what, json) => {
  expect(await open().document("ten_a", json)).toBeNull();
});

const FOUR_MIB = 4 * 1024 * 1024;
const listOf = (item: string): string => `[${`${item},`.repeat(FOUR_MIB / (item.length + 1) - 1)}${item}]`;

const LARGE: [what: string, item: string][] = [
  ["secrets", '"s3cr3t-Value/1"'],
  ["empty lists", "[]"],
  ["escapes", '"\\u0073&amp;\\\\"'],
  ["beginnings of tokens", '"ghp_ sk-ant- password: "'],
];
test.runIf(isNightly).each(LARGE)("four megabytes of %s do not end the thread", async (_what, item) => {
  expect(await open().document("ten_a", listOf(item))).not.toBeNull();
});

test("without a thread nothing is covered, and that is told", async () => {
  const closed = new DocumentThreads();
  await closed.close();
  const scrubber = openScrubbers({ threads: closed }).open(OPENING);
  await expect(scrubber.document("ten_a", "1")).rejects.toMatchObject({ code: "service.unavailable" });
});
