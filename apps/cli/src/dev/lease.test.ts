import { randomUUID } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { leasePath, takeLease } from "./lease.ts";

const newPath = (): string => leasePath([randomUUID(), "x".repeat(300)]);

test("one at a time holds it, and the next when it is given back", async () => {
  const path = newPath();
  const first = await takeLease(path);
  expect(first).not.toBeNull();
  expect(await takeLease(path)).toBeNull();
  const other = await takeLease(newPath());
  expect(other).not.toBeNull();
  await Promise.all([first?.close(), other?.close()]);
  const next = await takeLease(path);
  expect(next).not.toBeNull();
  await next?.close();
});

test.skipIf(process.platform === "win32")("what a process left that is gone is taken over", async () => {
  const [path, elsewhere] = [newPath(), newPath()];
  const server = createServer().listen(elsewhere);
  await new Promise((listening) => void server.once("listening", listening));
  // Closing takes the socket away by the path that it had.
  renameSync(elsewhere, path);
  await new Promise((closed) => void server.close(closed));
  expect(existsSync(path)).toBe(true);
  const lease = await takeLease(path);
  expect(lease).not.toBeNull();
  await lease?.close();
  expect(existsSync(path)).toBe(false);
});
