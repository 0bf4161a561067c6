import { afterEach, expect, it } from "vitest";
import { get, LIMITS, LocalOrigins, never } from "./local-origins.ts";
import { placeSecret } from "./local-secrets.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());

it("what was covered of the answers is counted once for the run's tenant, when the run's session closes", async () => {
  const url = await origins.serve((request, response) => {
    const key = String(request.headers["x-key"] ?? "");
    response.setHeader("x-echo", key);
    response.end(`you said ${key}`);
  });
  const tallied: unknown[] = [];
  const tally = (tenantId: string, counts: ReadonlyMap<string, number>) =>
    void tallied.push([tenantId, [...counts]]);
  const broker = origins.openBroker("127.0.0.0/8", { tally });
  const key = placeSecret();
  const session = broker.open(LIMITS, { secrets: [key] });
  const answer = await session.fetch(get(url, { headers: [["x-key", key.placeholder]] }), never);
  expect(answer).toMatchObject({ body: "you said [REDACTED]" });
  const silent = broker.open(LIMITS, { secrets: [key] });
  await silent.fetch(get(url), never);
  expect(tallied).toEqual([]);
  for (const one of [session, session, silent]) one.session.close();
  // Once in a header and once in the body.
  expect(tallied).toEqual([["ten_a", [["value", 2]]]]);
});

it("a header whose name is covered is left out, and the others keep their values", async () => {
  const key = placeSecret({ value: "x-inner-name" });
  const url = await origins.serve((_, response) => {
    response.setHeader("x-before", "one, x-inner-name");
    response.setHeader("x-inner-name", "two");
    response.setHeader("x-after", "three");
    response.end();
  });
  const session = origins.openBroker("127.0.0.0/8").open(LIMITS, { secrets: [key] });
  const answer = await session.fetch(get(url), never);
  const headers = answer.ok ? answer.headers.filter(([name]) => name.startsWith("x-")) : [];
  expect(headers).toEqual([
    ["x-before", "one, [REDACTED]"],
    ["x-after", "three"],
  ]);
});
