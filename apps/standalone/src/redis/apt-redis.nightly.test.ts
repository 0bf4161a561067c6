import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchRedisWithApt } from "./apt-redis.ts";
import { findOnPath } from "@bulkhead/process";
import { locateRedis } from "./locate-redis.ts";
import { askRedis } from "./redis-ready.ts";
import { openRedis } from "./redis.ts";

leakCheck();

const apt = await findOnPath("apt-get", process.env["PATH"] ?? "");

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-apt-"));
  // Every program of this machine but Redis.
  const bin = join(folder, "bin");
  await mkdir(bin);
  for (const place of ["/usr/sbin", "/usr/bin"]) {
    const names = (await readdir(place)).filter(
      (name) => !/redis|valkey/u.test(name) && !existsSync(join(bin, name)),
    );
    for (const name of names) await symlink(join(place, name), join(bin, name));
  }
  env = { ...process.env, PATH: bin };
});
afterAll(() => rm(folder, { recursive: true }));

test.runIf(apt)(
  "where no Redis is installed the distribution's packages are fetched once and run",
  async () => {
    const said: string[] = [];
    const search = { env, fetchedDir: join(folder, "fetched"), progress: (line: string) => said.push(line) };
    // Two at a time, as when two products start: neither is in the other's way.
    const [end, other] = await Promise.all([
      fetchRedisWithApt(search),
      fetchRedisWithApt({ ...search, progress: undefined }),
    ]);
    // A machine that reaches no package server can't show more than a clear refusal.
    if (
      "refusal" in end &&
      /Could not|Failed to fetch|Temporary failure|Unable to connect|timed out|Release file/u.test(
        end.refusal,
      )
    )
      return;
    expect(end).toMatchObject({ binary: { version: expect.stringMatching(/^Redis \d/u) } });
    expect(other).toEqual(end);
    expect(await readdir(search.fetchedDir)).toEqual(["debian"]);
    expect(said).toEqual([expect.stringContaining("list of"), expect.stringContaining("fetching Redis")]);

    said.length = 0;
    expect(await locateRedis(search)).toEqual("binary" in end ? end.binary : null);
    expect(said).toEqual([]);

    const redis = await openRedis({ throwaway: true, env, fetchedDir: search.fetchedDir });
    expect(await askRedis(redis.port, [`AUTH ${new URL(redis.url).password}`, "PING"])).toContain("+PONG");
    await redis.close();
  },
);
