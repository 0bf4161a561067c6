import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keptRedisDir } from "./kept-redis.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "bulkhead-home-"));
});
afterAll(() => rm(home, { recursive: true }));

test("a fetched Redis is kept in the user's cache folder, which others can't write", async () => {
  const folder = await keptRedisDir({ HOME: home });
  expect(folder).toBe(join(home, ".cache/bulkhead/redis"));
  expect((await stat(folder ?? "")).mode & 0o077).toBe(0);
});

test("XDG_CACHE_HOME names another cache folder, unless it is relative", async () => {
  const cache = join(home, "elsewhere");
  expect(await keptRedisDir({ HOME: home, XDG_CACHE_HOME: cache })).toBe(join(cache, "bulkhead/redis"));
  expect(await keptRedisDir({ HOME: home, XDG_CACHE_HOME: "here" })).toBe(
    join(home, ".cache/bulkhead/redis"),
  );
});

test("without a home folder that can be written there is none", async () => {
  const file = join(home, "file");
  await writeFile(file, "");
  expect(await keptRedisDir({ HOME: file })).toBeNull();
});
