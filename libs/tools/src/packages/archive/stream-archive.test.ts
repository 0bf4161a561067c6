import type { StreamedFile } from "@bulkhead/core";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { streamArchive } from "./stream-archive.ts";
import { toolArchive } from "./tool-archive.ts";

/** Too little order to wait in the compressor for more. */
const noise = (): string => randomBytes(64 * 1024).toString("base64");
const never = new AbortController().signal;
const file = (path: string, ...parts: string[]): StreamedFile => ({
  path,
  text: async function* () {
    yield* parts;
  },
});
const read = async (files: StreamedFile[]) =>
  toolArchive
    .read(await buffer(streamArchive(files, never)))
    .map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);

test("what is streamed is read again, empty files and long lines among it", async () => {
  const long = "grün ".repeat(100_000);
  expect(await read([file("a.ndjson", "1\n", "2\n"), file("b", ""), file("c"), file("d", long)])).toEqual([
    ["a.ndjson", "1\n2\n"],
    ["b", ""],
    ["c", ""],
    ["d", long],
  ]);
  expect(await read([])).toEqual([]);
});

test("a file is asked for when those before it are written, and no faster than the archive is taken", async () => {
  let asked = 0;
  const endless: StreamedFile = {
    path: "endless",
    text: async function* () {
      for (;;) {
        asked += 1;
        yield noise();
      }
    },
  };
  let isNextAsked = false;
  const next: StreamedFile = {
    path: "next",
    text: async function* () {
      isNextAsked = true;
      yield "";
    },
  };
  const archive = streamArchive([endless, next], never);
  archive.resume();
  await once(archive, "data");
  archive.pause();
  // A full turn of everything that could still be under way.
  let before = -1;
  while (before !== asked) {
    before = asked;
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  }
  expect(asked).toBeLessThan(20);
  expect(isNextAsked).toBe(false);
  archive.destroy();
});

const waiting = () => {
  const events: string[] = [];
  const text = async function* () {
    try {
      yield "a\n";
      for (;;) {
        await new Promise(setImmediate);
        yield noise();
      }
    } finally {
      events.push("left");
    }
  };
  return { events, file: { path: "a", text } };
};

test("a reader that leaves ends the text that it was at, and no other is begun", async () => {
  const { events, file: first } = waiting();
  const second: StreamedFile = {
    path: "b",
    text: async function* () {
      events.push("begun");
      yield "";
    },
  };
  const archive = streamArchive([first, second], never);
  await once(archive.resume(), "data");
  archive.destroy();
  await once(archive, "close");
  while (events.length === 0) await new Promise(setImmediate);
  expect(events).toEqual(["left"]);
});

test("a signal breaks the archive off", async () => {
  const { events, file: first } = waiting();
  const stop = new AbortController();
  const archive = streamArchive([first], stop.signal);
  const whole = buffer(archive);
  await once(archive, "data");
  stop.abort();
  await expect(whole).rejects.toMatchObject({ name: "AbortError" });
  while (events.length === 0) await new Promise(setImmediate);
  expect(events).toEqual(["left"]);
});

test("what a text throws breaks the archive off, so that it can't be taken for whole", async () => {
  const broken: StreamedFile = {
    path: "broken",
    text: async function* () {
      yield "a";
      throw new Error("the database is away");
    },
  };
  await expect(buffer(streamArchive([file("a", "b"), broken], never))).rejects.toThrow(
    "the database is away",
  );
});
