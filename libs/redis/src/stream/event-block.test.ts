import { newExecutionId, newTenantId } from "@bulkhead/core";
import { expect, test } from "vitest";
import { toBlocks } from "./event-block.ts";
import { aLog, anEnd, anExecution } from "./fixtures/stream-examples.ts";
import { BLOCK_BYTES_MAX } from "./names.ts";

const key = { tenantId: newTenantId(), executionId: newExecutionId(new Date()) };
const logs = (count: number) => Array.from({ length: count }, (_, n) => aLog(key, `1-${n + 1}`));

test("events go together up to a block's bytes, in their order", () => {
  const blocks = toBlocks(logs(1_000));
  expect(blocks.length).toBeLessThan(20);
  expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  for (const { text, count, bytes } of blocks) {
    expect(bytes).toBeLessThanOrEqual(BLOCK_BYTES_MAX);
    expect(text.split("\n")).toHaveLength(count);
  }
  const read = blocks.flatMap(({ text }) => text.split("\n").map((line) => JSON.parse(line) as unknown));
  expect(read).toEqual(logs(1_000));
  expect(blocks[0]?.firstId).toBe("1-1");
  expect(blocks.at(-1)?.lastId).toBe("1-1000");
});

test("each attempt and each end has an entry of its own, and so has what is larger than a block", () => {
  const end = anEnd(anExecution({ ...key, status: "succeeded", endEventId: "2-3", attempt: 2 }));
  const large = { ...aLog(key, "2-2"), text: "x".repeat(2 * BLOCK_BYTES_MAX) };
  const blocks = toBlocks([...logs(2), aLog(key, "2-1"), large, end]);
  expect(blocks.map(({ firstId, lastId }) => [firstId, lastId])).toEqual([
    ["1-1", "1-2"],
    ["2-1", "2-1"],
    ["2-2", "2-2"],
    ["2-3", "2-3"],
  ]);
});
