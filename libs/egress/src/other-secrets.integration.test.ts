import { afterEach, expect, it } from "vitest";
import { codeOf, get, LIMITS, LocalOrigins, never, TestSession } from "./local-origins.ts";
import { placeSecret, VALUE } from "./local-secrets.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

const OTHERS = placeSecret({ value: "an-operators-key" });
const OWN = placeSecret();

it("a session with other secrets sends those alone, and shares hosts and counts with the one that it comes from", async () => {
  const seen: (string | undefined)[] = [];
  const url = await origins.serve((request, response) => {
    seen.push(request.headers["x-key"]?.toString());
    response.end("it is an-operators-key");
  });
  const limits = { ...LIMITS, networkRequests: 3 };
  const more = { secrets: [OWN], allowedHosts: ["127.0.0.1"] };
  const { session } = origins.openBroker("127.0.0.0/8").open(limits, more);
  const other = session.withSecrets([OTHERS]);
  const ask = (by: typeof session, placeholder: string) =>
    new TestSession(by).fetch(get(url, { headers: [["x-key", placeholder]] }));
  expect(await ask(other, OTHERS.placeholder)).toMatchObject({ ok: true, body: "it is [REDACTED]" });
  await ask(other, OWN.placeholder);
  await ask(session, OTHERS.placeholder);
  expect(seen).toEqual(["an-operators-key", OWN.placeholder, OTHERS.placeholder]);
  expect(seen).not.toContain(VALUE);
  expect([session.requests, other.requests]).toEqual([3, 3]);
  expect(codeOf(await ask(other, OTHERS.placeholder))).toBe("network_limit");
  expect(codeOf(await other.fetch(get("https://elsewhere.example/"), never, 9))).toMatch(/limit|denied/);
});

it("it ends with the one that it comes from, which goes on when it ends", async () => {
  const url = await origins.serve((_, response) => void response.end("ok"));
  const { session } = origins.openBroker("127.0.0.0/8").open();
  const ask = async (by: typeof session) => codeOf(await new TestSession(by).fetch(get(url)));
  const [first, second] = [session.withSecrets([OTHERS]), session.withSecrets([OTHERS])];
  first.close();
  expect([await ask(first), await ask(session), await ask(second)]).toEqual(["aborted", 200, 200]);
  session.close();
  expect(await ask(second)).toBe("aborted");
});
