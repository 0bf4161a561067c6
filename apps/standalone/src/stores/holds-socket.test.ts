import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdsSocket } from "./holds-socket.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-holds-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a folder holds a socket whose path is short enough, and no trace of the question", async () => {
  await writeFile(join(folder, ".probe"), "of a start that was killed");
  const room = 103 - Buffer.byteLength(`${folder}/`);
  expect(await holdsSocket(folder, "x".repeat(room))).toBe(true);
  expect(await holdsSocket(folder, "x".repeat(room + 1))).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

test("a file system without sockets holds none", async () => {
  // No file can be made in it, whoever asks.
  expect(await holdsSocket("/proc", "x")).toBe(false);
});
