import { once } from "node:events";
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { balanceRequests } from "./balance-requests.ts";
import { leakCheck } from "./leak-check.ts";

leakCheck();

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** The address of a balancer before servers that answer so. */
async function balance(...listeners: RequestListener[]): Promise<string> {
  const urls: string[] = [];
  for (const listener of listeners) {
    const server = createServer(listener);
    await once(server.listen(0, "127.0.0.1"), "listening");
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    opened.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }
  const { url, close } = await balanceRequests(urls);
  opened.push(close);
  return url;
}

test("requests of one connection go to the servers in turn", async () => {
  const servers = ["a", "b", "c"].map(
    (name): RequestListener =>
      (_request, response) =>
        response.end(name),
  );
  const url = await balance(...servers);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: string[] = [];
  const ports = new Set<number | undefined>();
  for (let n = 0; n < 6; n += 1) {
    const [answer] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
    ports.add(answer.socket.localPort);
    seen.push(await text(answer));
  }
  agent.destroy();
  expect([seen.join(""), ports.size]).toEqual(["abcabc", 1]);
});

test("method, path, headers, body and status pass as they are", async () => {
  const url = await balance((request, response) => {
    const { method, url: path, headers } = request;
    void text(request).then((body) =>
      response
        .writeHead(418, "Short", { "x-one": "1", "set-cookie": ["a=1", "b=2"] })
        .end(`${method} ${path} ${String(headers["x-own"])} ${body}`),
    );
  });
  const answer = await fetch(`${url}/a%20b?c=d`, { method: "PUT", headers: { "x-own": "é" }, body: "sent" });
  expect([answer.status, answer.statusText, answer.headers.get("x-one")]).toEqual([418, "Short", "1"]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await answer.text()).toBe("PUT /a%20b?c=d é sent");
});

test("a path goes on as it was written, with its dots", async () => {
  const url = new URL(await balance((request, response) => response.end(request.url)));
  const { hostname, port } = url;
  const [answer] = (await once(get({ hostname, port, path: "/a/../%2e%2e/b" }), "response")) as [
    IncomingMessage,
  ];
  expect(await text(answer)).toBe("/a/../%2e%2e/b");
});

test("an answer is passed on while it is written, and its server is told when its reader goes away", async () => {
  let told = (): void => undefined;
  const gone = new Promise<void>((resolve) => (told = resolve));
  const url = await balance((_request, response) => {
    response.write("first");
    response.once("close", told);
  });
  const away = new AbortController();
  const reader = (await fetch(url, { signal: away.signal })).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  away.abort();
  await gone;
});

const BROKEN: Record<string, (response: ServerResponse) => unknown> = {
  "before its answer": (response) => response.destroy(),
  "in the middle of its answer": (response) => response.write("first", () => response.destroy()),
};

test.each(Object.entries(BROKEN))(
  "a server that goes away %s breaks the connection",
  async (_when, breakOff) => {
    const url = await balance((_request, response) => breakOff(response));
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow(/fetch failed|terminated/u);
  },
);

test("what is no HTTP any more passes in both directions, or is refused by a server's own answer", async () => {
  const urls: string[] = [];
  for (const answer of [SWITCHES, SWITCHES, REFUSES]) {
    const server = createServer();
    server.on("upgrade", (_request, socket) => {
      socket.write(answer);
      socket.pipe(socket);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    opened.push(() => new Promise((resolve) => server.close(resolve)));
  }
  const { url, close } = await balanceRequests(urls);
  opened.push(close);
  const headers = { connection: "Upgrade", upgrade: "echo" };
  for (const said of ["one", "two"]) {
    const [, socket] = (await once(get(url, { headers }), "upgrade")) as [IncomingMessage, Socket];
    socket.write(said);
    const [heard] = (await once(socket, "data")) as [Buffer];
    expect(heard.toString()).toBe(said);
    socket.end();
    await once(socket, "close");
  }
  const [refused] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  expect([refused.statusCode, await text(refused)]).toEqual([403, "no"]);
});

const SWITCHES = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n";
const REFUSES = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno";
