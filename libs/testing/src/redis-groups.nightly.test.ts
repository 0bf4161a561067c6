import { afterAll, expect, test, vi } from "vitest";
import { leakCheck, startRedisCluster, startRedisSentinel, until } from "./index.ts";

leakCheck();

// A Sentinel that got no processor for two seconds trusts its clock again after 30, and makes no master before.
vi.setConfig({ testTimeout: 120_000 });

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

test("a cluster serves all slots, each key at one master; a node that died and came back makes it whole again", async () => {
  const cluster = await startRedisCluster({ masters: 3 });
  opened.push(cluster);
  const said = await Promise.all(cluster.masters.map((node) => node.ask("SET key value").catch(String)));
  expect(said.filter((reply) => reply.includes("+OK"))).toHaveLength(1);
  expect(said.filter((reply) => reply.includes("MOVED"))).toHaveLength(2);
  await cluster.masters[1]?.kill();
  await cluster.masters[1]?.startAgain();
  await cluster.isWhole();
});

test("the Sentinels make the replica the master when the master dies, with its data", async () => {
  const group = await startRedisSentinel();
  opened.push(group);
  const first = await group.master();
  const written = /master_repl_offset:(\d+)/u.exec(await first.ask("SET key value", "INFO replication"))?.[1];
  const acknowledged = async () => /slave0:.*offset=(\d+)/u.exec(await first.ask("INFO replication"))?.[1];
  await until(async () => Number(await acknowledged()) >= Number(written), {
    what: "the replica has the key",
  });
  const old = await group.failOver();
  const now = await group.master();
  expect(now.port).not.toBe(old.port);
  expect(await now.ask("GET key")).toContain("value");
});
