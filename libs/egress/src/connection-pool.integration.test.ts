import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { readAddress } from "./address.ts";
import { ConnectionPool, type PoolBounds } from "./connection-pool.ts";
import { codeOf, get, LIMITS, LocalOrigins, never } from "./local-origins.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

/** A server that answers with the port of the connection on which it was asked. */
const serveEcho = () => origins.serve((request, response) => response.end(`${request.socket.remotePort}`));

describe("a kept connection", () => {
  it("serves its tenant's next runs, and no other tenant", async () => {
    const url = await serveEcho();
    const broker = origins.openBroker("127.0.0.0/8");
    const ports: string[] = [];
    for (const tenantId of ["ten_a", "ten_a", "ten_b", "ten_a"]) {
      const answer = await broker.open(LIMITS, { tenantId }).fetch(get(url), never);
      ports.push(answer.ok ? answer.body : answer.code);
    }
    expect(ports[1]).toBe(ports[0]);
    expect(ports[2]).not.toBe(ports[0]);
    expect(ports[3]).toBe(ports[0]);
  });

  it("is not used where its address is not among those of this request", async () => {
    const first = createServer((_, response) => response.end("first"));
    const port = await origins.listen(first);
    const second = createServer((_, response) => response.end("second"));
    const { promise, resolve } = Promise.withResolvers<void>();
    second.listen(port, "127.0.0.2", resolve);
    await promise;
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const broker = origins.openBroker("127.0.0.0/8", { lookup: async () => answers.shift() ?? [] });
    const bodies = [];
    for (let i = 0; i < 2; i += 1) {
      const answer = await broker.open(LIMITS).fetch(get(`http://moves.test:${port}/`), never);
      bodies.push(answer.ok ? answer.body : answer.message);
    }
    second.closeAllConnections();
    second.close();
    expect(bodies).toEqual(["first", "second"]);
  });

  it("whose last answer was not read to its end is not used again", async () => {
    let asked = 0;
    const ports = new Set<number | undefined>();
    const url = await origins.serve((request, response) => {
      ports.add(request.socket.remotePort);
      if (asked++ === 0) response.write("endless");
      else response.end("x");
    });
    const broker = origins.openBroker("127.0.0.0/8");
    const { session } = broker.open(LIMITS);
    await session.fetch(get(url), never, 1);
    session.close();
    expect(codeOf(await broker.open(LIMITS).fetch(get(url), never))).toBe(200);
    expect(ports.size).toBe(2);
  });

  it.each([
    ["GET", 200],
    ["POST", "failed"],
  ])("that the server closes when it is used again: a %s gives %s", async (method, expected) => {
    const used = new WeakSet<object>();
    let asked = 0;
    const url = await origins.serve((request, response) => {
      asked += 1;
      if (used.has(request.socket)) return request.socket.destroy();
      used.add(request.socket);
      return response.end("x");
    });
    const session = origins.openSession();
    await session.fetch(get(url), never);
    expect(codeOf(await session.fetch(get(url, { method }), never))).toBe(expected);
    expect(asked).toBe(expected === 200 ? 3 : 2);
  });

  it("on which the server says more than it was asked for is not used again", async () => {
    const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const url = await origins.serveRaw((socket) => {
      socket.write(answer("good") + answer("evil"));
      socket.on("data", () => socket.write(answer("good")));
    });
    const session = origins.openSession();
    for (let i = 0; i < 3; i += 1)
      expect(await session.fetch(get(url), never)).not.toMatchObject({ body: "evil" });
  });
});

describe("the bounds", () => {
  const addresses = [readAddress("127.0.0.1")].filter((address) => address !== null);
  const openPool = async (bounds: Partial<PoolBounds>) => {
    const origin = await serveEcho();
    const pool = new ConnectionPool({ ca: undefined }, { origin: 9, tenant: 9, all: 9, ...bounds });
    const lend = (tenantId: string, signal = never) =>
      pool.lend({ tenantId, origin, addresses, fresh: false }, signal);
    return { pool, lend, origin };
  };

  it.each<keyof PoolBounds>(["origin", "tenant", "all"])("of %s are waited for", async (bound) => {
    const { pool, lend } = await openPool({ [bound]: 1 });
    const first = await lend("ten_a");
    let second = false;
    const waiting = lend("ten_a").then((connection) => {
      second = true;
      return connection;
    });
    await new Promise(setImmediate);
    expect(second).toBe(false);
    pool.giveBack("ten_a", first, true);
    await waiting;
    await pool.close();
  });

  it("make another tenant's kept connection give way, the longest unused tenant's first", async () => {
    const { pool, lend, origin } = await openPool({ all: 2 });
    for (const tenantId of ["ten_a", "ten_b"]) {
      const connection = await lend(tenantId);
      const { body } = await connection.request(addresses, { origin, path: "/", method: "GET" });
      await body.dump();
      pool.giveBack(tenantId, connection, true);
    }
    const third = await lend("ten_c");
    const again = await lend("ten_b");
    expect([third.isOpen, again.isOpen]).toEqual([false, true]);
    await pool.close();
  });

  it("are not waited for by what is given up", async () => {
    const { pool, lend } = await openPool({ all: 1 });
    await lend("ten_a");
    const stop = new AbortController();
    const waiting = lend("ten_b", stop.signal);
    stop.abort(new Error("given up"));
    await expect(waiting).rejects.toThrow("given up");
    await pool.close();
  });
});
