import { afterEach, describe, expect, it } from "vitest";
import { get, LIMITS, LocalOrigins, never } from "./local-origins.ts";
import { placeSecret, VALUE } from "./local-secrets.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

/** A secret that this machine may know by its address, and not by its name. */
const KEY = placeSecret();
const headers: [string, string][] = [["x-key", KEY.placeholder]];
const open = (secret = KEY) => origins.openBroker("127.0.0.0/8").open(LIMITS, { secrets: [secret] });
/** The same server as another host, which may not know the secret. */
const stranger = (url: string): string => url.replace("127.0.0.1", "localhost");

describe("a host that can't know a secret", () => {
  it("gets what it says through at once, also what could go on as the secret", async () => {
    let told = "";
    let goOn = (): void => undefined;
    const url = await origins.serve((_, response) => {
      let length = 1;
      goOn = (): void => {
        if (length > VALUE.length) return void response.end();
        const guess = `~${VALUE.slice(0, length++)}`;
        told += guess;
        response.write(guess);
      };
      response.flushHeaders();
    });
    const { session } = open();
    const answer = await session.fetch(get(stranger(url)), never, 1);
    let heard = answer.ok ? answer.body : "";
    let isDone = false;
    while (!isDone) {
      // The next guess is made when the last was heard whole: one that is held back would never end this.
      if (heard === told) goOn();
      const part = await session.read(1, never);
      if (!part.ok) throw new Error(part.message);
      heard += part.body;
      isDone = part.done;
    }
    expect(heard).toBe(told);
    expect(heard.endsWith(`~${VALUE}`)).toBe(true);
  });

  it("is not covered in its head either", async () => {
    const url = await origins.serve((request, response) =>
      response.writeHead(200, "a s3cr", { "x-said": VALUE, "x-url": request.url ?? "" }).end(VALUE),
    );
    const answer = await open().fetch(get(`${stranger(url)}/${encodeURIComponent(VALUE)}`), never);
    expect(answer).toMatchObject({ ok: true, body: VALUE, url: expect.stringContaining("s3cr%26t") });
    expect(answer.ok && answer.headers).toContainEqual(["x-said", VALUE]);
  });

  it("gets its answer through after a redirect from one that knows it", async () => {
    const target = await origins.serve((_, response) => void response.end(VALUE));
    const url = await origins.serve((_, response) =>
      response.writeHead(302, { location: stranger(target) }).end(),
    );
    const authorization: [string, string][] = [["authorization", KEY.placeholder]];
    expect(await open().fetch(get(url, { headers: authorization }), never)).toMatchObject({
      ok: true,
      redirected: true,
      body: VALUE,
    });
  });
});

describe("a host that may know a secret", () => {
  it("is covered, whether it was sent the secret or not", async () => {
    const url = await origins.serve((_, response) => void response.end(`<${VALUE}>`));
    for (const request of [get(url), get(url, { headers })])
      expect(await open().fetch(request, never)).toMatchObject({ ok: true, body: "<[REDACTED]>" });
  });

  it("is not covered of another host's secret", async () => {
    const url = await origins.serve((_, response) => void response.end(VALUE));
    const elsewhere = placeSecret({ hosts: ["api.example.com"] });
    expect(await open(elsewhere).fetch(get(url), never)).toMatchObject({ ok: true, body: VALUE });
  });

  it.each(["ab?cdEFgh12", "abEFgh#cd12", "a\\bcdEFgh12", "abc/../defgh12", "plain-value"])(
    "can be made to redirect, and carries the secret nowhere: %s",
    async (value) => {
      const asked: (string | undefined)[] = [];
      const target = await origins.serve((request, response) => {
        asked.push(request.url);
        response.end();
      });
      // Redirects to wherever its caller says, or its caller's key.
      const url = await origins.serve((request, response) => {
        const next = new URL(request.url ?? "", "http://x").searchParams.get("next") ?? "";
        const key = request.headers["x-key"];
        response.writeHead(302, { location: key === undefined ? next : `${next}${String(key)}` }).end();
      });
      const secret = placeSecret({ value });
      for (const path of ["/", "/?k="]) {
        const next = encodeURIComponent(stranger(target) + path);
        const inQuery = get(`${url}/?next=${next}${secret.placeholder}`);
        const inHeader = get(`${url}/?next=${next}`, { headers: [["x-key", secret.placeholder]] });
        for (const request of [inQuery, inHeader])
          expect(await open(secret).fetch(request, never)).toMatchObject({
            code: "egress_denied",
            message: expect.stringMatching(/^127\.0\.0\.1 answered with a redirect to another host/),
          });
      }
      expect(asked).toEqual([]);
    },
  );

  it("can't show the tool a secret as the URL that it redirects to", async () => {
    const value = "a\\bcdEFgh12";
    const url = await origins.serve((request, response) => {
      if (request.url?.startsWith("/go")) response.writeHead(302, { location: `/to/${value}` });
      response.end();
    });
    const secret = placeSecret({ value });
    const answer = await open(secret).fetch(get(`${url}/go?k=${secret.placeholder}`), never);
    expect(answer).toMatchObject({ ok: true, url: "[REDACTED]" });
    expect(JSON.stringify(answer)).not.toContain("cdEF");
  });
});
