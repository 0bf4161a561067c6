import { LOG_WORDS_MAX, type ExecutionEvent } from "@bulkhead/core";
import { expect, test } from "vitest";
import { toBlocks } from "./event-block.ts";
import { aLog, anEnd, anExecution } from "./fixtures/stream-examples.ts";
import { PAGE_BYTES_MAX } from "./names.ts";
import { packEntries, unpackPiece } from "./pack-log.ts";
import { eventsBehind } from "./read-log.ts";

const key = anExecution({ status: "succeeded", endEventId: "1-99" });
const started: ExecutionEvent = { ...aLog(key, "1-2"), type: "execution.started" };
const line = (n: number, text: string): ExecutionEvent =>
  ({ ...aLog(key, `1-${n}`), type: "execution.log", text, level: "info" }) satisfies ExecutionEvent;
const value = (n: number, json: object): ExecutionEvent =>
  ({ ...aLog(key, `1-${n}`), type: "execution.progress", value: json }) as ExecutionEvent;

const pack = (...events: ExecutionEvent[]) =>
  packEntries(
    toBlocks(events).map(({ text }) => text),
    { withoutErrors: false },
  );
const unpack = async (packed: ReturnType<typeof pack>): Promise<ExecutionEvent[]> =>
  eventsBehind(
    "0-0",
    await Promise.all((packed.log?.pieces ?? []).map((piece) => unpackPiece(piece.packed))),
  );

test("all events but the end come back as they were", async () => {
  const told = [started, line(3, "a \u0000 b \ud800 \n c"), value(4, { deep: [1, "two"] })];
  const packed = pack(...told, anEnd(key));
  expect(packed.hasEnd).toBe(true);
  expect(packed.log?.pieces).toMatchObject([{ firstId: "1-2", lastId: "1-4" }]);
  expect(await unpack(packed)).toEqual(told);
});

test("a log whose end is still on its way has none", () => {
  expect(pack(started, line(3, "a")).hasEnd).toBe(false);
});

test.each([
  ["nothing", []],
  ["no more than that it began", [started]],
  ["no more than how it began and ended", [started, anEnd(key)]],
])("a log that says %s is not kept", (_what, events) => {
  expect(pack(...events).log).toBeNull();
});

test("what is no event is left out", async () => {
  const packed = packEntries([`garbage\n${JSON.stringify(line(3, "a"))}`, "null", ""], {
    withoutErrors: false,
  });
  expect(await unpack(packed)).toEqual([line(3, "a")]);
});

test("what goes with the result is not in what is kept: the texts of the errors for which it was tried again", async () => {
  const error = { code: "tool.threw", message: "no seat for Ada", retryAfterMs: 5 } as const;
  const retrying = {
    ...aLog(key, "2-1"),
    attempt: 2,
    type: "execution.retrying",
    error,
    delayMs: 10,
  } as const;
  const texts = toBlocks([line(3, "a"), retrying]).map(({ text }) => text);
  expect(await unpack(packEntries(texts, { withoutErrors: false }))).toMatchObject([{}, { error }]);
  const [said, announced] = await unpack(packEntries(texts, { withoutErrors: true }));
  expect(said).toEqual(line(3, "a"));
  expect(announced).toMatchObject({ id: "2-1", delayMs: 10, error: { code: "tool.threw" } });
  expect(JSON.stringify(announced)).not.toContain("Ada");
});

test("each piece is a page, and a larger event a piece of its own", async () => {
  const large = value(3, { text: "x".repeat(3 * PAGE_BYTES_MAX) });
  const lines = Array.from({ length: 600 }, (_, n) => line(n + 4, "y".repeat(1_000)));
  const packed = pack(large, ...lines);
  const sizes = await Promise.all(
    (packed.log?.pieces ?? []).map(async (piece) => (await unpackPiece(piece.packed)).length),
  );
  expect(sizes[0]).toBeGreaterThan(3 * PAGE_BYTES_MAX);
  expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  expect(await unpack(packed)).toEqual([large, ...lines]);
});

test("a log is found by the words of its lines and values", () => {
  const { log } = pack(
    started,
    line(3, "Connection refused: api.example.com"),
    value(4, { Done: "Über 42 %" }),
  );
  expect(log?.words).toEqual(["done", "uber", "42", "connection", "refused", "api", "example", "com"]);
});

test("what is written without blanks is found by any part of it", () => {
  expect(pack(line(3, "发票已生成")).log?.words).toEqual(["发票", "票已", "已生", "生成", "成"]);
});

test("of more words than count those of the last lines do, and long ones are cut", () => {
  const many = Array.from({ length: 2 * LOG_WORDS_MAX }, (_, n) => `${n}`).join(" ");
  expect(pack(line(3, many)).log?.words).toHaveLength(LOG_WORDS_MAX);
  expect(pack(line(3, many), line(4, "the disk is full")).log?.words.slice(0, 4)).toEqual([
    "the",
    "disk",
    "is",
    "full",
  ]);
  expect(pack(line(3, "x".repeat(1_000))).log?.words).toEqual(["x".repeat(64)]);
});

test("a piece that would unpack to more than was ever packed is refused", async () => {
  const { zstdCompressSync } = await import("node:zlib");
  await expect(unpackPiece(zstdCompressSync(Buffer.alloc(64 * 1024 * 1024)))).rejects.toThrow();
});
