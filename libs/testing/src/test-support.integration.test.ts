import { connect } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leakCheck, openTestDatabase, openTestRedis, type TestDatabase, type TestRedis } from "./index.ts";

leakCheck();

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("a test database", () => {
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
  });

  test("has the product's migrations applied", async () => {
    const rows = await query(one.url, "select to_regclass('_prisma_migrations') is not null as applied");
    expect(rows).toEqual([{ applied: true }]);
  });

  test("shares nothing with another one", async () => {
    await query(one.url, "create table mine (id int)");
    expect(await query(other.url, "select to_regclass('mine') as found")).toEqual([{ found: null }]);
  });

  test("is gone after close, also when it is closed twice and somebody is still connected", async () => {
    const third = await openTestDatabase();
    const client = new Client({ connectionString: third.url });
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
    client.on("error", () => undefined);
    await client.connect();
    await third.close();
    await third.close();
    await ended;
    await expect(query(third.url, "select 1")).rejects.toThrow(/does not exist/u);
  });
});

describe("a test Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await openTestRedis();
  });
  afterAll(() => redis.close());

  test("refuses after kill and answers at the same address without its data after restartEmpty", async () => {
    expect(await ask(redis.url, "SET kept yes")).toBe("+OK");
    expect(await ask(redis.url, "GET kept")).toBe("yes");
    await redis.kill();
    await expect(ask(redis.url, "GET kept")).rejects.toThrow(/ECONNREFUSED/u);
    await redis.restartEmpty();
    expect(await ask(redis.url, "GET kept")).toBe("$-1");
  });
});

/** The last line of the answer to one inline command. */
function ask(url: string, command: string): Promise<string> {
  const { port, password } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), "127.0.0.1");
    socket.once("error", reject);
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.once("end", () => resolve(answer.trim().split("\r\n").slice(1, -1).at(-1) ?? ""));
    socket.write(`AUTH ${password}\r\n${command}\r\nQUIT\r\n`);
  });
}
