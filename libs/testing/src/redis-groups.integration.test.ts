import { afterAll, expect, test } from "vitest";
import { leakCheck, startRedisCluster, startRedisSentinel } from "./index.ts";

leakCheck();

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
  await (await group.master()).ask("SET key value", "WAIT 1 1000");
  const old = await group.failOver();
  const now = await group.master();
  expect(now.port).not.toBe(old.port);
  expect(await now.ask("GET key")).toContain("value");
});
