import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findOnPath } from "@bulkhead/process";
import { probeRedis } from "./probe-redis.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-path-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function program(name: string, prints: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\necho '${prints}'\n`);
  await chmod(file, 0o755);
  return file;
}

test("it takes the first executable and passes over relative entries and plain files", async () => {
  const file = await program("wanted", "");
  expect(await findOnPath("wanted", `:.:bin:/nowhere:${folder}`)).toBe(file);
  await writeFile(join(folder, "text"), "");
  expect(await findOnPath("text", folder)).toBeNull();
});

test.each([
  { name: "redis-server", prints: "Redis server v=7.0.15 sha=00000000:0 malloc=x", version: "Redis 7.0.15" },
  { name: "valkey-server", prints: "Valkey server v=8.1.4 sha=00000000:0", version: "Valkey 8.1.4" },
  { name: "valkey-server", prints: "Server v=8.0.0 sha=00000000:0", version: "Valkey 8.0.0" },
  { name: "redis-server", prints: "Redis server v=6.2.0 sha=00000000:0", version: "Redis 6.2.0" },
])("a program that prints $prints is $version", async ({ name, prints, version }) => {
  const command = await program(name, prints);
  expect(await probeRedis(command, {})).toEqual({ binary: { command, env: {}, version } });
});

test("a Redis older than 6.2 is refused by name", async () => {
  const command = await program("redis-server", "Redis server v=6.0.16 sha=00000000:0");
  expect(await probeRedis(command, {})).toEqual({
    refusal: `${command} is Redis 6.0.16, too old: 6.2 or newer is needed`,
  });
});

test("a program that is something else, or missing, is refused", async () => {
  const command = await program("redis-server", "hello");
  expect(await probeRedis(command, {})).toEqual({ refusal: `${command} does not run: hello` });
  expect(await probeRedis("/nowhere/redis-server", {})).toEqual({
    refusal: expect.stringContaining("ENOENT"),
  });
});
