import { leakCheck, openTestRedis, until, type TestRedisServer } from "@bulkhead/testing";
import { Queue } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, disconnect } from "./connect.ts";
import { fetchingConnection } from "./fetching.ts";
import { listen } from "./listen.ts";

leakCheck();

let server: TestRedisServer;
beforeAll(async () => {
  server = await openTestRedis();
});
afterAll(() => server.close());

const onError = (): void => undefined;

test("what goes through the socket of a Redis is what goes through its port", async () => {
  const near = await connect({ redisUrl: server.socketUrl, name: "near", onError });
  const far = await connect({ redisUrl: server.url, name: "far", onError });
  const heard: string[] = [];
  const ears = await listen({ redisUrl: server.socketUrl, name: "ears", onError, beside: near });
  ears.on("message", (_channel, text: string) => heard.push(text));
  try {
    await ears.subscribe("news");
    await near.set("here", "1");
    expect(await far.get("here")).toBe("1");
    await far.publish("news", "heard");
    await until(() => heard.length > 0, { what: "the message" });
    expect(heard).toEqual(["heard"]);
    // A connection by a socket has no port, which Redis shows as 0.
    expect(String(await far.call("CLIENT", "LIST"))).toMatch(/addr=\S+redis\.sock:0 .*name=near/u);
  } finally {
    await Promise.all([near, far, ears].map(disconnect));
  }
});

test("BullMQ reaches it likewise", async () => {
  const { connection, close } = fetchingConnection({ redisUrl: server.socketUrl, name: "fetching" });
  const queue = new Queue("jobs", { connection, skipVersionCheck: true });
  try {
    await queue.add("job", {});
    expect(await queue.count()).toBe(1);
  } finally {
    await queue.close();
    await close();
  }
});
