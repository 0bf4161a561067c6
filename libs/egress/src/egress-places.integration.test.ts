import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { REDIRECTS_MAX } from "./bounds.ts";
import { codeOf, get, LIMITS, LocalOrigins, never } from "./local-origins.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

describe("redirects", () => {
  const redirectTo = (location: string, status = 302) =>
    origins.serve((request, response) => {
      if (request.url === "/end")
        response.end(`${request.method} ${request.headers.authorization ?? "none"}`);
      else response.writeHead(status, { location }).end("moved");
    });

  it("are followed, each counting as a request", async () => {
    const session = origins.openSession();
    const url = await redirectTo("/end");
    expect(await session.fetch(get(url), never)).toMatchObject({
      status: 200,
      redirected: true,
      url: `${url}/end`,
    });
    expect(session.requests).toBe(2);
  });

  it("are within what is left of a run that was charged for what others sent for it", async () => {
    const sent = origins.openSession();
    const { session } = sent;
    const url = await redirectTo("/end");
    const { networkRequests, bytesIn, bytesOut } = session.left;
    session.charge({ networkRequests: networkRequests - 1, bytesIn: 5, bytesOut: bytesOut + 1 });
    expect(session.left).toEqual({ networkRequests: 1, bytesIn: bytesIn - 5, bytesOut: 0 });
    expect([session.requests, session.bytesIn]).toEqual([networkRequests - 1, 5]);
    expect(await sent.fetch(get(url), never)).toMatchObject({ code: "network_limit" });
    expect(session.left.networkRequests).toBe(0);
  });

  it.each(["http://127.0.0.1:1234/", "https://127.0.0.1:8443/", "http://2130706433:1234/"])(
    "to a private address are refused although the first host is allowed: %s",
    async (location) => {
      const url = await redirectTo(location);
      const session = origins.openBroker(`127.0.0.1:${new URL(url).port}`).open(LIMITS);
      expect(await session.fetch(get(url), never)).toMatchObject({
        code: "egress_denied",
        message: expect.stringContaining("127.0.0.1 is a loopback address"),
      });
    },
  );

  it.each([
    "http://169.254.169.254/latest",
    "http://[::ffff:169.254.169.254]/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
  ])("to the metadata service are refused, in every notation: %s", async (location) => {
    const answer = await origins.openSession().fetch(get(await redirectTo(location)), never);
    expect(answer).toMatchObject({ code: "egress_denied", message: expect.stringContaining("metadata") });
  });

  it.each([
    ["/größe/→?q=ä", "/gr%C3%B6%C3%9Fe/%E2%86%92?q=%C3%A4", "utf8"],
    ["/gr\xf6\xdfe", "/gr%F6%DFe", "latin1"],
    ["/gr%C3%B6ße", "/gr%C3%B6%C3%9Fe", "utf8"],
  ] as const)("to a place in raw bytes are followed as browsers do: %s", async (location, path, encoding) => {
    // Node's server writes each character of a header as one byte.
    const raw = Buffer.from(location, encoding).toString("latin1");
    const url = await origins.serve((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: raw }).end();
      else response.end(request.url);
    });
    const answer = await origins.openSession().fetch(get(url), never);
    expect(answer).toMatchObject({ status: 200, url: url + path, body: path });
  });

  it("to a private address written in raw bytes are refused", async () => {
    const url = await redirectTo(Buffer.from("http://127。0。0。1:1234/").toString("latin1"));
    const session = origins.openBroker(`127.0.0.1:${new URL(url).port}`).open(LIMITS);
    expect(await session.fetch(get(url), never)).toMatchObject({
      code: "egress_denied",
      message: expect.stringContaining("127.0.0.1 is a loopback address"),
    });
  });

  it("without end are ended", async () => {
    const session = origins.openSession();
    const answer = await session.fetch(get(await redirectTo("/again")), never);
    expect(answer).toMatchObject({ code: "failed", message: expect.stringContaining("redirects") });
    expect(session.requests).toBe(REDIRECTS_MAX + 1);
  });

  it("end at the run's limit of requests", async () => {
    const session = origins.openSession({ networkRequests: 3 });
    expect(codeOf(await session.fetch(get(await redirectTo("/again")), never))).toBe("network_limit");
    expect(session.requests).toBe(3);
  });

  it("are an error, or an answer, where the tool says so", async () => {
    const url = await redirectTo("/end");
    const session = origins.openSession();
    expect(codeOf(await session.fetch(get(url, { redirect: "error" }), never))).toBe("failed");
    expect(await session.fetch(get(url, { redirect: "manual" }), never)).toMatchObject({
      status: 302,
      redirected: false,
      headers: expect.arrayContaining([["location", "/end"]]),
    });
  });

  it("keep the method and the key at home, and leave the key behind elsewhere", async () => {
    const away = await redirectTo("");
    const home = await redirectTo("/end", 307);
    const headers: [string, string][] = [["authorization", "key"]];
    const session = origins.openSession();
    const post = (url: string) => session.fetch(get(url, { method: "POST", body: "x", headers }), never);
    expect(await post(home)).toMatchObject({ body: "POST key" });
    expect(await post(await redirectTo(`${away}/end`, 307))).toMatchObject({ body: "POST none" });
    expect(await post(await redirectTo(`${away}/end`, 303))).toMatchObject({ body: "GET none" });
  });
});

describe("names", () => {
  it("that answer differently the second time are connected to where the first answer said", async () => {
    const answers = [["127.0.0.1"], ["10.255.255.1"]];
    const url = await origins.serve((request, response) => response.end(request.headers.host));
    const { port } = new URL(url);
    const broker = origins.openBroker(`127.0.0.1:${port}`, { lookup: async () => answers.shift() ?? [] });
    const session = broker.open(LIMITS);
    const name = `rebind.test:${port}`;
    expect(await session.fetch(get(`http://${name}/`), never)).toMatchObject({ body: name });
    // The next request asks again, and its answer is judged again, although a connection is still open.
    expect(codeOf(await session.fetch(get(`http://${name}/`), never))).toBe("egress_denied");
  });

  it("that never resolve are given up, and say so", async () => {
    const broker = origins.openBroker("", { lookup: () => new Promise(() => undefined), requestMsMax: 50 });
    expect(codeOf(await broker.open(LIMITS).fetch(get("https://slow.test/"), never))).toBe("timeout");
  });

  it("refused again and again end in the limit, without another look-up", async () => {
    let asked = 0;
    const broker = origins.openBroker("", { lookup: async () => (asked++, ["10.0.0.1"]) });
    const session = broker.open(LIMITS);
    const codes = new Set<string | number>();
    for (let i = 0; i < 100; i += 1)
      codes.add(codeOf(await session.fetch(get(`https://a${i}.test/`), never)));
    expect([...codes]).toEqual(["egress_denied", "network_limit"]);
    expect(asked).toBe(50);
    expect(session.requests).toBe(0);
  });
});

describe("a tool's own list of hosts", () => {
  it("is looked at before anything is asked of the name servers, and a refusal names the host and the setting", async () => {
    let asked = 0;
    const broker = origins.openBroker("", { lookup: async () => (asked++, ["10.0.0.1"]) });
    const session = broker.open(LIMITS, { allowedHosts: ["api.example.com", "*.example.org:8443"] });
    const to = (url: string) => session.fetch(get(url), never);
    for (const url of ["https://example.com/", "https://a.api.example.com/", "https://a.example.org/"])
      expect(await to(url)).toMatchObject({
        code: "egress_denied",
        message: expect.stringMatching(`^${new URL(url).hostname} .*allowedHosts`),
      });
    expect([asked, session.requests]).toEqual([0, 0]);
    for (const url of ["https://api.example.com/", "https://b.a.example.org:8443/"])
      expect(await to(url)).toMatchObject({ message: expect.stringContaining("has no public address") });
  });

  it("opens nothing that is closed to all tools", async () => {
    const session = origins.openBroker("").open(LIMITS, { allowedHosts: ["127.0.0.1", "localhost"] });
    for (const url of ["https://127.0.0.1/", "https://localhost/"])
      expect(await session.fetch(get(url), never)).toMatchObject({
        code: "egress_denied",
        message: expect.stringContaining("EGRESS_ALLOW"),
      });
  });

  it("holds for every redirect", async () => {
    const there = await origins.serve((_, response) => response.end("there"));
    const here = await origins.serve((_, response) => response.writeHead(302, { location: there }).end());
    const broker = origins.openBroker("127.0.0.0/8");
    const fetchWith = (allowedHosts: string[] | null) =>
      broker.open(LIMITS, { allowedHosts }).fetch(get(here), never);
    expect(await fetchWith([new URL(here).host])).toMatchObject({
      code: "egress_denied",
      message: expect.stringContaining(`(port ${new URL(there).port})`),
    });
    expect(await fetchWith([])).toMatchObject({ code: "egress_denied" });
    expect(await fetchWith(["127.0.0.1"])).toMatchObject({ body: "there" });
    expect(await fetchWith(null)).toMatchObject({ body: "there" });
  });
});

it("proxies that the process's environment names are not used", async () => {
  let trapped = 0;
  const trap = await origins.serve((_, response) => response.end(`${++trapped}`));
  const url = await origins.serve((_, response) => response.end("direct"));
  const program = `
    const { openEgressBroker } = await import(${JSON.stringify(new URL("egress-broker.ts", import.meta.url))});
    const { parseEgressAllow } = await import(${JSON.stringify(new URL("egress-allow.ts", import.meta.url))});
    const broker = openEgressBroker({ allow: parseEgressAllow("127.0.0.0/8").rules, scrubbers: {} });
    const limits = { networkRequests: 1, bytesIn: 99, bytesOut: 0 };
    const session = broker.open({ tenantId: "ten_a", limits, allowedHosts: null, secrets: [] });
    const request = { method: "GET", headers: [], body: null, bodyEncoding: "utf8", redirect: "follow" };
    const answer = await session.fetch({ ...request, url: ${JSON.stringify(url)} }, new AbortController().signal, 1);
    console.log(answer.body);
    await broker.close();`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const env = { ...Object.fromEntries(names.map((name) => [name, trap])), NODE_USE_ENV_PROXY: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env,
  });
  expect([stdout.trim(), trapped]).toEqual(["direct", 0]);
});
