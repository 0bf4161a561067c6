import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, leakCheck } from "@bulkhead/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runStandalone } from "./fixtures/run-standalone.ts";

/** Nobody listens there, and no port of another test's choosing can be that one. */
const NOBODYS_PORT = 1;

leakCheck();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-refusals-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The output of a start that can't succeed, after it has ended with code 1 and left nothing behind. */
async function refusal(env: Record<string, string>, dataDir = folder): Promise<string> {
  const run = runStandalone(dataDir, env);
  expect(await run.ended()).toBe(1);
  expect(await run.family()).toEqual([]);
  expect(run.output()).not.toMatch(/^\s+at /mu);
  return run.output();
}

async function listen(): Promise<{ server: Server; port: string }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, port: String(typeof address === "object" ? address?.port : "") };
}

test.each(["PORT", "METRICS_PORT"])("a %s that is taken is named, with what to do", async (name) => {
  const { server, port } = await listen();
  expect(await refusal({ [name]: port })).toMatch(
    new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken.* ${name}=`, "u"),
  );
  const closed = once(server, "close");
  server.close();
  await closed;
});

test("a data folder that can't be written to is named, with what to do", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const printed = await refusal({}, join(file, "data"));
  expect(printed).toContain(`DATA_DIR ${join(file, "data")} is not a folder`);
  expect(printed).toContain("DATA_DIR=/some/folder npm start");
});

test("a port that two settings share is told as that, both named", async () => {
  const below = await freePort({ inARow: 2 });
  const port = String(below + 1);
  expect(await refusal({ PORT: port, METRICS_PORT: port })).toContain("METRICS_PORT is the same as PORT: ");
  expect(await refusal({ PORT: port, METRICS_PORT: String(below) })).toContain(
    "The worker's metrics port, one above METRICS_PORT, is the same as PORT: ",
  );
});

test("a database that can't be reached ends the start with a line that names its place, not its password", async () => {
  const printed = await refusal({ DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${NOBODYS_PORT}/mine` });
  expect(printed).toContain(`127.0.0.1:${NOBODYS_PORT}/mine`);
  expect(printed).not.toContain("hunter2");
});

test("a Redis that can't be reached ends the start before any store is there, and names its place", async () => {
  const printed = await refusal({ REDIS_URL: `redis://me:hunter2@127.0.0.1:${NOBODYS_PORT}/2` });
  expect(printed).toMatch(
    new RegExp(
      `^REDIS_URL: Redis at 127\\.0\\.0\\.1:${NOBODYS_PORT} can't be reached: connect ECONNREFUSED`,
      "mu",
    ),
  );
  expect(printed).not.toMatch(/hunter2|PostgreSQL/u);
});
