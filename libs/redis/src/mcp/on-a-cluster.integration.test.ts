import { newTenantId } from "@bulkhead/core";
import { leakCheck, startRedisCluster, until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { openStreamRedis } from "../stream/stream-redis.ts";
import { openMcpRoutes } from "./mcp-routes.ts";

leakCheck();

test("on a cluster servers are held and messages heard, wherever their keys are", async () => {
  const cluster = await startRedisCluster();
  const open = () => openStreamRedis({ redisUrl: cluster.url, onError: () => undefined });
  const connections = [await open(), await open()];
  const processes = Array.from({ length: 8 }, (_, n) => {
    const routes = openMcpRoutes(connections[n % 2]!, { self: `process-${n}` });
    return { routes, messages: [] as string[] };
  });
  const stops = await Promise.all(
    processes.map(({ routes, messages }) => routes.listen((message) => messages.push(message))),
  );
  try {
    const [first, second] = [processes[0]!.routes, processes[1]!.routes];
    const servers = Array.from({ length: 20 }, () => ({ tenantId: newTenantId(), name: "files" }));
    for (const server of servers) expect(await first.take(server)).toBe(first.self);
    expect(await first.renew(servers)).toEqual([]);
    expect(await second.renew(servers)).toEqual(servers);
    await Promise.all(servers.map((server) => first.release(server)));
    expect(await second.holderOf(servers[0]!)).toBeNull();

    for (const { routes } of processes)
      for (const word of ["one", "two", "three"]) await first.send(routes.self, `${word} for ${routes.self}`);
    await until(() => processes.every(({ messages }) => messages.length === 3), { what: "all is heard" });
    for (const { routes, messages } of processes)
      expect(messages).toEqual(["one", "two", "three"].map((word) => `${word} for ${routes.self}`));
  } finally {
    for (const stop of stops) stop();
    await Promise.all(connections.map((connection) => connection.close()));
    await cluster.close();
  }
});
