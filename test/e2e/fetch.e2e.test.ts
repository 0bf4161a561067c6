import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { everyNth, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let upstream: Server;
let base = "";
/** The answer that `/slow` has begun and `/finish` ends. */
let slow: ServerResponse | null = null;
let slowIsGone = false;

const LONG = "größe 𝄞 ".repeat(300_000);

beforeAll(async () => {
  upstream = createServer((request, response) => {
    if (request.url === "/slow") {
      slow = response.on("close", () => (slowIsGone = true));
      return void response.write("one ");
    }
    if (request.url === "/finish") slow?.end("two");
    if (request.url === "/long") return response.end(LONG);
    if (request.url === "/away") return response.writeHead(302, { location: "http://localhost:8081/" }).end();
    return request.pipe(response);
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  ({ owner } = await newTenant(product));
});

afterAll(async () => {
  upstream?.close();
});

/** What a tool with this code returns. */
async function run(name: string, code: string, more: object = {}) {
  await createTool(owner, name, code, { permissions: ["network"], ...more });
  return execute(name);
}
const execute = async (name: string) =>
  (await owner.post(`/api/v1/custom-tools/${name}/execute`, { arguments: { base } })).body.data;

describe("[S6] what no tool may reach, in any spelling, ends it as tool.egress_denied with the reason", () => {
  const REFUSED: [url: string, reason: RegExp][] = [
    ["file:///etc/passwd", /https, not file:/],
    ["ftp://example.com/", /https, not ftp:/],
    ["blob:https://example.com/1", /https, not blob:/],
    ["https://example.com:25/", /port 25/],
    ["https://example.com@169.254.169.254/", /credentials/],
    ["https://user:word@127.0.0.1/", /credentials/],
    ["https://localhost./", /ends with a dot/],
    ["http://8.8.8.8/", /https/],
    ["https://169.254.169.254./latest/meta-data", /metadata/],
    ["https://0xa9fea9fe/", /metadata/],
    ["https://[::ffff:169.254.169.254]/", /metadata/],
  ];

  // Every second by day: which addresses there are is tested where they are judged.
  test.each(everyNth(REFUSED, 2))("%s", async (url, reason) => {
    const name = `reaches_${Buffer.from(url).toString("hex").slice(-50)}`;
    const answer = await run(name, `return (await fetch(${JSON.stringify(url)})).status`);
    expect(answer).toMatchObject({ status: "failed", error: { code: "tool.egress_denied" } });
    expect(answer.error.message).toMatch(reason);
  });
});

describe("a response", () => {
  test("is read while its server still writes it", async () => {
    const code = `const reader = (await fetch(args.base + "/slow")).body.getReader();
      const decoder = new TextDecoder();
      const first = decoder.decode((await reader.read()).value);
      await fetch(args.base + "/finish");
      let rest = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) rest += decoder.decode(part.value);
      return [first, rest]`;
    expect(await run("reads_slowly", code)).toMatchObject({ status: "succeeded", result: ["one ", "two"] });
  });

  test("of megabytes arrives whole", async () => {
    const code = `const text = await (await fetch(args.base + "/long")).text();
      return [text.length, text === "größe 𝄞 ".repeat(300000)]`;
    expect(await run("reads_much", code)).toMatchObject({ result: [LONG.length, true] });
  });

  test("that a run did not read to its end is let go with the run", async () => {
    slowIsGone = false;
    expect(await run("leaves_early", `await fetch(args.base + "/slow"); return 1`)).toMatchObject({
      result: 1,
    });
    await until(() => slowIsGone, { what: "the server saw the connection end" });
  });

  test("over the run's bytes ends it as its limit says, when the tool lets the error through", async () => {
    const code = `await (await fetch(args.base + "/long")).text()`;
    expect(await run("reads_too_much", code, { limits: { bytesIn: 100_000 } })).toMatchObject({
      status: "failed",
      error: { code: "tool.network_limit" },
    });
  });
});

describe("a tool's allowedHosts", () => {
  const ASKS = `return (await fetch(args.base + "/away", { redirect: args.redirect ?? "manual" })).status`;

  test("are kept in one notation, and a change of them alone makes a version", async () => {
    const allowedHosts = ["API.example.com", "*.example.org:8443", "api.example.com"];
    await createTool(owner, "lists_hosts", "return 1", { allowedHosts });
    const read = async () => (await owner.get("/api/v1/custom-tools/lists_hosts")).body.data;
    const kept = ["api.example.com", "*.example.org:8443"];
    expect(await read()).toMatchObject({ version: 1, allowedHosts: kept });
    const patch = async (hosts: unknown) =>
      (await owner.patch("/api/v1/custom-tools/lists_hosts", { allowedHosts: hosts })).body.data;
    expect(await patch(kept)).toMatchObject({ version: 1 });
    expect(await patch([])).toMatchObject({ version: 2, allowedHosts: [] });
    expect(await patch(null)).toMatchObject({ version: 3 });
    expect(await read()).not.toHaveProperty("allowedHosts");
  });

  test("that are none are refused, each by its place", async () => {
    const allowedHosts = ["ok.example", "https://a.example", "*"];
    for (const path of ["", "/test"]) {
      const body = {
        name: "bad_hosts",
        description: "d",
        parameters: { type: "object" },
        code: "return 1",
        allowedHosts,
      };
      const { status, body: answer } = await owner.post(`/api/v1/custom-tools${path}`, body);
      expect(status).toBe(400);
      expect(answer.errors).toMatchObject([{ path: "allowedHosts.1" }, { path: "allowedHosts.2" }]);
    }
  });

  test.each<[string, () => string[], string]>([
    ["another host", () => ["api.example.com"], "127.0.0.1"],
    ["another port", () => ["127.0.0.1:1"], "127.0.0.1"],
    ["none", () => [], "127.0.0.1"],
  ])(
    "with %s end a request as tool.egress_denied, which names host and setting",
    async (which, hosts, host) => {
      const answer = await run(`asks_${which.replace(" ", "_")}`, ASKS, { allowedHosts: hosts() });
      expect(answer).toMatchObject({ status: "failed", error: { code: "tool.egress_denied" } });
      expect(answer.error.message).toMatch(new RegExp(`${host}.*allowedHosts`));
    },
  );

  test("with the host let the request go, and hold for its redirects and in a dry run", async () => {
    const allowedHosts = [new URL(base).host];
    expect(await run("asks_listed", ASKS, { allowedHosts })).toMatchObject({ result: 302 });
    const { body } = await owner.post("/api/v1/custom-tools/test", {
      name: "dry",
      code: ASKS,
      permissions: ["network"],
      allowedHosts,
      testArguments: { base, redirect: "follow" },
    });
    expect(body.data).toMatchObject({ isError: true, error: { code: "tool.egress_denied" } });
    expect(body.data.error.message).toContain("localhost (port 8081)");
  });
});
