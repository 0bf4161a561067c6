import { afterAll, expect, test } from "vitest";
import { DocumentThreads } from "./document-threads.ts";
import { needle } from "./fixtures/arbitraries.ts";
import { openScrubbers } from "./open-scrubbers.ts";

const threads = new DocumentThreads();
afterAll(() => threads.close());

const FOUR_MIB = 4 * 1024 * 1024;
const listOf = (item: string): string => `[${`${item},`.repeat(FOUR_MIB / (item.length + 1) - 1)}${item}]`;

test.each([
  ["empty lists", listOf("[]")],
  ["escapes", listOf('"\\u0073&amp;\\\\"')],
  ["beginnings of tokens", listOf('"ghp_ sk-ant- password: "')],
])("four megabytes of %s do not end the thread", async (_what, json) => {
  const scrubber = openScrubbers({ threads }).open({ needles: [needle("s3cr3t-Value/1")], patterns: [] });
  expect(await scrubber.document("ten_a", json)).not.toBeNull();
});
