import { expect, test } from "vitest";
import { parseRedisUrl, redisUrlFault } from "./redis-url.ts";

const noLogin = { username: undefined, password: undefined };

test.each(["redis://localhost", "rediss://user:pass@redis.example:6380/2?family=6", "redis://:p@[::1]:6379"])(
  "one Redis is taken as it stands: %s",
  (url) => expect(parseRedisUrl(url)).toEqual({ ok: true, target: { kind: "single", url } }),
);

test("one Redis on this machine is its socket, with what is needed to log in", () => {
  expect(parseRedisUrl("redis+unix:///run/redis.sock")).toEqual({
    ok: true,
    target: { kind: "socket", path: "/run/redis.sock", db: 0, ...noLogin },
  });
  const all = "redis+unix://us%3Aer:p%40ss@/my%20data/a%3Fb%25/redis.sock?db=2";
  expect(parseRedisUrl(all)).toEqual({
    ok: true,
    target: { kind: "socket", path: "/my data/a?b%/redis.sock", db: 2, username: "us:er", password: "p@ss" },
  });
});

test("a cluster is its nodes, with Redis's port where none is given", () => {
  expect(parseRedisUrl("redis+cluster://a,b:7001,[::1]:7002")).toEqual({
    ok: true,
    target: {
      kind: "cluster",
      isTls: false,
      ...noLogin,
      nodes: [
        { host: "a", port: 6379 },
        { host: "b", port: 7001 },
        { host: "::1", port: 7002 },
      ],
    },
  });
});

test("a password comes alone or behind a user name, percent-encoded", () => {
  const loginOf = (url: string) => parseRedisUrl(url);
  expect(loginOf("rediss+cluster://:p%40ss@a")).toMatchObject({
    target: { isTls: true, username: undefined, password: "p@ss" },
  });
  expect(loginOf("redis+cluster://us%3Aer:a:b@a")).toMatchObject({
    target: { username: "us:er", password: "a:b" },
  });
});

test("Sentinels come with the master's name, and may have a login of their own", () => {
  const url =
    "rediss+sentinel://:pass@s1,s2:26380/my-master?db=3&sentinelUsername=sen&sentinelPassword=ti%26nel";
  expect(parseRedisUrl(url)).toEqual({
    ok: true,
    target: {
      kind: "sentinel",
      isTls: true,
      username: undefined,
      password: "pass",
      sentinels: [
        { host: "s1", port: 26379 },
        { host: "s2", port: 26380 },
      ],
      masterName: "my-master",
      db: 3,
      sentinelUsername: "sen",
      sentinelPassword: "ti&nel",
    },
  });
  expect(parseRedisUrl("redis+sentinel://s1/m")).toMatchObject({ target: { db: 0 } });
});

test.each([
  ["", /form redis:\/\//],
  ["http://hunter2@example", /form redis:\/\//],
  ["redis+other://hunter2", /form redis:\/\//],
  ["redis://hunter2:99999999", /form redis:\/\//],
  ["redis+unix://hunter2/redis.sock", /no host/],
  ["redis+unix://:hunter2@", /absolute path/],
  ["redis+unix:///", /absolute path/],
  ["redis+unix:///hunter2@/run/redis.sock", /before the path/],
  ["rediss+unix:///hunter2", /TLS/],
  ["redis+unix:///hunter2%00", /107 bytes/],
  [`redis+unix:///hunter2${"%C3%A4".repeat(50)}`, /107 bytes/],
  ["redis+unix:///a?hunter2=1", /other parameters than db$/],
  ["redis+unix:///a?db=hunter2", /by a number/],
  ["redis+cluster://", /server 1 of 1/],
  ["redis+cluster://:hunter2@a,,b", /server 2 of 3/],
  ["redis+cluster://a:0", /server 1 of 1/],
  ["redis+cluster://a:65536", /server 1 of 1/],
  ["redis+cluster://:hunter2@a/1", /only one/],
  ["redis+cluster://a?db=hunter2", /no.*parameters|not have parameters/],
  ["redis+cluster://:hunter2%@a", /percent-encoded/],
  ["redis+cluster://:hunter2@@a", /form redis:\/\//],
  ["redis+sentinel://:hunter2@a", /master's name/],
  ["redis+sentinel://a/hunter2/more", /master's name/],
  ["redis+sentinel://a/m?hunter2=1", /other parameters/],
  ["redis+sentinel://a/m?db=hunter2", /by a number/],
])("%s is refused, and nothing of it is repeated", (url, why) => {
  expect(redisUrlFault(url)).toMatch(why);
  expect(redisUrlFault(url)).not.toContain("hunter2");
});

test("a good URL has no fault", () => {
  expect(redisUrlFault("redis+cluster://a,b")).toBeNull();
});

test("one Redis whose password has a / of its own is refused, with no part of it", () => {
  expect(redisUrlFault("redis://me:1234/s3cret@redis.example")).toBe(
    "must not name a user behind the host: a password's / is written as %2F",
  );
});
