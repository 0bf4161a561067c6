import { expect, test } from "vitest";
import { inspectCode } from "./check-code.ts";

test.each([
  ["await fetch('https://a.example')", ["fetch"]],
  ["const f = fetch; return api.graphql({}), api.rest({}), fetch", ["fetch", "api.rest", "api.graphql"]],
  ["return (() => { if (args.a) return api?.rest({}) })()", ["api.rest"]],
  ["{ const fetch = 1 } return fetch", ["fetch"]],
  ["return { fetch }", ["fetch"]],
  ["return f\\u0065tch('x')", ["fetch"]],
])("%s names what only the network permission gives", (code, calls) => {
  expect(inspectCode(code)).toMatchObject({ faults: [], networkCalls: calls });
});

test.each([
  "return 'fetch' /* fetch */",
  "const fetch = (x) => x; return fetch(1)",
  "function f(api) { return api.rest() } return f",
  "return args.fetch + args.api.rest",
  "return { fetch: 1 }",
  "api.log(api.date())",
  "fetch: for (;;) break fetch",
])("%s does not", (code) => {
  expect(inspectCode(code)).toMatchObject({ faults: [], networkCalls: [] });
});

test("code that does not compile names nothing", () => {
  expect(inspectCode("fetch(").networkCalls).toEqual([]);
});
