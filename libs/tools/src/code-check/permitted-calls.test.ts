import { expect, test } from "vitest";
import { inspectCode } from "./check-code.ts";

test.each([
  ["await fetch('https://a.example')", ["fetch"]],
  ["const f = fetch; return api.graphql({}), api.rest({}), fetch", ["fetch", "api.rest", "api.graphql"]],
  ["return (() => { if (args.a) return api?.rest({}) })()", ["api.rest"]],
  ["{ const fetch = 1 } return fetch", ["fetch"]],
  ["return { fetch }", ["fetch"]],
  ["return [utils?.fs.list(), utils.now(), utils.exec]", ["utils.fs", "utils.exec"]],
  ["return f\\u0065tch('x')", ["fetch"]],
])("%s names what only a permission gives", (code, calls) => {
  expect(inspectCode(code)).toMatchObject({ faults: [], permittedCalls: calls });
});

test.each([
  "return 'fetch' /* fetch */",
  "const fetch = (x) => x; return fetch(1)",
  "function f(api) { return api.rest() } return f",
  "return args.fetch + args.api.rest",
  "return { fetch: 1 }",
  "api.log(api.date())",
  "const utils = args.utils; return utils.fs",
  "return args.utils.fs",
  "fetch: for (;;) break fetch",
])("%s does not", (code) => {
  expect(inspectCode(code)).toMatchObject({ faults: [], permittedCalls: [] });
});

test("code that does not compile names nothing", () => {
  expect(inspectCode("fetch(").permittedCalls).toEqual([]);
});
